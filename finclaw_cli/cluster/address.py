"""The address of the database: where it is read from, and which connections without TLS are allowed.

An address has a password in it, so it is no option of the command line, and no message shows it.
"""

from __future__ import annotations

import stat
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.settings.secrets import know_secrets

VARIABLE: Final = "FINCLAW_DATABASE_URL"
_HINT: Final = f"Set {VARIABLE}, or give --database-url-file FILE: postgresql://USER:PASSWORD@HOST/DATABASE."
_MOST_BYTES: Final = 10_000
VERIFIED: Final = "verify-full"


@record(kw_only=True)
class DatabaseAddress:
    """Where the database is, and as whom to connect."""

    conninfo: str
    """For libpq, with the password."""
    name: str
    """What may be shown: the host and the database."""


def database_address(file: Path | None, *, is_insecure: bool) -> DatabaseAddress:
    """Read the address from a file, else from `FINCLAW_DATABASE_URL`.

    Args:
        file: has the address in its first line.
        is_insecure: whether a host of a network may be used without a checked certificate.

    Raises:
        UsageError: there is none, it cannot be read, the extra is missing, or it needs TLS.
    """
    require_extra()
    given = environment().variables.get(VARIABLE, "") if file is None else _read(file)
    if not given.strip():
        raise UsageError("there is no address of a database", hint=_HINT, code="no_database")
    know_secrets({}, {VARIABLE: {"url": given.strip()}})
    return _checked(given.strip(), is_insecure=is_insecure)


def require_extra() -> None:
    """Make sure that the driver is installed.

    Raises:
        UsageError: it is not.
    """
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise UsageError(
            "a cluster needs the extra `cluster`: psycopg is not installed",
            hint="pip install 'finclaw-cli[cluster]'",
            code="missing_extra",
        ) from None


def _read(file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as opened:
            if stat.S_IMODE(file.stat().st_mode) & 0o077:
                raise UsageError(f"{file} can be read by others", hint=f"chmod 600 {file}", code="bad_file")
            return opened.readline(_MOST_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {getattr(error, 'strerror', None) or 'not a text'}", code="bad_file") from None


def _checked(given: str, *, is_insecure: bool) -> DatabaseAddress:
    from psycopg.pq import Conninfo

    try:
        parsed = Conninfo.parse(given.encode())
    except Exception:  # noqa: BLE001 - libpq's reason may quote the address
        raise UsageError("the address of the database cannot be read", hint=_HINT, code="bad_database") from None
    known = {each.keyword.decode(): each.val.decode() for each in Conninfo.get_defaults() if each.val is not None}
    known |= {each.keyword.decode(): each.val.decode() for each in parsed if each.val is not None}
    if known.get("password"):
        environment().secrets.add(known["password"])
    if known.get("service"):
        raise UsageError("the address of the database names a service", hint="Name its host.", code="bad_database")
    hosts = [host for host in (known.get("hostaddr") or known.get("host") or "").split(",") if not _is_local(host)]
    if hosts and known.get("sslmode") != VERIFIED and not is_insecure:
        raise UsageError(
            f"the database at {hosts[0]} is reached over a network without a checked certificate",
            hint=f"Add sslmode={VERIFIED} to the address (and sslrootcert=FILE); --insecure-database goes without.",
            code="insecure_database",
        )
    host = known.get("host") or known.get("hostaddr") or "this machine"
    return DatabaseAddress(conninfo=given, name=f"{known.get('dbname') or known.get('user', '')} at {host}")


def _is_local(host: str) -> bool:
    """Whether a host is this machine, or a socket of it."""
    if not host or host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
