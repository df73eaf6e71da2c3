"""The answers to requests for an approval, as a session has them."""

from __future__ import annotations

from finclaw_cli.core.record import record
from finclaw_cli.transcript.lines import Line

_PLACES = {"terminal": "on the terminal", "stdio": "over stdio"}


@record
class Decision:
    """The answer to one request for the approval of a call."""

    call_id: str
    name: str
    """The name of the tool."""
    text: str
    """Whether it was given, and by whom, or why not."""


def decision_of(line: Line) -> Decision | None:
    """The decision that a record has; None where it has none."""
    if line.type != "agent.approval":
        return None
    call_id, name, by, reason = (str(line.data.get(key, "")) for key in ("call_id", "name", "by", "reason"))
    if line.data.get("decision") == "allow":
        return Decision(call_id, name, f"given {_PLACES.get(by, f'by {by}')}")
    return Decision(call_id, name, f"not given: {reason or by}")
