"""What an imported plugin offers, through its hooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

import pluggy
import typer

from finclaw_cli.core.errors import FinclawError, UsageError
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolDefinition, ToolSpec, declaration
from finclaw_cli.core.toolset import ToolSet
from finclaw_cli.plugin_host.guards import has_guards
from finclaw_cli.plugin_host.hookspecs import CONTRACT, HOOK_NAMES, PROJECT, Hooks
from finclaw_cli.plugin_host.manifest import CommandFacts
from finclaw_cli.plugin_host.tool_names import TOOL_NAME, check_declaration
from finclaw_cli.prompt.skills import Skill, find_skills
from finclaw_cli.providers.config import ProviderSpec
from finclaw_cli.providers.facts import ProviderFacts
from finclaw_cli.tools.declare import name_of
from finclaw_cli.tools.define import define_all


@record(kw_only=True)
class Offers:
    """What is written into the manifest."""

    tools: tuple[ToolSpec, ...]
    providers: tuple[ProviderFacts, ...]
    commands: tuple[CommandFacts, ...]
    skills: tuple[Skill, ...]
    hooks: tuple[str, ...]
    guards: bool
    problems: tuple[str, ...]


def hooks_of(plugin: object) -> pluggy.HookRelay:
    """The hooks of one plugin, ready to be called.

    Raises:
        UsageError: the plugin is made for another contract, or implements a hook that does not exist, or with
            parameters that it does not have.
    """
    contract = getattr(plugin, "FINCLAW_CONTRACT", CONTRACT)
    if contract != CONTRACT:
        raise UsageError(f"made for version {contract} of the plugin contract; this finclaw speaks version {CONTRACT}")
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(Hooks)
    try:
        manager.register(plugin)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        reason = str(error).strip().splitlines()[-1].partition(" in plugin")[0]
        raise UsageError(f"{reason}; hooks: {', '.join(HOOK_NAMES)}") from error
    return manager.hook


def tools_of(plugin: object) -> tuple[list[ToolDefinition], list[str]]:
    """The plugin's tools, and a line for each thing it offered that cannot be one."""
    found: list[ToolDefinition] = []
    problems = _add(found, _flat(hooks_of(plugin).finclaw_tools()))
    for toolset in toolsets_of(plugin):
        if TOOL_NAME.fullmatch(toolset.name):
            problems += _add(found, toolset.known(), toolset.name)
        else:
            problems.append(f"toolset {toolset.name!r}: a name is {TOOL_NAME.pattern}")
    return found, problems


def toolsets_of(plugin: object) -> list[ToolSet]:
    """New objects for the plugin's toolsets."""
    return cast("list[ToolSet]", list(_flat(hooks_of(plugin).finclaw_toolsets())))


def tools_in(toolset: ToolSet) -> tuple[list[ToolDefinition], list[str]]:
    """The tools that are known of a toolset, and a line for each thing that cannot be one."""
    found: list[ToolDefinition] = []
    return found, _add(found, toolset.known(), toolset.name)


def _add(found: list[ToolDefinition], offers: Iterable[object], toolset: str = "") -> list[str]:
    """Add what can be made a tool, of that toolset, to those that were found before; a line for each that cannot."""
    problems: list[str] = []
    for offered in offers:
        try:
            for definition in define_all(offered):
                check_declaration(definition, found)
                found.append(replace(definition, toolset=toolset))
        except FinclawError as error:
            problems.append(error.message)
        except Exception as error:  # noqa: BLE001 - one tool's failure is not its siblings'
            problems.append(f"{offered!r} cannot be made a tool: {type(error).__name__}: {error}")
    return problems


def tool_of(plugin: object, name: str) -> ToolDefinition | None:
    """The plugin's tool of that name; of the others only those whose names are not known are defined."""
    offered = list(_flat(hooks_of(plugin).finclaw_tools()))
    for candidate in sorted(offered, key=lambda each: name_of(each) != name):
        with suppress(FinclawError):
            for definition in define_all(candidate):
                if definition.name == name:
                    check_declaration(definition, [])
                    return definition
    return None


def providers_of(plugin: object) -> list[ProviderSpec]:
    """The plugin's providers."""
    return [spec for spec in _flat(hooks_of(plugin).finclaw_providers()) if isinstance(spec, ProviderSpec)]


def skills_of(plugin: object) -> tuple[list[Skill], list[str]]:
    """The plugin's skills, and a line for each that is broken."""
    skills: list[Skill] = []
    problems: list[str] = []
    for folder in _flat(hooks_of(plugin).finclaw_skills()):
        found, wrong = find_skills(Path(str(folder)), "plugin")
        skills.extend(found)
        problems.extend(wrong or ([] if found else [f"there is no skill in {folder}"]))
    return skills, problems


def commands_of(plugin: object) -> dict[str, Any]:
    """The plugin's commands by name, as typer builds them."""
    app = typer.Typer(callback=_commands)  # with a callback it is a group, also when it has one command alone
    hooks_of(plugin).finclaw_commands(app=app)
    commands = dict(typer.main.get_group(app).commands)
    for command in commands.values():
        _plain_help(command)
    return commands


def _plain_help(command: Any) -> None:
    """Help looks the same everywhere, and rich is not imported for it."""
    command.rich_markup_mode = None
    for inner in getattr(command, "commands", {}).values():
        _plain_help(inner)


def _commands() -> None:
    """What the plugin adds."""


def offers_of(plugin: object) -> Offers:
    """Everything the plugin offers, as plain facts.

    Raises:
        Exception: whatever the plugin raises.
    """
    tools, problems = tools_of(plugin)
    skills, broken = skills_of(plugin)
    implemented = {caller for caller in HOOK_NAMES if getattr(hooks_of(plugin), caller).get_hookimpls()}
    return Offers(
        tools=tuple(map(declaration, tools)),
        providers=tuple(map(_facts, providers_of(plugin))),
        commands=tuple(_command_facts(commands_of(plugin))),
        hooks=tuple(sorted(implemented)),
        guards=has_guards(hooks_of(plugin)),
        skills=tuple(skills),
        problems=(*problems, *broken),
    )


def _flat(results: Iterable[Iterable[object]]) -> Iterator[object]:
    for result in results:
        yield from result


def _facts(spec: ProviderSpec) -> ProviderFacts:
    return ProviderFacts(**{item.name: getattr(spec, item.name) for item in fields(ProviderFacts)})


def _command_facts(commands: Mapping[str, Any]) -> Iterator[CommandFacts]:
    for name, command in commands.items():
        lines = (command.help or "").strip().splitlines()
        yield CommandFacts(name=name, help=lines[0] if lines else "")
