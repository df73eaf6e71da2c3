"""Tools as they are listed."""

from __future__ import annotations

from finclaw_cli.core.json_text import JsonObject, jsonable
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.plugin_host.needs import availability
from finclaw_cli.settings.paths import home
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry

FLAGS = (
    "requires_approval",
    "transactional",
    "sensitive",
    "external",
    "read_only",
    "idempotent",
    "serial",
)


def tool_facts(entry: ToolEntry, registry: ToolRegistry) -> JsonObject:
    """A tool as JSON."""
    spec = entry.spec
    state, how = state_of(spec)
    return {
        "name": spec.name,
        "qualified_name": entry.qualified_name,
        "group": spec.group,
        "source": spec.source,
        "description": spec.description,
        "flags": jsonable(flags_of(spec)),
        "timeout_s": spec.timeout_s,
        "state": state,
        "how": how,
        "clash": spec.name in registry.clashes,
    }


def state_of(spec: ToolSpec) -> tuple[str, str]:
    """Whether a tool can work right now (`ready`, `needs-data`, `needs-key`, …), and how to make it ready."""
    return availability(spec.needs, home())


def flags_of(spec: ToolSpec) -> list[str]:
    """What holds of a tool, by the names of its flags."""
    return [flag for flag in FLAGS if getattr(spec, flag)]
