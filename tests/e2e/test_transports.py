"""Whoever runs finclaw cannot tell by which transport its words came: over HTTP directly, or through an SDK."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.e2e.certificates import HAS_OPENSSL, Certificates, make_certificates
from tests.e2e.dialects import Anthropic, Chat, Dialect, Responses
from tests.e2e.harness import Finclaw, Ran
from tests.e2e.listeners import answering, tunnelling
from tests.e2e.over import over
from tests.wire.server import threaded
from tests.wire.transports import TRANSPORTS

each_dialect = pytest.mark.parametrize("dialect", [Anthropic(), Chat()], ids=["anthropic", "openai"])
each_transport = pytest.mark.parametrize("transport", TRANSPORTS)
with_tls = pytest.mark.skipif(not HAS_OPENSSL, reason="openssl makes the certificates")
NOBODY = "http://127.0.0.1:9"
OF_ONE_RUN = {"ts", "run_id", "session_id", "duration_ms", "first_chunk_ms", "transcript"}


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("certificates"))


def ask(finclaw: Finclaw, transport: Any, dialect: Dialect, url: str, **env: str) -> Ran:
    base = url if isinstance(dialect, Anthropic) else f"{url}/v1"
    arguments = ("run", "-o", "ndjson", "-m", dialect.model, "--base-url", base, "--retry-attempts", "1", "Hello?")
    return over(transport, finclaw)(*arguments, env=env)


def error(finclaw: Finclaw, dialect: Dialect, url: str, **env: str) -> Mapping[str, Any]:
    """What a run fails with, which is the same by either transport."""
    runs = [ask(finclaw, transport, dialect, url, **env) for transport in TRANSPORTS]
    direct, sdk = [ran.result["error"] for ran in runs]
    assert direct == sdk
    assert [ran.code for ran in runs] == [4, 4]
    told: Mapping[str, Any] = direct
    return told


def lasting(value: Any) -> Any:
    """What two runs of the same conversation share: all but times and ids."""
    if isinstance(value, dict):
        return {key: lasting(part) for key, part in value.items() if key not in OF_ONE_RUN}
    return [lasting(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize("dialect", [Anthropic(), Chat(), Responses()], ids=["anthropic", "chat", "responses"])
def test_a_run_asks_and_tells_the_same(finclaw: Finclaw, dialect: Dialect) -> None:
    replies = (dialect.calls(("call_1", "price", {"symbol": "ACME"})), dialect.text("42.10, 한국어"))
    with threaded(*replies, *replies) as server:
        direct, sdk = [ask(finclaw, transport, dialect, server.url) for transport in TRANSPORTS]
    assert lasting(direct.lines) == lasting(sdk.lines)
    assert (direct.result["text"], direct.result["turns"], direct.code) == ("42.10, 한국어", 2, 0)
    assert [seen.raw for seen in server.requests[:2]] == [seen.raw for seen in server.requests[2:]]
    wanted = ("authorization", "accept", "accept-encoding", "content-type", "anthropic-version")
    assert len({json.dumps([seen.headers.get(name) for name in wanted]) for seen in server.requests}) == 1


@each_dialect
@each_transport
def test_a_reader_that_has_seen_enough_ends_the_run(finclaw: Finclaw, transport: Any, dialect: Dialect) -> None:
    with threaded(dialect.text("word " * 50_000)) as server:
        base = server.url if isinstance(dialect, Anthropic) else f"{server.url}/v1"
        command = f"$FINCLAW run --stream -m {dialect.model} --base-url {base} x | head -c 4; echo ${{PIPESTATUS[0]}}"
        ran = over(transport, finclaw).shell(command)
    assert (ran.stdout, ran.stderr) == (b"word141\n", b"finclaw: the reader of stdout went away\n")


@each_dialect
@each_transport
def test_all_turns_of_a_run_share_a_connection(finclaw: Finclaw, transport: Any, dialect: Dialect) -> None:
    turns = (dialect.calls(("call_1", "price", {"symbol": "ACME"})), dialect.text("42.10"))
    with threaded(*(replace(turn, keep_alive=True) for turn in turns)) as server:
        assert ask(finclaw, transport, dialect, server.url).code == 0
    assert (len(server.requests), server.connections) == (2, 1)


# --- proxies ---


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
@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "gopher://127.0.0.1:9"])
def test_a_proxy_that_cannot_be_used_is_named(finclaw: Finclaw, dialect: Dialect, proxy: str) -> None:
    told = error(finclaw, dialect, "http://api.example.test", ALL_PROXY=proxy)
    assert told["code"] == "bad_proxies"
    assert "ALL_PROXY" in told["hint"]


@each_dialect
def test_a_proxy_that_is_not_there_is_a_connection_that_failed(finclaw: Finclaw, dialect: Dialect) -> None:
    assert error(finclaw, dialect, "http://api.example.test", HTTP_PROXY=NOBODY)["code"] == "connect_failed"


# --- certificates ---


@with_tls
@each_dialect
@each_transport
def test_an_authority_of_the_users_own_is_trusted(
    finclaw: Finclaw, transport: Any, dialect: Dialect, certificates: Certificates
) -> None:
    with threaded(dialect.text("hi"), tls=certificates.server) as server:
        ran = ask(finclaw, transport, dialect, server.url, SSL_CERT_FILE=str(certificates.authority))
    assert ran.code == 0


@with_tls
@each_dialect
def test_a_certificate_that_no_authority_knows_is_refused(
    finclaw: Finclaw, dialect: Dialect, certificates: Certificates
) -> None:
    with threaded(dialect.text("stolen"), tls=certificates.server) as server:
        told = error(finclaw, dialect, server.url)
        assert server.requests == []
    assert told["code"] == "connect_failed"
    assert "certificate verify failed" in told["message"]


@each_dialect
@pytest.mark.parametrize("content", [None, "no certificate\n"], ids=["missing", "garbage"])
def test_a_file_of_authorities_that_cannot_be_read_is_named(
    finclaw: Finclaw, dialect: Dialect, content: str | None
) -> None:
    path = finclaw.cwd / "authorities.pem"
    if content is not None:
        path.write_text(content)
    told = error(finclaw, dialect, "https://127.0.0.1:9", SSL_CERT_FILE=str(path))
    assert told["code"] == "bad_authorities"
    assert "SSL_CERT_FILE" in told["hint"]


@with_tls
@each_dialect
def test_an_encrypted_connection_that_is_reset_is_told_in_the_systems_words(
    finclaw: Finclaw, dialect: Dialect, certificates: Certificates
) -> None:
    cut = replace(dialect.text("hi"), cut_at=40, ending="reset")
    with threaded(cut, tls=certificates.server) as server:
        told = error(finclaw, dialect, server.url, SSL_CERT_FILE=str(certificates.authority))
    assert told["code"] == "disconnected"
    assert "Connection reset by peer" in told["message"]


@with_tls
@each_dialect
def test_plain_words_to_an_encrypted_port_are_a_broken_connection(
    finclaw: Finclaw, dialect: Dialect, certificates: Certificates
) -> None:
    with threaded(dialect.text("hi"), tls=certificates.server) as server:
        told = error(finclaw, dialect, server.url.replace("https", "http"))
    assert (told["code"], told["retryable"]) == ("disconnected", True)


@each_dialect
def test_encrypted_words_to_a_plain_port_are_a_connection_that_failed(finclaw: Finclaw, dialect: Dialect) -> None:
    with answering(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n") as port:
        told = error(finclaw, dialect, f"https://127.0.0.1:{port}")
    assert told["code"] == "connect_failed"


# --- addresses ---


@each_dialect
@each_transport
@pytest.mark.skipif(not socket.has_ipv6, reason="there is no IPv6")
def test_an_address_may_be_ipv6(finclaw: Finclaw, transport: Any, dialect: Dialect) -> None:
    with threaded(dialect.text("hi"), host="::1") as server:
        assert ask(finclaw, transport, dialect, server.url).code == 0


@each_dialect
@pytest.mark.parametrize("url", [NOBODY, "http://[::1]:9", "http://nowhere.invalid", "https://nowhere.invalid"])
def test_a_server_that_cannot_be_reached_is_a_connection_that_failed(
    finclaw: Finclaw, dialect: Dialect, url: str
) -> None:
    told = error(finclaw, dialect, url)
    assert told["code"] == "connect_failed"
    assert "--base-url" in told["hint"]
