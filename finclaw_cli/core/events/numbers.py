"""The result of `--verify-numbers` for an answer: where each of its figures comes from."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from finclaw_cli.core.record import record

NumberStatus = Literal["found", "derived", "given", "ungrounded"]


@record(kw_only=True)
class AgentNumberCheck:
    """One figure of the answer, and the number of a tool's result that it shows.

    `found` is a number of that result, `derived` one difference, sum, ratio or percent change of two of them, `given`
    a figure of the user's own, and `ungrounded` one that has no source.
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
    """Where in the result the number is, or the two that it is made of."""
    how: str | None = None
    """`difference`, `sum`, `ratio` or `percent_change`, where it is derived."""
    type: Literal["agent.number_check"] = "agent.number_check"


@record(kw_only=True)
class NumberCounts:
    """How many figures of the answer have which source."""

    found: int = 0
    derived: int = 0
    given: int = 0
    ungrounded: int = 0
