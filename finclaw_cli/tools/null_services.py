"""Services of the pipeline that do nothing: no approver, no hooks, no journal."""

from __future__ import annotations

from dataclasses import fields

from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.json_text import ExactObject
from finclaw_cli.core.messages import ToolCall, ToolResult
from finclaw_cli.core.ports import Approval, ApprovalRequest, Earlier, ResolvedOutcome, Skip
from finclaw_cli.core.tool import ToolContext, ToolDefinition, ToolSpec


class NoApprover:
    """The approver where no one can be asked: it denies."""

    async def ask(self, request: ApprovalRequest) -> Approval:
        return Approval(granted=False, by="nobody", request_id=request.id, reason="there is nobody to ask in this run")


class AutoApprover:
    """The approver that grants everything, for tests of tools, and where no tool really runs."""

    def __init__(self, by: str) -> None:
        self._by = by

    async def ask(self, request: ApprovalRequest) -> Approval:
        return Approval(granted=True, by=self._by, request_id=request.id)


class NoOutcomeResolver:
    """The outcome is not known."""

    async def ask(self, call: ToolCall, spec: ToolSpec) -> ResolvedOutcome:  # noqa: ARG002
        return "unknown"


class NoHooks:
    """Lets every call and every result through unchanged."""

    async def before(self, call: ToolCall, context: ToolContext) -> ToolCall | Skip:  # noqa: ARG002
        return call

    async def after(self, call: ToolCall, result: ToolResult, context: ToolContext) -> ToolResult:  # noqa: ARG002
        return result


class NoJournal:
    """Remembers nothing: for runs that are not kept, and so are never taken up again."""

    def earlier(self, call: ToolCall) -> Earlier | None:  # noqa: ARG002
        return None

    async def intend(self, call: ToolCall, spec: ToolSpec, context: ToolContext) -> None:
        """Nothing is kept."""

    async def record(self, call: ToolCall, context: ToolContext, result: ToolResult, *, is_known: bool = True) -> None:
        """Nothing is kept."""


def unloaded(spec: ToolSpec) -> ToolDefinition:
    """A tool as its manifest declares it, for replays, which run no tool: what cannot be loaded, or must not be."""

    async def refuse(given: ExactObject, context: ToolContext) -> object:  # noqa: ARG001 - a handler's shape
        raise ToolError(f"{spec.name} is not loaded in a replay")

    return ToolDefinition(**{item.name: getattr(spec, item.name) for item in fields(ToolSpec)}, handler=refuse)
