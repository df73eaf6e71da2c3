"""Finding the tool that a call names, and importing it once the call may run."""

from __future__ import annotations

import asyncio
from dataclasses import fields

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events.internal import ToolRegister, ToolUnregister
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.core.ports import Emit
from finclaw_cli.core.tool import ToolDefinition, ToolSpec
from finclaw_cli.tools.outcome import CallOutcome, failed
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry


class Lookup:
    """The tools of one run; each is loaded at most once, and what came of it is emitted once."""

    def __init__(self, registry: ToolRegistry, emit: Emit) -> None:
        self._registry = registry
        self._emit = emit
        self._loaded: dict[str, ToolDefinition | CallOutcome] = {}
        self._loading = asyncio.Lock()

    def change(self, registry: ToolRegistry) -> None:
        """Use other tools from now on; those of toolsets are loaded again."""
        self._registry = registry
        kept = self._loaded.items()
        self._loaded = {name: each for name, each in kept if isinstance(each, ToolDefinition) and not each.toolset}

    def entry(self, call: ToolCall) -> ToolEntry | CallOutcome:
        """The tool that a call names, not loaded; or the outcome where there is none."""
        entry = self._registry.find(call.name)
        if entry is not None:
            return entry
        near = self._registry.near(call.name)
        hint = f" Did you mean: {', '.join(near)}?" if near else ""
        return failed(f"Unknown tool: {call.name[:80]}.{hint}")

    async def before_consent(self, entry: ToolEntry) -> ToolSpec | CallOutcome:
        """What a call may be judged by: a trusted tool is loaded, of another one only its manifest is used."""
        if entry.spec.is_trusted or entry.qualified_name in self._loaded:
            return await self.loaded(entry)
        return entry.spec

    async def loaded(self, entry: ToolEntry) -> ToolDefinition | CallOutcome:
        """The tool, which is imported if it was not; for calls that may run."""
        key = entry.qualified_name
        async with self._loading:  # calls of one turn run side by side
            known = self._loaded.get(key)
            if not isinstance(known, CallOutcome):
                self._loaded[key] = known = await self._usable(entry, known)
            return known

    async def _usable(self, entry: ToolEntry, loaded: ToolDefinition | None) -> ToolDefinition | CallOutcome:
        spec = entry.spec
        try:
            entry.require_usable()
            if loaded is not None:
                return loaded
            # In a thread, as in the check of a plugin: hooks run where there is no event loop, and hold up none.
            tool = await in_own_thread(entry.load)
            if not spec.is_trusted:
                _require_as_judged(tool, spec)
        except UsageError as error:
            await self._emit(ToolUnregister(name=spec.name, source=spec.source, reason=error.message))
            return failed(f'Tool "{spec.name}" is unavailable: {error.message}')
        await self._emit(ToolRegister(name=spec.name, source=spec.source, trusted=spec.trusted, group=spec.group))
        return tool


def _require_as_judged(tool: ToolDefinition, spec: ToolSpec) -> None:
    """Require that an untrusted tool is what its manifest declares, by which the call was judged and approved.

    Raises:
        UsageError: it is not.
    """
    differing = [item.name for item in fields(ToolSpec) if getattr(tool, item.name) != getattr(spec, item.name)]
    if differing:
        raise UsageError(f"it differs from its manifest in {', '.join(differing)}", code="tool_changed")
