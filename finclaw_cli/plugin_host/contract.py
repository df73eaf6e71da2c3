"""The check of a plugin against the contract, for `finclaw tools check` and authors' own tests."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events.agent import AgentWarning
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest, Provider
from finclaw_cli.core.tool import ToolContext, ToolDefinition
from finclaw_cli.plugin_host.conformance.author_line import described
from finclaw_cli.plugin_host.conformance.behaviour import (
    call_problems,
    input_problems,
    not_callable,
    preview_problems,
)
from finclaw_cli.plugin_host.conformance.calls import make_context
from finclaw_cli.plugin_host.conformance.declared import provider_facts_problems, tool_problems
from finclaw_cli.plugin_host.conformance.own_loop import in_own_loop
from finclaw_cli.plugin_host.conformance.problem import Problem, error, note, warning
from finclaw_cli.plugin_host.conformance.streams import stream_problems
from finclaw_cli.plugin_host.conformance.watch import watched_stdout
from finclaw_cli.plugin_host.hookspecs import HOOK_NAMES, PROJECT
from finclaw_cli.plugin_host.offers import commands_of, hooks_of, offers_of, providers_of, tools_of
from finclaw_cli.providers.config import ProviderConfig, ProviderSpec

PLUGIN = "plugin"
Tell = Callable[[str], None]
GREETING = ModelRequest(model="", messages=(Message("user", "Say hello."),))


def _ignore(step: str) -> None:
    """The default of `tell`."""


def check_plugin(plugin: object) -> list[Problem]:
    """All problems of an imported plugin: a module, or an object with hooks.

    Tools with `examples` are called, unless they call a service or need an approval.
    """
    return list(iter_problems(plugin))


def check_provider(made_by: ProviderSpec | Provider, request: ModelRequest | None = None) -> list[Problem]:
    """Make one request to a provider, and check its stream against the contract of chunks."""
    provider = made_by.create(ProviderConfig()) if isinstance(made_by, ProviderSpec) else made_by
    return in_own_loop(stream_problems(provider, request or GREETING))


def iter_problems(plugin: object, tell: Tell = _ignore) -> Iterator[Problem]:
    """The problems of `check_plugin`, one by one; `tell` is called with each next step."""
    yield from _unmarked(plugin)
    tell("asking it for what it offers")
    try:
        hooks_of(plugin)
    except UsageError as refused:
        yield error(PLUGIN, "contract", refused.message)
        return
    try:
        with watched_stdout() as written:
            tools, refusals = tools_of(plugin)
            offered = offers_of(plugin)
            commands = commands_of(plugin)
            providers = providers_of(plugin)
    except (Exception, SystemExit) as raised:  # noqa: BLE001 - a plugin may raise anything
        yield error(PLUGIN, "hook", f"a hook raises {described(raised)}")
        return
    yield from _printed(written.text)
    yield from (error(PLUGIN, "refused", refusal) for refusal in refusals)
    if not (tools or refusals or offered.hooks):
        yield warning(PLUGIN, "empty", "it offers nothing: no function in it is marked with @hookimpl")
    for command, built in commands.items():
        if not built.help:
            yield warning(f"command {command}", "undescribed", "it has no help")
    for spec in providers:
        yield from provider_facts_problems(spec)
    yield from _listening(plugin)
    yield from _tools(tools, tell)


def _unmarked(plugin: object) -> Iterator[Problem]:
    for name in HOOK_NAMES:
        hook = getattr(plugin, name, None)
        if callable(hook) and not hasattr(hook, f"{PROJECT}_impl"):
            yield error(PLUGIN, "unmarked", f"{name} is not marked with @hookimpl, so it is never called")


def _printed(text: str) -> Iterator[Problem]:
    if text:
        yield error(PLUGIN, "stdout", f"a hook prints on stdout, which belongs to the answer: {text[:60]!r}")


def _listening(plugin: object) -> Iterator[Problem]:
    event = AgentWarning(code="check", message="An event to see whether the listener takes it.")
    try:
        with watched_stdout() as written:
            hooks_of(plugin).finclaw_event(run_id="run_check", event=event)
    except (Exception, SystemExit) as raised:  # noqa: BLE001 - a plugin may raise anything
        yield error(PLUGIN, "listener", f"finclaw_event raises {described(raised)}")
        return
    yield from _printed(written.text)


def _tools(tools: list[ToolDefinition], tell: Tell) -> Iterator[Problem]:
    with tempfile.TemporaryDirectory(prefix="finclaw-check-") as folder:
        context = make_context(Path(folder), Path(folder))
        for tool in tools:
            declared = list(tool_problems(tool))
            yield from declared
            if not any(problem.code in {"schema_invalid", "schema_reference"} for problem in declared):
                tell(f"calling {tool.name}")
                yield from _behaviour(tool, context)


def _behaviour(tool: ToolDefinition, context: ToolContext) -> Iterator[Problem]:
    yield from input_problems(tool)
    if tool.toolset:
        yield note(f"tool {tool.name}", "not_called", f"not called: toolset {tool.toolset} is not started by a check")
        return
    yield from preview_problems(tool, context)
    reason = not_callable(tool, context)
    if reason is None:
        yield from call_problems(tool, context)
    else:
        yield note(f"tool {tool.name}", "not_called", f"not called: {reason}")
