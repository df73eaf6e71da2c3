"""The address of the database: never shown, and never over a network without TLS."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from finclaw_cli.cluster.address import database_address
from finclaw_cli.core.errors import UsageError

SECRET = "hunter2-very-secret"
LOCAL = ["postgresql:///d", "postgresql://u@127.0.0.1/d", "postgresql://u@[::1]/d", "host=/run/x dbname=d",
         "host=localhost dbname=d"]  # fmt: skip
FAR = ["postgresql://u@db.example/d", "postgresql://u@10.0.0.5/d", "host=localhost hostaddr=10.0.0.5 dbname=d",
       "postgresql://u@127.0.0.1,db.example/d", "postgresql://u@db.example/d?sslmode=require"]  # fmt: skip


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FINCLAW_DATABASE_URL", "PGHOST", "PGHOSTADDR", "PGSSLMODE", "PGSERVICE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("url", LOCAL)
def test_this_machine_needs_no_tls(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("FINCLAW_DATABASE_URL", url)
    assert database_address(None, is_insecure=False).conninfo == url


@pytest.mark.parametrize("url", FAR)
def test_another_machine_needs_a_checked_certificate(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("FINCLAW_DATABASE_URL", url)
    with pytest.raises(UsageError, match="without a checked certificate"):
        database_address(None, is_insecure=False)
    assert database_address(None, is_insecure=True).conninfo == url


def test_a_checked_certificate_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINCLAW_DATABASE_URL", "postgresql://u@db.example/d?sslmode=verify-full")
    assert database_address(None, is_insecure=False).name == "d at db.example"


def test_a_host_of_the_environment_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINCLAW_DATABASE_URL", "dbname=d")
    monkeypatch.setenv("PGHOST", "db.example")
    with pytest.raises(UsageError, match="without a checked certificate"):
        database_address(None, is_insecure=False)


def test_a_service_is_refused_as_its_host_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FINCLAW_DATABASE_URL", "service=s")
    with pytest.raises(UsageError, match="names a service"):
        database_address(None, is_insecure=False)


@pytest.mark.parametrize("url", [f"postgresql://u:{SECRET}@db.example/d", f"postgresql://u:{SECRET}@[/d", SECRET])
def test_no_error_shows_the_password(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("FINCLAW_DATABASE_URL", url)
    with pytest.raises(UsageError) as raised:
        database_address(None, is_insecure=False)
    assert SECRET not in f"{raised.value.message} {raised.value.hint}"


def test_the_file_of_the_address_is_private(tmp_path: Path) -> None:
    file = tmp_path / "url"
    file.write_text("postgresql:///d\n")
    file.chmod(0o644)
    with pytest.raises(UsageError, match="can be read by others"):
        database_address(file, is_insecure=False)
    file.chmod(0o600)
    assert database_address(file, is_insecure=False).conninfo == "postgresql:///d"


def test_without_an_address_the_error_names_the_variable() -> None:
    with pytest.raises(UsageError) as raised:
        database_address(None, is_insecure=False)
    assert "FINCLAW_DATABASE_URL" in str(raised.value.hint)


def test_without_the_driver_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError) as raised:
        database_address(None, is_insecure=False)
    assert "finclaw-cli[cluster]" in str(raised.value.hint)


def test_the_driver_is_imported_for_a_cluster_only() -> None:
    modules = "finclaw_cli.cli.batch.views", "finclaw_cli.cli.batch.launch", "finclaw_cli.cli.worker.launch"
    check = f"import sys, {', '.join(modules)}; sys.exit('psycopg' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
