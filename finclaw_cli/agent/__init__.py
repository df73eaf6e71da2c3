"""The engine from Python: `Agent`, its results and its events."""

from finclaw_cli.agent.agent import Agent, call_tool_sync
from finclaw_cli.agent.conversation import Conversation
from finclaw_cli.agent.one_call import ToolCallResult
from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.agent.result import RunFailed, RunResult
from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.ports import Approval, ApprovalRequest
from finclaw_cli.tools.execution import ToolExecution

__all__ = [
    "Agent",
    "AgentOptions",
    "Approval",
    "ApprovalRequest",
    "Conversation",
    "Event",
    "RunFailed",
    "RunResult",
    "ToolCallResult",
    "ToolExecution",
    "call_tool_sync",
]
