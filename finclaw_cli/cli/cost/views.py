"""The output of `finclaw cost`."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime

from finclaw_cli.app.usage_recovery import is_missing
from finclaw_cli.cli.cost.chart import ASCII, BLOCKS, chart
from finclaw_cli.cli.cost.columns import call_columns, request_columns
from finclaw_cli.cli.cost.notes import notes
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import dump_line
from finclaw_cli.listings.cost.formats import csv_text, document, objects
from finclaw_cli.listings.cost.options import Asked, Options, chosen_format, dimensions
from finclaw_cli.listings.cost.report import Calls, Requests, find
from finclaw_cli.listings.period import LocalZone, period
from finclaw_cli.output.cells import ELLIPSIS
from finclaw_cli.output.console import can_show, echo
from finclaw_cli.output.fitted import left_out_note, line_room
from finclaw_cli.output.notice import notice
from finclaw_cli.output.table import draw
from finclaw_cli.settings.paths import ledger_file

_PLAIN_MARK = "~"


def print_cost(options: Options) -> None:
    """Print the report of requests, or of tool calls.

    Raises:
        UsageError: an option is invalid, or two contradict each other.
        LedgerFailed: the ledger cannot be read.
    """
    form, zone = chosen_format(options), LocalZone()
    between = period(options.since, options.until, datetime.now(UTC), zone)
    asked = Asked(
        by=dimensions(options.by),
        since=between.since,
        until=between.until,
        session=options.session,
        run=options.run,
    )
    found = find(asked, zone, with_chart=form == "table" and _wants_chart(options, asked))
    match form:
        case "json":
            from finclaw_cli.cli.listing import print_json

            print_json(document(found))
        case "ndjson":
            if lines := [dump_line(row) for row in objects(found)]:
                echo("\n".join(lines))
        case "csv":
            echo(csv_text(found))
        case _:
            echo("\n".join(_lines(found)))
    if is_missing(ledger_file()):
        notice("finclaw: there is no ledger, though there are sessions: `finclaw cost rebuild` makes it from them")


def _wants_chart(options: Options, asked: Asked) -> bool:
    if asked.is_of_tools:
        if options.chart:
            raise UsageError("tool calls have no price: there is no chart of them", hint="Leave out --chart.")
        return False
    return sys.stdout.isatty() if options.chart is None else options.chart


def _lines(found: Requests | Calls) -> Iterator[str]:
    """All lines; fitted to a terminal, elsewhere complete."""
    if not found.report.rows:
        yield _nothing(found)
        return
    columns = list(request_columns(found.report) if isinstance(found, Requests) else call_columns(found.report))
    room = line_room() if sys.stdout.isatty() else None
    drawn = draw(columns, room, ELLIPSIS if can_show(ELLIPSIS) else _PLAIN_MARK)
    yield from drawn.lines
    if isinstance(found, Requests) and (remarks := list(notes(found.report.total, found.unpriced))):
        yield from ("", *(_wrapped(note, room) for note in remarks))
    yield from left_out_note(drawn.left_out, room or 0)
    if isinstance(found, Requests) and found.spending is not None:
        glyphs = BLOCKS if can_show(BLOCKS) else ASCII
        bars = chart(found.spending, line_room(), glyphs)
        if bars:
            yield from ("", *bars)


def _nothing(found: Requests | Calls) -> str:
    what = "Nothing has been spent yet" if isinstance(found, Requests) else "No tool has been called yet"
    limits = ", ".join(_limits(found.asked))
    return f"{what} ({limits})." if limits else f"{what}."


def _limits(asked: Asked) -> Iterator[str]:
    if asked.since is not None:
        yield f"since {asked.since:%Y-%m-%d %H:%M}"
    if asked.until is not None:
        yield f"before {asked.until:%Y-%m-%d %H:%M}"
    if asked.session is not None:
        yield clean_line(f"in session {asked.session}")
    if asked.run is not None:
        yield clean_line(f"in run {asked.run}")


def _wrapped(text: str, room: int | None) -> str:
    return text if room is None else textwrap.fill(text, room, break_long_words=False, break_on_hyphens=False)
