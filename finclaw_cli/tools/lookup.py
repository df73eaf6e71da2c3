"""Finding the tool that a model means, imported at its first use."""

from __future__ import annotations

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.inner_events import ToolRegister, ToolUnregister
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Emit
from finclaw_cli.core.tool import ToolDefinition
from finclaw_cli.tools.outcome import CallOutcome, failed
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry


class Lookup:
    """The tools of one run; each is imported once, and what became of it is told once."""

    def __init__(self, registry: ToolRegistry, emit: Emit) -> None:
        self._registry = registry
        self._emit = emit
        self._found: dict[str, ToolDefinition | CallOutcome] = {}

    async def __call__(self, call: ToolCall) -> ToolDefinition | CallOutcome:
        """The tool, or what the model is told where there is none."""
        entry = self._registry.find(call.name)
        if entry is None:
            near = self._registry.near(call.name)
            hint = f" Did you mean: {', '.join(near)}?" if near else ""
            return failed(f"Unknown tool: {call.name[:80]}.{hint}")
        key = entry.qualified_name
        if key not in self._found:
            self._found[key] = await self._load(entry)
        return self._found[key]

    async def _load(self, entry: ToolEntry) -> ToolDefinition | CallOutcome:
        spec = entry.spec
        try:
            tool = entry.load()
        except UsageError as error:
            await self._emit(ToolUnregister(name=spec.name, source=spec.source, reason=error.message))
            return failed(f'Tool "{spec.name}" is unavailable: {error.message}')
        await self._emit(ToolRegister(name=spec.name, source=spec.source, trusted=spec.trusted))
        return tool
