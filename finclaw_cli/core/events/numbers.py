"""The result of `--verify-numbers` for an answer: where each of its figures comes from."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from finclaw_cli.core.record import record

NumberStatus = Literal["found", "derived", "given", "ungrounded"]


@record(kw_only=True)
class AgentNumberCheck:
    """One figure of the answer, and the number of a tool's result that it shows.

    `found` is a number of that result, `derived` what an expression of numbers of results gives, `given` a figure of
    the user's own, and `ungrounded` one that has no source.
    """

    text: str
    start: int
    """Where it begins in the answer, in characters."""
    value: Decimal
    """In base units: 1.2 billion is 1200000000, and 36 % is 0.36."""
    kind: str
    """`plain`, `money`, `shares`, `percent`, `times` or `duration`."""
    status: NumberStatus
    call_id: str | None = None
    tool: str | None = None
    paths: tuple[str, ...] = ()
    """Where in the result the number is, or those that it is made of; where they are of several calls, each begins with
    its call."""
    how: str | None = None
    """`expression`, where it is derived; in recordings of earlier versions the step of arithmetic, as `ratio`."""
    expression: str | None = None
    """The expression that the model gave, in which `r1` is the first result of the conversation and `q1` the first
    figure of the user; finclaw has computed it."""
    type: Literal["agent.number_check"] = "agent.number_check"


@record(kw_only=True)
class NumberCounts:
    """How many figures of the answer have which source."""

    found: int = 0
    derived: int = 0
    given: int = 0
    ungrounded: int = 0
