"""Connections to PostgreSQL, and the statements of a queue in its words.

The server ends the connection of a process that was stopped in the middle of a transaction: the locks of that one hold
up no other worker for longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

import psycopg

from finclaw_cli.batch.queue import QueueFailed
from finclaw_cli.batch.sql import Rows
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.schema import SCHEMA
from finclaw_cli.core.environment import environment
from finclaw_cli.core.json_text import well_formed

Made = psycopg.Connection[tuple[Any, ...]]
CONNECT_S: Final = 10
_STOPPED_S: Final = 10
"""How long a transaction may do nothing."""
_SESSION: Final = (
    f"SET search_path TO {SCHEMA}, pg_catalog; SET idle_in_transaction_session_timeout = '{_STOPPED_S}s'; "
    "SET client_min_messages = error"
)
_TOGETHER: Final = 500
_VALUE = re.compile(r"\?|(?<!:):([a-z_]+)")


def connected(address: DatabaseAddress) -> Made:
    """Connect; each statement is a transaction of its own, unless one is begun.

    Raises:
        psycopg.OperationalError: that is not possible.
    """
    made = psycopg.connect(
        address.conninfo,
        autocommit=True,
        cursor_factory=psycopg.ClientCursor,  # types of values are those of literals, and poolers need no sessions
        connect_timeout=CONNECT_S,
        keepalives_idle=10,
        keepalives_interval=5,
        keepalives_count=3,
        application_name="finclaw",
    )
    made.execute(_SESSION)
    return made


def is_passing(error: psycopg.Error) -> bool:
    """Whether a database that answers so may answer otherwise later: it restarts, fails over, or is full."""
    return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError | psycopg.InternalError)


def failed(error: psycopg.Error, address: DatabaseAddress) -> QueueFailed:
    """The error of a database that cannot be used, without what must not be shown."""
    reason = environment().secrets.mask(" ".join(str(error).split()))
    hint = None
    if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.InvalidSchemaName):
        hint = "Make its tables, as their owner: finclaw worker --migrate --grant ROLE"
    elif isinstance(error, psycopg.errors.InsufficientPrivilege):
        hint = "Let the role use the tables, as their owner: finclaw worker --migrate --grant ROLE"
    return QueueFailed(f"cannot use the database {address.name}: {reason}", hint=hint)


@contextmanager
def reported(address: DatabaseAddress) -> Iterator[None]:
    """Raise `QueueFailed` in place of an error of the database."""
    try:
        yield
    except psycopg.Error as error:
        raise failed(error, address) from None


class Statements:
    """A connection as `batch.sql.Connection` has it."""

    def __init__(self, made: Made) -> None:
        self._made = made

    def execute(self, sql: str, parameters: Any = (), /) -> Rows:
        """Execute one statement."""
        return self._made.execute(_translated(sql), _encodable(parameters))

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> None:
        """Execute one statement with each of the values, many at a time."""
        cursor = psycopg.ClientCursor(self._made)
        translated, texts = _translated(sql), list[str]()
        for each in parameters:
            texts.append(cursor.mogrify(translated, _encodable(each)))
            if len(texts) == _TOGETHER:
                self._made.execute(";".join(texts).encode())
                texts.clear()
        if texts:
            self._made.execute(";".join(texts).encode())


@lru_cache(maxsize=256)
def _translated(sql: str) -> bytes:
    """A statement with psycopg's places of values."""
    doubled = sql.replace("%", "%%")
    return _VALUE.sub(lambda found: f"%({found[1]})s" if found[1] else "%s", doubled).encode()


def _encodable(parameters: Any) -> Any:
    """Values without what no text of PostgreSQL can have: a zero byte, a surrogate that stands alone."""
    if isinstance(parameters, dict):
        return {name: _encodable_value(value) for name, value in parameters.items()}
    return [_encodable_value(value) for value in parameters]


def _encodable_value(value: object) -> object:
    return well_formed(value).replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value
