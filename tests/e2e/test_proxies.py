"""Proxies, and whose key goes through them: the same by either transport."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import pytest

from tests.e2e.certificates import Certificates
from tests.e2e.dialects import Anthropic, Chat, Dialect, Responses
from tests.e2e.either_way import NOBODY, ask, each_dialect, each_transport, error, with_tls
from tests.e2e.harness import Finclaw
from tests.e2e.listeners import answering, tunnelling
from tests.e2e.over import over
from tests.wire.server import threaded

pytestmark = pytest.mark.by_agent


@each_dialect
@each_transport
@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_a_proxy_is_asked_for_the_whole_address(
    finclaw: Finclaw, transport: Any, dialect: Dialect, variable: str
) -> None:
    with threaded(dialect.text("hi")) as proxy:
        ran = ask(finclaw, transport, dialect, "http://api.example.test", **{variable: proxy.url})
    assert ran.code == 0
    assert proxy.requests[0].path.startswith("http://api.example.test/v1/")


@each_dialect
@each_transport
def test_a_host_that_needs_no_proxy_is_asked_itself(finclaw: Finclaw, transport: Any, dialect: Dialect) -> None:
    with threaded(dialect.text("hi")) as server:
        ran = ask(finclaw, transport, dialect, server.url, HTTP_PROXY=NOBODY, NO_PROXY="localhost,127.0.0.1")
    assert ran.code == 0


@with_tls
@each_dialect
@each_transport
def test_what_is_encrypted_goes_through_a_tunnel(
    finclaw: Finclaw, transport: Any, dialect: Dialect, certificates: Certificates
) -> None:
    trust = str(certificates.authority)
    with threaded(dialect.text("hi"), tls=certificates.server) as server, tunnelling(server.port) as proxy:
        host = "https://api.example.test"
        ran = ask(finclaw, transport, dialect, host, HTTPS_PROXY=proxy.url, SSL_CERT_FILE=trust)
    assert ran.code == 0
    assert proxy.asked == ["CONNECT api.example.test:443 HTTP/1.1"]


@with_tls
@each_transport
@pytest.mark.parametrize(
    ("dialect", "host"),
    [(Anthropic(), "api.anthropic.com"), (Responses(), "api.openai.com")],
    ids=["anthropic", "openai"],
)
def test_without_an_address_the_providers_own_is_asked_with_the_key(
    finclaw: Finclaw, transport: Any, dialect: Dialect, host: str, certificates: Certificates
) -> None:
    with threaded(dialect.text("hi"), tls=certificates.server) as server, tunnelling(server.port) as proxy:
        env = {"HTTPS_PROXY": proxy.url, "SSL_CERT_FILE": str(certificates.authority), dialect.key: "sk-mine"}
        ran = over(transport, finclaw)("run", "-m", dialect.model, "x", env=env)
    assert (ran.text, ran.code) == ("hi\n", 0)
    assert proxy.asked == [f"CONNECT {host}:443 HTTP/1.1"]
    assert server.requests[0].headers["authorization"] == "Bearer sk-mine"


@with_tls
def test_an_sdk_may_find_credentials_of_its_own(finclaw: Finclaw, certificates: Certificates) -> None:
    with threaded(Anthropic().text("hi"), tls=certificates.server) as server, tunnelling(server.port) as proxy:
        trust = {"HTTPS_PROXY": proxy.url, "SSL_CERT_FILE": str(certificates.authority)}
        ran = over("sdk", finclaw)("run", "-m", Anthropic.model, "x", env={**trust, "ANTHROPIC_AUTH_TOKEN": "token"})
    assert (ran.text, ran.code) == ("hi\n", 0)
    assert server.requests[0].headers["authorization"] == "Bearer token"


@pytest.mark.parametrize(
    ("dialect", "variable"), [(Anthropic(), "ANTHROPIC_CUSTOM_HEADERS"), (Chat(), "OPENAI_CUSTOM_HEADERS")]
)
def test_headers_of_the_users_own_are_sent(finclaw: Finclaw, dialect: Dialect, variable: str) -> None:
    with threaded(dialect.text("hi")) as server:
        arguments = ("run", "-m", dialect.model, "--base-url", f"{server.url}/v1", "x")
        assert finclaw(*arguments, env={variable: "X-Team: finance"}).code == 0
    assert server.requests[0].headers["x-team"] == "finance"


@each_dialect
@pytest.mark.parametrize(
    "proxy",
    [
        "socks5://127.0.0.1:9",
        "gopher://127.0.0.1:9",
        "http://user:hunter22#x@127.0.0.1:9",
        "http://user:hunter22/x@127.0.0.1:9",
        "http://user:hunter22@127.0.0.1:99999",
    ],
)
def test_a_proxy_that_cannot_be_used_is_named(finclaw: Finclaw, dialect: Dialect, proxy: str) -> None:
    told = error(finclaw, dialect, "http://api.example.test", ALL_PROXY=proxy)
    assert (told["code"], told["retryable"]) == ("bad_proxies", False)
    assert "ALL_PROXY" in told["hint"]
    assert "hunter22" not in json.dumps(told)


@each_dialect
@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [("407 Who are you", "proxy_refused", False), ("503 Later", "proxy_failed", True)],
)
def test_a_proxy_that_makes_no_tunnel_is_named_without_its_password(
    finclaw: Finclaw, dialect: Dialect, status: str, code: str, *, retryable: bool
) -> None:
    basic = b64encode(b"user:hunter2").decode()
    with answering(f"HTTP/1.1 {status} hunter2 {basic}\r\nContent-Length: 0\r\n\r\n".encode()) as port:
        proxy = f"http://user:hunter2@127.0.0.1:{port}"
        told = error(finclaw, dialect, "https://api.example.test", HTTPS_PROXY=proxy)
    assert (told["code"], told["retryable"]) == (code, retryable)
    assert "HTTPS_PROXY" in told["hint"]
    assert "hunter2" not in json.dumps(told)
    assert basic not in json.dumps(told)


@each_dialect
def test_a_proxy_that_is_not_there_is_a_connection_that_failed(finclaw: Finclaw, dialect: Dialect) -> None:
    assert error(finclaw, dialect, "http://api.example.test", HTTP_PROXY=NOBODY)["code"] == "connect_failed"
