"""Making the ledger again from the transcripts: what is missing is added, and nothing is removed."""

from __future__ import annotations

from contextlib import closing
from itertools import starmap

from finclaw_cli.app.usage_recovery import rebuild
from finclaw_cli.cli.listing import print_json
from finclaw_cli.output.console import counted, echo
from finclaw_cli.output.notice import notice
from finclaw_cli.settings.paths import check_home, ledger_file
from finclaw_cli.usage.store import Ledger

MOST_TOLD = 10


def rebuild_ledger(*, as_json: bool) -> None:
    """Write a row for each request and each call that a transcript tells of, and say how many they were.

    Raises:
        LedgerFailed: the ledger cannot be written; what was written before stays.
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
    _tell(rebuilt.unreadable)


def _tell(unreadable: list[str]) -> None:
    for line in unreadable[:MOST_TOLD]:
        notice(f"finclaw: {line}")
    if len(unreadable) > MOST_TOLD:
        notice(
            f"finclaw: and {len(unreadable) - MOST_TOLD} more; `finclaw sessions repair SESSION` shows what is wrong"
        )
