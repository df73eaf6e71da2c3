"""Declarations of tools, as a transcript keeps them: of those that may be others, or nowhere, when it is read."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from finclaw_cli.core.checked import WrongValue, checked
from finclaw_cli.core.json_text import JsonObject, JsonValue, jsonable
from finclaw_cli.core.ports import ToolChange
from finclaw_cli.core.tool import ToolSpec, declaration
from finclaw_cli.tools.null_services import unloaded
from finclaw_cli.tools.registry import CALLER, ToolEntry, ToolRegistry


def declarations(tools: Iterable[ToolSpec]) -> list[JsonValue]:
    """The declarations of tools as JSON."""
    return [jsonable(declaration(tool)) for tool in tools]


def declared_tools(data: object) -> tuple[ToolSpec, ...]:
    """The tools that are declared so; nothing where that is not finclaw's."""
    try:
        return tuple(checked(ToolSpec, each) for each in data) if isinstance(data, list) else ()
    except WrongValue:
        return ()


def tools_data(change: ToolChange, turn: int) -> JsonObject:
    """A change of the tools as JSON: which are offered, and the declarations of those that may change again."""
    names: list[JsonValue] = [tool.name for tool in change.offered]
    return {
        "turn": turn,
        "offered": names,
        "of_toolsets": declarations(change.of_toolsets),
        "of_caller": declarations(change.of_caller),
    }


def with_recorded_change(registry: ToolRegistry, data: JsonObject) -> ToolRegistry:
    """The tools after a recorded change; versions before 2 of the events had no changes by the caller."""
    registry = with_recorded_toolsets(registry, declared_tools(data.get("of_toolsets")))
    if "of_caller" not in data:
        return registry
    before = [entry.spec.name for entry in registry.entries if entry.origin == CALLER]
    return registry.without(before).with_functions(map(unloaded, declared_tools(data["of_caller"])))


def with_recorded_toolsets(registry: ToolRegistry, recorded: Iterable[ToolSpec]) -> ToolRegistry:
    """The tools with those of toolsets as they were declared in a recording; none of these can be called."""
    tools: dict[tuple[str, str], list[ToolEntry]] = {
        (entry.origin, entry.spec.toolset): [] for entry in registry.entries if entry.spec.toolset
    }
    for spec in recorded:
        origin = spec.source.removeprefix("plugin:")
        entry = ToolEntry(spec=spec, origin=origin, load=partial(unloaded, spec))
        tools.setdefault((origin, spec.toolset), []).append(entry)
    for key, entries in tools.items():
        registry = registry.with_toolset(key, entries)
    return registry
