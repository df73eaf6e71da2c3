"""Whom a connection trusts, and what breaks it: the same by either transport."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.certificates import KEY, Certificates
from tests.e2e.dialects import Anthropic, Dialect
from tests.e2e.either_way import ask, each_dialect, each_transport, error, with_tls
from tests.e2e.harness import Finclaw
from tests.e2e.listeners import answering
from tests.wire.server import threaded

pytestmark = pytest.mark.by_agent


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
    assert (told["code"], told["retryable"]) == ("untrusted_certificate", False)
    assert "certificate verify failed" in told["message"]
    assert "SSL_CERT_FILE" in told["hint"]


@with_tls
@each_transport
def test_authorities_of_a_file_and_of_a_folder_are_both_trusted(
    finclaw: Finclaw, transport: Any, certificates: Certificates, tmp_path: Path
) -> None:
    folder = tmp_path / "authorities"
    folder.mkdir()
    shutil.copy(certificates.authority, folder)
    subprocess.run(["openssl", "rehash", str(folder)], check=True)
    another = tmp_path / "another.pem"
    made = ("req", "-x509", *KEY, "-subj", "/CN=another", "-keyout", str(tmp_path / "key"), "-out", str(another))
    subprocess.run(["openssl", *made], check=True, capture_output=True)
    env = {"SSL_CERT_FILE": str(another), "SSL_CERT_DIR": str(folder)}
    with threaded(Anthropic().text("hi"), tls=certificates.server) as server:
        assert ask(finclaw, transport, Anthropic(), server.url, **env).code == 0


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
