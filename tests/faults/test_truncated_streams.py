"""No tool runs on a truncated stream: a turn with a payment in it, cut at every byte, in every way a stream can end."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest

from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.event_parts import Limits
from finclaw_cli.core.events import AgentStart, AgentToolCall, Emitted
from finclaw_cli.core.ids import new_run_id
from finclaw_cli.core.messages import Message, ToolCall
from finclaw_cli.core.ports import Provider
from finclaw_cli.core.tool import ToolContext
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.policy.stages import OWN_STAGES
from finclaw_cli.providers.config import ProviderConfig, TransportName
from finclaw_cli.resilience.lanes import Gate, Lanes
from finclaw_cli.resilience.retry import RetryPolicy
from finclaw_cli.runner.cancel import CancelScope
from finclaw_cli.runner.connection import Connection
from finclaw_cli.runner.engine import Engine
from finclaw_cli.runner.request import ModelRef, RunRequest, RunResult
from finclaw_cli.runner.run import Run
from finclaw_cli.sdk import tool
from finclaw_cli.testing.tools import tool_context
from finclaw_cli.tools.batch import RegistryToolbox
from finclaw_cli.tools.define import define_all
from finclaw_cli.tools.executor import Doors, ExecutorSettings
from finclaw_cli.tools.passthrough import NoHooks, NoJournal, Willing
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry
from tests.faults.paying_turns import DIALECTS, Dialect
from tests.wire.server import Reply, VectorServer
from tests.wire.transports import TRANSPORTS

LONG = os.environ.get("FINCLAW_FAULTS") == "long"
AT_ONCE = 24
RARELY = 17
MODEL = ModelRef(provider="test", model="test-model")


# How a stream ends early: politely, as a proxy's does whose own server is gone; without the last chunk; short of the
# length that was promised; by a reset.
WAYS = {
    "chunks that end": Reply(ending="clean", framing="chunked"),
    "an end of the connection": Reply(ending="clean", framing="close"),
    "no last chunk": Reply(ending="cut", framing="chunked"),
    **({"too few bytes": Reply(ending="cut", framing="length")} if LONG else {}),
    "a reset": Reply(ending="reset", framing="chunked"),
}
POLITE = ("chunks that end", "an end of the connection")
# Each way is taken at every third byte in one dialect, more rarely in the others; everywhere on demand. The transports
# take turns.
EVERYWHERE = {"anthropic": "chunks that end", "chat": "an end of the connection", "responses": "no last chunk"}


class CuttingServer(VectorServer):
    """Does to each request what the question in it asks for."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self._dialect = dialect
        self._asked: set[bytes] = set()

    def _reply_for(self, index: int) -> Reply:
        raw = self.requests[index].raw
        asked = re.search(rb"cut (always|once) at (\d+): ([a-z ]+)", raw)
        assert asked is not None
        if b"100 to Kim" in raw:
            return Reply(body=self._dialect.answer)
        how_often, at, way = asked.groups()
        if how_often == b"once" and asked[0] in self._asked:
            return Reply(body=self._dialect.turn)
        self._asked.add(asked[0])
        return replace(WAYS[way.decode()], body=self._dialect.turn, cut_at=int(at))


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


def code_of(question: str, result: RunResult, paid: list[str], told: list[str]) -> str:
    """The code of the typed failure, of a run that did nothing; "" where the run has its answer, after one payment."""
    if (error := result.error) is None:
        assert (result.text, paid) == ("Paid.", ["100 to Kim"]), question
        return ""
    assert isinstance(error, ProviderError), question
    assert (error.reason, result.exit_code, result.text) == ("connection", 4, ""), question
    # Nothing ran, nobody was told of a call, and none is in the conversation.
    assert (paid, told, len(result.messages)) == ([], [], 1), question
    return error.code


class Player:
    """Real runs against one server, many at a time; whoever is asked for consent gives it."""

    def __init__(self, server: CuttingServer, provider: Provider, attempts: int) -> None:
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
        self._doors = Doors(policy=policy, approver=Willing("test"), journal=NoJournal(), hooks=NoHooks())

    async def codes(self, way: str, cuts: Iterable[int], how_often: str = "always") -> set[str]:
        """The codes that runs end with whose turn is cut at these places."""
        questions = iter([f"Pay, cut {how_often} at {at}: {way}" for at in cuts])
        found: set[str] = set()

        async def one_after_another() -> None:
            for question in questions:
                found.add(await self._run(question))

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(one_after_another())
        return found

    async def _run(self, question: str) -> str:
        run_id = new_run_id()
        told: list[str] = []

        class Recorder:
            async def take(self, emitted: Emitted) -> None:
                if isinstance(emitted.event, AgentToolCall):
                    told.append(emitted.event.status)

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
        toolbox = partial(RegistryToolbox, self._registry, self._doors, context, ExecutorSettings())
        result = await Run(self._engine, request, toolbox=toolbox, sinks=[Recorder()], scope=CancelScope())()
        return code_of(question, result, PAID.pop(run_id, []), told)


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


def shared(cuts: range, transport: TransportName) -> range:
    """The cuts that are this transport's: all of them on demand, else its part."""
    return cuts if LONG else cuts[TRANSPORTS.index(transport) :: len(TRANSPORTS)]


@asynccontextmanager
async def playing(dialect: Dialect, transport: TransportName, attempts: int = 1) -> AsyncIterator[Player]:
    async with CuttingServer(dialect) as server:
        provider = dialect.create(ProviderConfig(api_key="sk-test", base_url=server.url, transport=transport))
        yield Player(server, provider, attempts)
        await provider.aclose()


each_dialect = pytest.mark.parametrize("name", DIALECTS)
each_transport = pytest.mark.parametrize("transport", TRANSPORTS)


@each_dialect
@each_transport
@pytest.mark.parametrize("way", WAYS)
async def test_no_cut_before_the_end_of_the_turn_runs_a_tool(name: str, way: str, transport: TransportName) -> None:
    dialect = DIALECTS[name]
    step = 1 if LONG else 3 if way == EVERYWHERE[name] else RARELY
    async with playing(dialect, transport) as player:
        codes = await player.codes(way, shared(range(0, dialect.whole, step), transport))
    assert codes == {"stream_truncated" if way in POLITE else "disconnected"}


@each_dialect
@each_transport
@pytest.mark.parametrize("way", WAYS)
async def test_behind_the_end_of_the_turn_the_tool_runs_once_or_the_run_fails(
    name: str, way: str, transport: TransportName
) -> None:
    dialect = DIALECTS[name]
    async with playing(dialect, transport) as player:
        codes = await player.codes(way, range(dialect.whole, len(dialect.turn) + 1, 1 if LONG else RARELY))
    # A connection may break before the end of the turn's last line was read.
    assert codes <= ({""} if way in POLITE else {"", "disconnected"})


@each_dialect
@each_transport
@pytest.mark.parametrize("way", [way for way in WAYS if way != "a reset"])
async def test_the_uncut_turn_runs_the_tool_once(name: str, way: str, transport: TransportName) -> None:
    dialect = DIALECTS[name]
    async with playing(dialect, transport) as player:
        assert await player.codes(way, [len(dialect.turn)]) == {""}


@each_dialect
@each_transport
@pytest.mark.parametrize("way", WAYS)
async def test_a_retry_of_a_cut_turn_pays_once(name: str, way: str, transport: TransportName) -> None:
    dialect = DIALECTS[name]
    cuts = shared(range(0, dialect.whole, 10 if LONG else 101), transport)
    async with playing(dialect, transport, attempts=2) as player:
        assert await player.codes(way, cuts, "once") == {""}
