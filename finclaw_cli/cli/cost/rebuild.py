"""Rebuilding the ledger from the transcripts: missing rows are added, and none is removed."""

from __future__ import annotations

from contextlib import closing
from itertools import starmap

from finclaw_cli.app.usage_recovery import rebuild
from finclaw_cli.cli.listing import print_json
from finclaw_cli.output.console import counted, echo
from finclaw_cli.output.notice import notice
from finclaw_cli.settings.paths import check_home, ledger_file
from finclaw_cli.usage.store import Ledger

MOST_SHOWN = 10


def rebuild_ledger(*, as_json: bool) -> None:
    """Write a row for each request and each call of the transcripts, and print their counts.

    Raises:
        LedgerFailed: the ledger cannot be written; rows written before stay.
        UsageError: the folder of sessions cannot be read.
    """
    check_home()
    with closing(Ledger(ledger_file())) as ledger:
        rebuilt = rebuild(ledger)
    if as_json:
        facts = {"sessions": rebuilt.sessions, "requests": len(rebuilt.requests), "tool_calls": rebuilt.calls}
        print_json({**facts, "path": str(ledger.path), "unreadable": rebuilt.unreadable})
    else:
        counts = ((rebuilt.sessions, "session"), (len(rebuilt.requests), "request"), (rebuilt.calls, "tool call"))
        echo(f"{', '.join(starmap(counted, counts))}: {ledger.path}")
    _report_unreadable(rebuilt.unreadable)


def _report_unreadable(unreadable: list[str]) -> None:
    for line in unreadable[:MOST_SHOWN]:
        notice(f"finclaw: {line}")
    if len(unreadable) > MOST_SHOWN:
        notice(
            f"finclaw: and {len(unreadable) - MOST_SHOWN} more; `finclaw sessions repair SESSION` shows what is wrong"
        )
