"""The two events of an approval: the request, and the decision."""

from __future__ import annotations

from typing import Literal

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record


@record(kw_only=True)
class AgentApprovalRequest:
    """This call needs an approval before it may run."""

    turn: int
    call_id: str
    name: str
    id: str
    """What an answer has to name."""
    input: JsonObject
    stage: str
    """The stage of the policy that asks, and why."""
    reason: str
    preview: str
    """What the call would do, in the tool's own words; empty where it has none."""
    type: Literal["agent.approval_request"] = "agent.approval_request"


@record(kw_only=True)
class AgentApproval:
    """The answer, and who gave it."""

    turn: int
    call_id: str
    name: str
    id: str
    decision: Literal["allow", "deny"]
    by: str
    """`terminal`, `stdio`, `--approve PATTERN`, or `nobody`."""
    reason: str
    type: Literal["agent.approval"] = "agent.approval"
