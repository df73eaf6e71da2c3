"""A database that is reached with TLS: its certificate is checked, and has to have the name of the host."""

from __future__ import annotations

from pathlib import Path

import pytest

from finclaw_cli.core import exits
from tests.cluster.postgres import PostgresServer
from tests.cluster.workers import PLAIN, Machine
from tests.e2e.certificates import HAS_OPENSSL, Certificates, make_certificates
from tests.e2e.conftest import certificates

__all__ = ["certificates"]
pytestmark = pytest.mark.skipif(not HAS_OPENSSL, reason="openssl makes the certificates")
CHECKED = "sslmode=verify-full&sslrootcert="


@pytest.fixture
def url(postgres: PostgresServer, database: str, certificates: Certificates) -> str:
    folder = certificates.authority.parent
    postgres.offer_tls(folder / "cert.pem", folder / "key.pem")
    return postgres.url(database)


@pytest.fixture
def other_authority(tmp_path: Path) -> Path:
    (tmp_path / "other").mkdir()
    return make_certificates(tmp_path / "other").authority


async def listed(folder: Path, url: str) -> tuple[int, str]:
    code, out, err = await Machine(folder / "m", "unused", url, PLAIN).run("worker", "--list", "--json")
    return code, out + err


async def test_a_certificate_of_the_named_authority_is_taken(
    url: str, certificates: Certificates, tmp_path: Path
) -> None:
    assert await listed(tmp_path, f"{url}?{CHECKED}{certificates.authority}") == (exits.OK, "[]\n")


async def test_a_certificate_of_another_authority_is_refused(url: str, other_authority: Path, tmp_path: Path) -> None:
    code, text = await listed(tmp_path, f"{url}?{CHECKED}{other_authority}")
    assert (code, text.count("\n")) == (exits.UNEXPECTED, 1), text
    assert "certificate verify failed" in text


async def test_a_certificate_of_another_name_is_refused(url: str, certificates: Certificates, tmp_path: Path) -> None:
    other = url.replace("@127.0.0.1", "@db.example") + "&hostaddr=127.0.0.1"
    code, text = await listed(tmp_path, f"{other.replace('&', '?', 1)}&{CHECKED}{certificates.authority}")
    assert code == exits.UNEXPECTED
    assert 'does not match host name "db.example"' in text
