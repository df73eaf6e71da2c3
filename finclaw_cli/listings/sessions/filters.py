"""Which sessions `finclaw sessions list` and `search` show, by the index of all sessions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal

from finclaw_cli.core.errors import OutputFailed, UsageError
from finclaw_cli.core.record import record
from finclaw_cli.search.find import Filters, sessions_with
from finclaw_cli.search.index import remove
from finclaw_cli.search.update import up_to_date
from finclaw_cli.settings.paths import search_file, sessions_folder

MOST_USD = 10**9


@record(kw_only=True)
class Wanted:
    """The options of the command line, unchecked."""

    since: str | None = None
    model: str | None = None
    tool: str | None = None
    symbol: str | None = None
    failed: bool = False
    cost_over: float | None = None
    tag: str | None = None

    def filters(self) -> Filters:
        """The same, checked.

        Raises:
            UsageError: an option has no usable value.
        """
        if self.cost_over is not None and not 0 <= self.cost_over < MOST_USD:
            raise UsageError(f"--cost-over is an amount of USD from 0 on, not {self.cost_over:g}")
        since = _moment(self.since) if self.since else None
        cost_over = None if self.cost_over is None else Decimal(str(self.cost_over))
        return Filters(
            since=since, model=self.model, tool=self.tool, symbol=self.symbol, failed=self.failed, cost_over=cost_over,
            names=None if self.tag is None else _tagged(self.tag),
        )  # fmt: skip


def _moment(since: str) -> datetime:
    from finclaw_cli.listings.period import begin  # few searches have it, or a tag

    return begin("--since", since)


def _tagged(tag: str) -> frozenset[str]:
    """The names of the sessions with a tag."""
    from finclaw_cli.transcript.labels import checked_tag, read_labels

    wanted = checked_tag(tag)
    return frozenset(name for name, labels in read_labels(sessions_folder()).items() if wanted in labels.tags)


def names_with(wanted: Wanted) -> set[str] | None:
    """The names of the sessions that the filters let through; None where there is no filter.

    Raises:
        UsageError: an option has no usable value.
        OutputFailed: the index cannot be used.
    """
    if wanted == Wanted():
        return None
    filters = wanted.filters()
    with index() as connection:
        return set(sessions_with(connection, filters))


@contextmanager
def index() -> Iterator[sqlite3.Connection]:
    """The index, up to date; one that turns out to be damaged is made anew."""
    path = search_file()
    try:
        with up_to_date(path, sessions_folder()) as connection:
            yield connection
    except sqlite3.OperationalError as error:
        hint = "Another search may be at work. Without any: remove the file; it is only an index, and made again."
        raise OutputFailed(f"{path} cannot be used: {error}", hint=hint) from error
    except sqlite3.DatabaseError as error:
        remove(path)
        raise OutputFailed(
            f"{path} was damaged, and is removed: {error}", hint="Search again: it is made anew."
        ) from error
