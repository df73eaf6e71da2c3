"""A whole run in a test: a scripted model, the real engine, real tools, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from finclaw_cli import __version__
from finclaw_cli.app.run_tools import RunTools
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.events.agent import AgentStart, AgentToolCall, Emitted, Event
from finclaw_cli.core.events.parts import ENDED, Limits, OfferedTool
from finclaw_cli.core.ids import idempotency_key, new_run_id
from finclaw_cli.core.messages import Message, ToolCall
from finclaw_cli.core.ports import Approver
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolContext, ToolDefinition, ToolSpec
from finclaw_cli.core.toolset import ToolSet
from finclaw_cli.engine.cancel import CancelScope
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.engine.request import ModelRef, RunLimits, RunRequest, RunResult
from finclaw_cli.engine.run import Run
from finclaw_cli.plugin_host.conformance.own_loop import finish
from finclaw_cli.plugin_host.toolsets import HostedToolSet
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.policy.stages import OWN_STAGES
from finclaw_cli.providers.script import Script, read_script
from finclaw_cli.providers.scripted import ScriptedProvider
from finclaw_cli.testing.tools import tool_context, with_own_secrets
from finclaw_cli.tools.define import define_all
from finclaw_cli.tools.executor import ExecutorSettings, ToolServices
from finclaw_cli.tools.null_services import AutoApprover, NoApprover, NoHooks, NoJournal
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry
from finclaw_cli.tools.toolsets import ToolSets

__all__ = ["Played", "play", "play_async"]

Turns = Sequence[Mapping[str, object]] | Path
MODEL = ModelRef(provider="scripted", model="script")
AGENT = "default"


@record(kw_only=True)
class Played:
    """How a run ended, and its events."""

    result: RunResult
    events: tuple[Event, ...]

    @property
    def text(self) -> str:
        """The final answer."""
        return self.result.text

    @property
    def calls(self) -> tuple[AgentToolCall, ...]:
        """How each tool call ended, in the order in which they did."""
        calls = (event for event in self.events if isinstance(event, AgentToolCall))
        return tuple(call for call in calls if call.status in ENDED)


class _Recorder:
    """An event sink that keeps all."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    async def take(self, emitted: Emitted) -> None:
        self.events.append(emitted.event)


def play(
    turns: Turns, *tools: object, prompt: str = "Go.", approved: bool = False, toolsets: Sequence[ToolSet] = ()
) -> Played:
    """The same as `play_async`, for tests that are no coroutines."""
    return finish(play_async(turns, *tools, prompt=prompt, approved=approved, toolsets=toolsets))


async def play_async(
    turns: Turns, *tools: object, prompt: str = "Go.", approved: bool = False, toolsets: Sequence[ToolSet] = ()
) -> Played:
    """Take a prompt to its answer.

    Args:
        turns: the answers of the model, as the turns of a script or as a script's file.
        *tools: what a plugin's `finclaw_tools` would return: all of them are offered to the model.
        prompt: what the user asked.
        approved: whether the calls that need an approval get it; a run without a user denies them.
        toolsets: what a plugin's `finclaw_toolsets` would return: offered as well, started and stopped.
    """
    definitions = [definition for each in tools for definition in define_all(each)]
    return await with_own_secrets(_play(turns, definitions, prompt, toolsets, approved=approved))


async def _play(
    turns: Turns, definitions: Sequence[ToolDefinition], prompt: str, toolsets: Sequence[ToolSet], *, approved: bool
) -> Played:
    changes = _toolsets(definitions, toolsets)
    recorder = _Recorder()
    request = _request(_specs(changes.registry), prompt)
    services = ToolServices(
        policy=StagedPolicy(stages=OWN_STAGES), approver=_approver(approved), journal=NoJournal(), hooks=NoHooks()
    )
    offered = RunTools(
        registry=changes.registry,
        services=services,
        context_of=_context_of(request.run_id),
        settings=ExecutorSettings(),
        changes=changes,
    )
    run = Run(_engine(_script(turns)), request, toolbox=offered.toolbox, sinks=[recorder], scope=CancelScope())
    result = await run()
    return Played(result=result, events=tuple(recorder.events))


def _script(turns: Turns) -> Script:
    return read_script(turns) if isinstance(turns, Path) else Script.model_validate({"turns": list(turns)})


def _engine(script: Script) -> Engine:
    clock = SystemClock()
    connection = Connection(ref=MODEL, provider=ScriptedProvider(script), gate=Gate(clock), scripted=True)
    return Engine(connect=lambda _: connection, clock=clock)


def _approver(approved: bool) -> Approver:  # noqa: FBT001 - handed through
    return AutoApprover("test") if approved else NoApprover()


def _toolsets(definitions: Sequence[ToolDefinition], toolsets: Sequence[ToolSet]) -> ToolSets:
    hosted = {toolset.name: HostedToolSet(toolset, partial(replace, trusted=True)) for toolset in toolsets}
    tools = [*definitions, *(tool for each in hosted.values() for tool in each.tools()[0])]
    registry = ToolRegistry(ToolEntry(spec=tool, origin="test", load=partial(_itself, tool)) for tool in tools)
    return ToolSets(registry, make=lambda _, name: hosted[name], offered=_specs, limit_s=RunLimits().timeout_s)


def _specs(registry: ToolRegistry) -> tuple[ToolSpec, ...]:
    return tuple(entry.spec for entry in registry.entries)


def _itself(tool: ToolDefinition) -> ToolDefinition:
    return tool


def _context_of(run_id: str) -> Callable[[ToolCall, int], ToolContext]:
    def make(call: ToolCall, turn: int) -> ToolContext:
        key = idempotency_key(
            session_id=run_id, run_id=run_id, turn=turn, call_id=call.id, tool=call.name, arguments=call.input
        )
        return replace(
            tool_context(run_id=run_id, session_id=run_id),
            turn=turn,
            call_id=call.id,
            idempotency_key=key,
        )

    return make


def _request(tools: Sequence[ToolSpec], prompt: str) -> RunRequest:
    run_id, limits = new_run_id(), RunLimits()
    return RunRequest(
        start=_start(run_id, tools, limits),
        run_id=run_id,
        session_id=run_id,
        agent_id=AGENT,
        messages=(Message("user", prompt),),
        models=(MODEL,),
        tools=tuple(tools),
        limits=limits,
    )


def _start(run_id: str, tools: Sequence[ToolSpec], limits: RunLimits) -> AgentStart:
    return AgentStart(
        finclaw_version=__version__,
        session_id=run_id,
        agent_id=AGENT,
        models=(str(MODEL),),
        scripted=True,
        channel="pipe",
        tools=tuple(map(OfferedTool.of, tools)),
        plugins_failed=(),
        limits=Limits(
            max_turns=limits.max_turns,
            timeout_s=limits.timeout_s,
            first_chunk_s=limits.first_chunk_s,
            idle_s=limits.idle_s,
            max_tool_calls=limits.max_tool_calls,
            max_result_chars=ExecutorSettings().max_result_chars,
            max_cost_usd=None,
        ),
    )
