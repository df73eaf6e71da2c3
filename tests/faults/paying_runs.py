"""Runs with a tool that pays, over a real engine: what each of them paid, and what was reported of its calls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.events.agent import AgentStart, AgentToolCall, Emitted
from finclaw_cli.core.events.parts import Limits
from finclaw_cli.core.ids import new_run_id
from finclaw_cli.core.messages import Message, ToolCall
from finclaw_cli.core.ports import Provider
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.engine.cancel import CancelScope
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.lanes import Gate, Lanes
from finclaw_cli.engine.request import ModelRef, RunRequest, RunResult
from finclaw_cli.engine.retry import RetryPolicy
from finclaw_cli.engine.run import Run
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.policy.stages import OWN_STAGES
from finclaw_cli.sdk import tool
from finclaw_cli.testing.tools import tool_context
from finclaw_cli.tools.batch import RegistryToolbox
from finclaw_cli.tools.define import define_all
from finclaw_cli.tools.executor import ExecutorSettings, ToolServices
from finclaw_cli.tools.null_services import AutoApprover, NoHooks, NoJournal
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry

AT_ONCE = 24
MODEL = ModelRef(provider="test", model="test-model")
PAID: dict[str, list[str]] = {}


@tool(group="finance", transactional=True)
async def pay(to: str, amount: str, ctx: ToolContext) -> str:
    """Pay.

    Args:
        to: whom.
        amount: how much.
    """
    PAID.setdefault(ctx.run_id, []).append(f"{amount} to {to}")
    return f"{amount} to {to}"


(PAY,) = define_all(pay)


START = AgentStart(
    finclaw_version="0",
    session_id="run_test",
    agent_id="default",
    models=(str(MODEL),),
    scripted=False,
    channel="pipe",
    tools=(),
    plugins_failed=(),
    limits=Limits(
        max_turns=2,
        timeout_s=60,
        first_chunk_s=60,
        idle_s=60,
        max_tool_calls=2,
        max_result_chars=99,
        max_cost_usd=None,
    ),
)


@dataclass(frozen=True, kw_only=True)
class Played:
    """How a run ended, what it paid, and the states of its calls that were reported."""

    result: RunResult
    paid: list[str]
    states: list[str]


class Player:
    """Real runs against one server, many at a time; every request for an approval is granted."""

    def __init__(self, provider: Provider, attempts: int = 1) -> None:
        clock = SystemClock()
        connection = Connection(ref=MODEL, provider=provider, gate=Gate(clock, max_requests=AT_ONCE))
        self._engine = Engine(
            connect=lambda _: connection,
            lanes=Lanes(max_running=AT_ONCE, max_queued=100_000),
            retry=RetryPolicy(attempts=attempts, base_s=0),
            clock=clock,
        )
        self._registry = ToolRegistry([ToolEntry(spec=PAY, origin="test", load=lambda: PAY)])
        policy = StagedPolicy(stages=OWN_STAGES)
        self._services = ToolServices(
            policy=policy, approver=AutoApprover("test"), journal=NoJournal(), hooks=NoHooks()
        )

    async def run(self, question: str) -> Played:
        """Ask one question."""
        run_id = new_run_id()
        states: list[str] = []

        class Recorder:
            async def take(self, emitted: Emitted) -> None:
                if isinstance(emitted.event, AgentToolCall) and emitted.event.status != "announced":
                    states.append(emitted.event.status)

        def context(call: ToolCall, turn: int) -> ToolContext:
            return tool_context(run_id=run_id, session_id=run_id, turn=turn, call_id=call.id)

        request = RunRequest(
            start=START,
            run_id=run_id,
            session_id=run_id,
            agent_id="default",
            messages=(Message("user", question),),
            models=(MODEL,),
            tools=(PAY,),
        )
        toolbox = partial(RegistryToolbox, self._registry, self._services, context, ExecutorSettings())
        result = await Run(self._engine, request, toolbox=toolbox, sinks=[Recorder()], scope=CancelScope())()
        return Played(result=result, paid=PAID.pop(run_id, []), states=states)
