"""Reading the report of `finclaw cost` from the ledger."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from datetime import tzinfo

from finclaw_cli.app.usage_recovery import book_dead
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.listings.cost.options import Asked, several_names, unknown_name
from finclaw_cli.output.notice import warn
from finclaw_cli.settings.paths import check_home, ledger_file, sessions_folder
from finclaw_cli.transcript.store import SUFFIX, SessionStore
from finclaw_cli.usage.connection import reading
from finclaw_cli.usage.failures import LedgerFailed
from finclaw_cli.usage.groups import Selection
from finclaw_cli.usage.names import Named, last_named, named
from finclaw_cli.usage.periods import UNITS, Unit
from finclaw_cli.usage.report import Report, Unpriced, request_report, tool_report, unpriced
from finclaw_cli.usage.store import Ledger
from finclaw_cli.usage.sums import RequestSums, ToolSums

_SHOWN_NAMES = 5
_NAMES_TO_GUESS_FROM = 500
# The user waits for it; a writer holds the lock for milliseconds.
PATIENCE_S = 5.0


@record
class Spending:
    """The cost of requests in each day, week or month, in the order of time."""

    unit: Unit
    report: Report[RequestSums]


@record
class Requests:
    """A report of requests."""

    asked: Asked
    report: Report[RequestSums]
    unpriced: tuple[Unpriced, ...]
    """The models whose tokens have no price, the most tokens first."""
    spending: Spending | None
    """For a chart, where one is wanted."""


@record
class Calls:
    """A report of tool calls."""

    asked: Asked
    report: Report[ToolSums]


def find(asked: Asked, zone: tzinfo, *, with_chart: bool) -> Requests | Calls:
    """Read the report; prefixes of names in the query are completed.

    Raises:
        UsageError: no session or run has that name, or several have that prefix.
        LedgerFailed: the ledger cannot be read.
    """
    check_home()
    _book_dead()
    with reading(ledger_file(), PATIENCE_S) as ledger:
        asked = replace(asked, session=_name(ledger, "session", asked.session), run=_name(ledger, "run", asked.run))
        selection = Selection(since=asked.since, until=asked.until, session_id=asked.session, run_id=asked.run)
        if asked.is_of_tools:
            return Calls(asked, tool_report(ledger, asked.tool_dimensions, selection, zone))
        unit = chart_unit(asked.by)
        # The ledger is read once: the rows are grouped by the chart's unit too, and folded for the table.
        wanted = (*asked.request_dimensions, unit) if with_chart else asked.request_dimensions
        report = request_report(ledger, wanted, selection, zone)
        return Requests(
            asked,
            report.folded(asked.by),
            unpriced(ledger, selection) if report.total.unpriced else (),
            Spending(unit, report.folded((unit,))) if with_chart else None,
        )


def chart_unit(by: tuple[str, ...]) -> Unit:
    """The unit of the bars: that of the table, else days."""
    return next((unit for unit in UNITS if unit in by), UNITS[0])


def _book_dead() -> None:
    """Add the spending of killed runs; warn where that fails."""
    if not ledger_file().exists():
        return
    try:
        with closing(Ledger(ledger_file(), timeout_s=PATIENCE_S)) as ledger:
            book_dead(ledger)
    except LedgerFailed as failure:
        warn(f"what killed runs have spent is missing: {failure.message}")


def _name(ledger: sqlite3.Connection, kind: Named, beginning: str | None) -> str | None:
    if beginning is None:
        return None
    found = named(ledger, kind, beginning, _SHOWN_NAMES + 1) if beginning else []
    if len(found) > 1:
        raise several_names(kind, beginning, found, _SHOWN_NAMES)
    if found:
        return found[0]
    if kind == "session":
        with suppress(UsageError):  # a session without any cost is not an error
            return SessionStore(sessions_folder()).find(beginning).name.removesuffix(SUFFIX)
    raise unknown_name(kind, beginning, last_named(ledger, kind, _NAMES_TO_GUESS_FROM))
