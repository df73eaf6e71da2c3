"""The doors of the pipeline while nobody stands behind them: no hooks, nothing journaled."""

from __future__ import annotations

from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.tool import ToolContext, ToolSpec


class NoHooks:
    """Lets every call and every result through unchanged."""

    async def before(self, call: ToolCall, context: ToolContext) -> ToolCall | ToolResult:  # noqa: ARG002
        return call

    async def after(self, call: ToolCall, result: ToolResult, context: ToolContext) -> ToolResult:  # noqa: ARG002
        return result


class NoJournal:
    """Remembers nothing: enough while no tool that changes the world may run."""

    async def intend(self, call: ToolCall, spec: ToolSpec, context: ToolContext) -> ToolResult | None:  # noqa: ARG002
        return None

    async def record(self, call: ToolCall, context: ToolContext, result: ToolResult) -> None:
        """Nothing is kept."""
