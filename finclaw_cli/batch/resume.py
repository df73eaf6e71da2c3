"""Whether the question of an item was asked before, and the answer in its transcript."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Final, Literal

from finclaw_cli.batch.queue import Claim
from finclaw_cli.core.events.agent import AgentResult
from finclaw_cli.core.events.budget import BudgetReserved
from finclaw_cli.core.money import total
from finclaw_cli.core.record import record
from finclaw_cli.transcript.history import History
from finclaw_cli.transcript.reader import read_file
from finclaw_cli.transcript.recording import RunRecording, runs_of
from finclaw_cli.transcript.session import Session

WENT_ON: Final = "its session went on with other questions before this one was answered"


@record(kw_only=True)
class Earlier:
    """What became of the question of an item.

    `new`: it was not asked; `open`: it has no answer yet; `answered`: it has one; `left`: the session went on without
    an answer to it.
    """

    state: Literal["new", "open", "answered", "left"]
    result: AgentResult | None = None
    asked_in: str | None = None
    """The run that asked the question."""
    interrupted_usd: Decimal | None = Decimal(0)
    """What the run has cost that was cut off with its process; None where that is unknown."""


NEW: Final = Earlier(state="new")


def earlier(session: Session, claim: Claim, *, is_own: bool) -> Earlier:
    """Read what the transcript of a session has of an item's question.

    Args:
        session: the session, which is open.
        claim: the item.
        is_own: whether the session is the item's alone; else it may have other questions before and after.
    """
    if session.history is None or not (is_own or claim.run_id):
        return NEW
    runs = _runs_of_item(session.path, None if is_own else claim.run_id)
    if not runs or not runs[0].opening:
        return NEW
    own = _until_next_question(runs)
    asked_in, last, cost = own[0].run_id, own[-1].result, _interrupted_usd(own[-1])
    is_last = len(own) == len(runs)
    if last is not None and (last.status == "completed" or (is_last and _is_answered(session.history, last))):
        return Earlier(state="answered", result=last, asked_in=asked_in)
    return Earlier(state="open" if is_last else "left", asked_in=asked_in, interrupted_usd=cost)


def _interrupted_usd(run: RunRecording) -> Decimal | None:
    """The cost of a run without an end, where each of its requests has one: nothing where the run has an end."""
    if run.result is not None:
        return Decimal(0)
    costs = [
        run.spent[each.number].cost_usd if each.number in run.spent else _cut_off(each)
        for each in run.of(BudgetReserved)
    ]
    known = [cost for cost in costs if cost is not None]
    return total(known) if len(known) == len(costs) else None


def _cut_off(request: BudgetReserved) -> Decimal | None:
    """The cost of a request without an end: of one in a round, the run pays that takes its answer."""
    return Decimal(0) if request.tier == "batch" else None


def _is_answered(history: History, result: AgentResult) -> bool:
    """Whether a run that did not complete has an answer all the same: one that is not as it has to be."""
    return result.status != "aborted" and not history.is_unfinished


def _runs_of_item(path: Path, first: str | None) -> Sequence[RunRecording]:
    """The runs of a session from one on: all of them for None."""
    runs = [run for run in runs_of(read_file(path)) if isinstance(run, RunRecording)]
    begins = (at for at, run in enumerate(runs) if first in {None, run.run_id})
    return runs[next(begins, len(runs)) :]


def _until_next_question(runs: Sequence[RunRecording]) -> Sequence[RunRecording]:
    """The run that asked, and those that took its question up."""
    following = (at for at, run in enumerate(runs[1:], 1) if run.opening)
    return runs[: next(following, len(runs))]
