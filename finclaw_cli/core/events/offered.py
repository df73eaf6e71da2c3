"""What a model is offered, where that changes while a run goes on."""

from __future__ import annotations

from typing import Literal

from finclaw_cli.core.events.parts import OfferedTool
from finclaw_cli.core.record import record


@record(kw_only=True)
class AgentTools:
    """A toolset has changed: what the model is offered from this turn on."""

    turn: int
    tools: tuple[OfferedTool, ...]
    type: Literal["agent.tools"] = "agent.tools"
