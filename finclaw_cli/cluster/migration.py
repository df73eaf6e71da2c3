"""Makes the tables of a cluster, as their owner, and lets the role of workers use them."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.connection import Made, connected, reported
from finclaw_cli.cluster.schema import MIGRATIONS, SCHEMA, VERSION
from finclaw_cli.core.errors import UsageError

_LOCK = 0x66636C6D


def migrate(address: DatabaseAddress, roles: Sequence[str] = ()) -> int:
    """Bring the tables to the version of this finclaw, all or nothing; the version that they had.

    Args:
        address: of the database, as the owner of the tables.
        roles: may use the tables from then on, and not change what they are.

    Raises:
        QueueFailed: the database cannot be used.
        UsageError: its tables are of a newer version.
    """
    with reported(address), connected(address) as made:
        made.execute(f"BEGIN; SELECT pg_advisory_xact_lock({_LOCK})")
        made.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        made.execute("CREATE TABLE IF NOT EXISTS version (number bigint NOT NULL)")
        before = _version(made) or 0
        _require_known(before)
        for script in MIGRATIONS[before:]:
            made.execute(script.encode())
        made.execute("DELETE FROM version")
        made.execute("INSERT INTO version VALUES (%s)", (VERSION,))
        for role in roles:
            _grant(made, role)
        made.execute("COMMIT")
    return before


def require_version(address: DatabaseAddress) -> None:
    """Make sure that the tables are of the version that this finclaw uses.

    Raises:
        QueueFailed: the database cannot be used, or has no tables.
        UsageError: they are of another version.
    """
    with reported(address), connected(address) as made:
        found = _version(made) or 0
    _require_known(found)
    if found < VERSION:
        raise UsageError(
            f"the tables of the database are of version {found}; this finclaw uses version {VERSION}",
            hint="As their owner: finclaw worker --migrate",
            code="database_version",
        )


def _version(made: Made) -> int | None:
    row = made.execute("SELECT number FROM version").fetchone()
    return None if row is None else int(row[0])


def _require_known(found: int) -> None:
    if found > VERSION:
        raise UsageError(
            f"the tables of the database are of version {found}; this finclaw uses version {VERSION}",
            hint="Update finclaw on this machine.",
            code="database_version",
        )


def _grant(made: Made, role: str) -> None:
    from psycopg.sql import SQL, Identifier

    schema, to = Identifier(SCHEMA), Identifier(role)
    for rights in (
        "USAGE ON SCHEMA {schema}",
        "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema}",
        "EXECUTE ON ALL FUNCTIONS IN SCHEMA {schema}",
    ):
        made.execute(SQL("GRANT " + rights + " TO {to}").format(schema=schema, to=to))
    version = Identifier(SCHEMA, "version")
    made.execute(SQL("REVOKE INSERT, UPDATE, DELETE ON {version} FROM {to}").format(version=version, to=to))
