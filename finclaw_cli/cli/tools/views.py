"""The output of `finclaw tools list` and `show`."""

from __future__ import annotations

import json
from collections import Counter

from finclaw_cli.app.offered_tools import tool_groups
from finclaw_cli.cli.installed import installed
from finclaw_cli.cli.listing import print_json
from finclaw_cli.core.json_text import JsonObject, jsonable
from finclaw_cli.core.tool import Group
from finclaw_cli.listings.tools import flags_of, state_of, tool_facts
from finclaw_cli.output.console import echo, echo_table
from finclaw_cli.output.notice import notice, warn
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.tables import ToolGuardSettings
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry


def print_tools(*, as_json: bool) -> None:
    """Print all installed tools; clashes and broken plugins are reported on stderr."""
    found = installed()
    entries = found.tools.entries
    if as_json:
        print_json([tool_facts(entry, found.tools) for entry in entries])
    elif entries:
        rows = [_row(entry, found.tools) for entry in entries]
        echo_table(("NAME", "GROUP", "FROM", "STATE", "WHAT IT DOES"), rows, drop=("GROUP", "FROM", "STATE"))
    else:
        echo("No tools are installed. Try: pip install finclaw-market")
    for name, origins in found.tools.clashes.items():
        notice(f"finclaw: clash: {name!r} is offered by {', '.join(origins)}; set tool.prefer.{name} in the settings")
    for entry, owner in found.tools.overruled:
        warn(overruled(entry, owner))
    for manifest in found.plugins.manifests:
        for problem in (*([manifest.error] if manifest.error else []), *manifest.problems):
            notice(f"finclaw: plugin {manifest.dist}: {problem}")


def overruled(entry: ToolEntry, owner: ToolEntry) -> str:
    """The note on a name of two plugins, of which one is trusted, with the name of the other's tool."""
    name = entry.spec.name
    return (
        f"{entry.origin}, which is not trusted, also has a {name!r}: the name means {owner.origin}'s; "
        f"the other is {entry.origin}.{name}"
    )


def print_tool(name: str, *, as_json: bool) -> None:
    """Print one tool with its facts, without importing it."""
    found = installed()
    entry = found.tools.require(name)
    spec = entry.spec
    guard = load_settings().settings.tool.guard.get(spec.name, ToolGuardSettings())
    if as_json:
        facts = {**tool_facts(entry, found.tools), "guard": jsonable(guard), "input_schema": spec.input_schema}
        print_json(facts)
        return
    state, how = state_of(spec)
    echo(f"{spec.name}  ({spec.source}, group {spec.group})\n\n{spec.description}\n")
    echo(f"flags:    {', '.join(flags_of(spec)) or 'none'}")
    echo(f"timeout:  {spec.timeout_s or 30:g} s")
    echo(f"state:    {state}{': ' + how if how else ''}")
    echo(f"result:   {_guarded(guard)}")
    echo(f"always:   {entry.qualified_name}\n\ninput:\n{json.dumps(spec.input_schema, indent=2, ensure_ascii=False)}")


def print_groups(*, as_json: bool) -> None:
    """Print the groups of tools, as the settings have them, and how many of the installed tools are in each."""
    members = Counter(entry.spec.counted_group for entry in installed().tools.entries)
    groups = tool_groups(load_settings().settings)
    if as_json:
        print_json([{"name": name, **_group(each), "tools": members[name]} for name, each in groups.items()])
        return
    rows = [(name, each.offer, str(members[name]), each.description) for name, each in groups.items()]
    echo_table(("GROUP", "OFFERED", "TOOLS", "WHAT ITS TOOLS DO"), rows)


def _group(group: Group) -> JsonObject:
    return {"offer": group.offer, "description": group.description}


def _guarded(guard: ToolGuardSettings) -> str:
    html = "HTML as it is" if guard.allow_html else "HTML as text"
    return f"{html}, private data {'masked' if guard.mask_private else 'shown'}"


def _row(entry: ToolEntry, registry: ToolRegistry) -> tuple[str, ...]:
    spec = entry.spec
    state, how = state_of(spec)
    summary = spec.description.partition("\n")[0]
    return registry.shown_name(entry), spec.group, entry.origin, f"{state}: {how}" if how else state, summary
