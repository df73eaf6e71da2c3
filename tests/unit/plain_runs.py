"""Runs of the engine alone: a scripted model, no session, no tools unless a toolbox is given."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.events.agent import AgentStart, Emitted, Event
from finclaw_cli.core.events.parts import Limits
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import Emit
from finclaw_cli.engine.cancel import CancelScope
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.engine.request import ModelRef, RunRequest, RunResult
from finclaw_cli.engine.run import Run
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.providers.script import Script
from finclaw_cli.providers.scripted import ScriptedProvider
from finclaw_cli.tools.batch import RegistryToolbox
from finclaw_cli.tools.executor import ExecutorSettings, ToolServices
from finclaw_cli.tools.null_services import NoApprover, NoHooks, NoJournal
from finclaw_cli.tools.registry import ToolRegistry
from tests.unit.test_pipeline import context

REF = ModelRef(provider="scripted", model="m")
LIMITS = Limits(
    max_turns=3, timeout_s=60, first_chunk_s=10, idle_s=10, max_tool_calls=5, max_result_chars=100, max_cost_usd=None
)
START = AgentStart(
    finclaw_version="0", session_id="s", agent_id="main", models=(str(REF),), scripted=True, channel="pipe", tools=(),
    plugins_failed=(), limits=LIMITS,
)  # fmt: skip
QUESTION = Message("user", "How is it?")
REQUEST = RunRequest(start=START, run_id="run_1", session_id="s", agent_id="main", messages=(QUESTION,), models=(REF,))
SERVICES = ToolServices(policy=StagedPolicy(), approver=NoApprover(), journal=NoJournal(), hooks=NoHooks())
HELLO = {"text": "Well."}


class Sink:
    """Keeps the events, after `before` was awaited with each."""

    def __init__(self, before: Callable[[Event], Awaitable[None]] | None = None) -> None:
        self.events: list[Event] = []
        self._before = before

    async def take(self, emitted: Emitted) -> None:
        if self._before is not None:
            await self._before(emitted.event)
        self.events.append(emitted.event)


def toolbox(emit: Emit, kind: type[RegistryToolbox] = RegistryToolbox) -> RegistryToolbox:
    return kind(ToolRegistry(()), SERVICES, context, ExecutorSettings(), emit)


def engine_of(*turns: dict[str, Any], gate: Gate | None = None) -> tuple[Engine, Connection]:
    """An engine whose one model plays these turns."""
    clock = SystemClock()
    provider = ScriptedProvider(Script.model_validate({"turns": list(turns)}))
    connection = Connection(ref=REF, provider=provider, gate=gate or Gate(clock))
    return Engine(connect=lambda _: connection, clock=clock), connection


def run(
    *turns: dict[str, Any], sinks: Sequence[Sink] = (), box: Callable[[Emit], Any] = toolbox, **changed: Any
) -> Run:
    engine, _ = engine_of(*turns)
    return Run(engine, replace(REQUEST, **changed), toolbox=box, sinks=sinks, scope=CancelScope())


def code(result: RunResult) -> str | None:
    return result.error.code if result.error else None


def message(result: RunResult) -> str:
    return result.error.message if result.error else ""
