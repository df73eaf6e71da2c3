"""The loop: ask the model, run what it asked for, ask again, until it has answered or a limit is reached."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

from finclaw_cli.core import exits
from finclaw_cli.core.bus import Bus
from finclaw_cli.core.errors import (
    BudgetReached,
    FinclawError,
    OutputFailed,
    SchemaUnsatisfied,
    ToolCallLimit,
    TurnLimit,
    unexpected,
)
from finclaw_cli.core.events.agent import AgentTurnComplete, AgentTurnStart, AgentWarning
from finclaw_cli.core.events.internal import ExecutionLane
from finclaw_cli.core.events.offered import AgentTools
from finclaw_cli.core.events.parts import OfferedTool
from finclaw_cli.core.interruption import Interruption, OutOfTime
from finclaw_cli.core.messages import Message, ToolCall
from finclaw_cli.core.ports import ConversationLog, Emit, EventSink, Toolbox
from finclaw_cli.engine.answer import AnswerSchema, repair_request
from finclaw_cli.engine.assemble import Assembled
from finclaw_cli.engine.cancel import (
    CANCELLED_BY_OTHERS,
    Cancellation,
    CancelScope,
    RunCancelled,
    take_back_cancellation,
)
from finclaw_cli.engine.context_window import ContextWindow
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.grounding import Grounding
from finclaw_cli.engine.lanes import Step
from finclaw_cli.engine.model_caller import ModelCaller
from finclaw_cli.engine.model_requests import ModelRequestRunner
from finclaw_cli.engine.null_log import NULL_CONVERSATION_LOG
from finclaw_cli.engine.number_sources import number_sources
from finclaw_cli.engine.request import RunRequest, RunResult
from finclaw_cli.engine.run_state import RunState, cause_of, last_events, message_json
from finclaw_cli.engine.spending import Spending
from finclaw_cli.engine.state_machine import Machine
from finclaw_cli.engine.tally import Tally
from finclaw_cli.tools.processes.process_tree import CallEnded

# The turn of calls that another run has left.
LEFT_OVER = 0
NOT_VALID = "the answer is not valid against the schema: "


class Run:
    """One prompt taken to its answer. Made for one use."""

    def __init__(
        self,
        engine: Engine,
        request: RunRequest,
        *,
        toolbox: Callable[[Emit], Toolbox],
        sinks: Sequence[EventSink],
        scope: CancelScope,
        log: ConversationLog = NULL_CONVERSATION_LOG,
    ) -> None:
        self._engine = engine
        self._request = request
        self._scope = scope
        self._log = log
        self._tally = Tally()
        self._emit = Bus(request.run_id, engine.clock, (*sinks, self._tally)).emit
        self._toolbox = toolbox(self._emit)
        self._machine = Machine(self._emit)
        self._record = RunState(request.messages, request.kept_messages)
        self._spending = Spending(engine, self._emit)
        self._exchange = ModelRequestRunner(spending=self._spending, log=log, limits=request.limits)
        self._room = ContextWindow(engine, request, self._record, emit=self._emit, exchange=self._exchange)
        self._asker: ModelCaller | None = None
        self._schema = AnswerSchema(request.schema) if request.schema is not None else None
        self._grounding = Grounding(request.verify_numbers, self._emit)
        self._repaired = False

    async def __call__(self) -> RunResult:
        """Run to the end, whatever the end is. Raises nothing: every failure is a result."""
        started = self._engine.clock.monotonic()
        error: FinclawError | None = None
        try:
            await self._begin()
            await self._scope.run(self._turns(), limit=(self._request.limits.timeout_s, self._over()))
        except FinclawError as raised:
            error = raised
        except (OutOfTime, CallEnded):  # raised in what blocked the event loop, where the time of the run was up
            error = RunCancelled(self._over())
        except asyncio.CancelledError:
            error = RunCancelled(CANCELLED_BY_OTHERS)
        except Interruption:
            raise
        except BaseException as raised:  # noqa: BLE001 - a bug of ours must not cost the result line
            error = unexpected(raised)
        await take_back_cancellation()
        error = await self._end_tools() or error
        duration_ms = round((self._engine.clock.monotonic() - started) * 1000)
        result = await self._finish(error, duration_ms)
        await take_back_cancellation()
        return result

    async def _end_tools(self) -> FinclawError | None:
        """End what tools have left running, before the result is reported: after that nothing of the run is left."""
        try:
            await self._toolbox.close()
        except Exception as raised:  # noqa: BLE001 - nor must this cost the result line
            return unexpected(raised)
        return None

    async def _begin(self) -> None:
        await self._emit(self._request.start)
        for event in self._request.noticed:
            await self._emit(event)
        if self._request.refused is not None:
            raise self._request.refused
        self._grounding.add_messages(self._request.messages[: self._request.kept_messages])
        for message in self._request.messages[self._request.kept_messages :]:
            await self._keep(message)

    async def _keep(self, message: Message) -> None:
        self._record.kept_messages += 1
        self._grounding.add_messages([message])
        await self._log.add_message(message)

    def _over(self) -> Cancellation:
        limit = self._request.limits.timeout_s
        return Cancellation(
            status="timeout", exit_code=exits.TIMEOUT, code="timeout", message=f"the run took longer than {limit:g} s"
        )

    async def _turns(self) -> None:
        """One turn after another, until the model calls no tool; in the order of the runs of this agent."""
        async with self._engine.lanes.slot(self._request.agent_id, self._emit_lane, self._request.session_id):
            asker = self._asker = self._model_caller()
            self._grounding.ask = number_sources(self._request, asker, self._record, self._room, self._exchange)
            if self._request.due:
                await self._answer_calls(self._request.due, LEFT_OVER)
            elif self._record.take_up_answer():
                await self._check_taken_up()
                await self._grounding.check(self._record.text)
                return
            for turn in range(1, self._request.limits.max_turns + 1):
                if await self._one_turn(asker, turn):
                    return
        raise TurnLimit(
            f"no answer within {self._request.limits.max_turns} turns",
            hint="Raise --max-turns, or ask for less at a time.",
        )

    async def _emit_lane(self, step: Step) -> None:
        await self._emit(ExecutionLane(agent_id=self._request.agent_id, step=step))

    def _model_caller(self) -> ModelCaller:
        return ModelCaller(
            self._engine,
            self._request,
            exchange=self._exchange,
            machine=self._machine,
            emit=self._emit,
            room=self._room,
            used_ids=self._record.call_ids,
        )

    async def _one_turn(self, asker: ModelCaller, turn: int) -> bool:
        """Take one turn; True when the run has its answer."""
        began = self._engine.clock.monotonic()
        self._record.turns = turn
        await self._emit(AgentTurnStart(turn=turn, model=str(asker.model)))
        await self._take_up_tools(turn)
        reply = await asker.ask(turn)
        cost = self._spending.last_cost_usd
        self._record.commit(reply, str(asker.model))
        if reply.is_kept:
            await self._keep(reply.message)
        ratio = await self._room.answered(turn, asker.model, reply)
        if reply.message.tool_calls:
            await self._answer_calls(reply.message.tool_calls, turn)
        duration_ms = round((self._engine.clock.monotonic() - began) * 1000)
        await self._emit_complete(reply, asker, duration_ms, ratio, cost)
        return await self._is_final(reply)

    async def _take_up_tools(self, turn: int) -> None:
        """Offer the tools as they are now, where they have changed."""
        if change := await self._toolbox.changed():
            self._room.offer(change.offered)
            await self._log.add_tools(change, turn)
            await self._emit(AgentTools(turn=turn, tools=tuple(map(OfferedTool.of, change.offered))))

    async def _answer_calls(self, calls: tuple[ToolCall, ...], turn: int) -> None:
        allowed = self._request.limits.max_tool_calls - self._record.tool_calls
        batch = self._toolbox.batch(calls, turn, allowed)
        try:
            await self._machine.move("executing")
            await batch.run()
        finally:
            # Also when cancelled: a call without its answer would make the conversation unusable.
            answer = self._record.answer(batch.results())
        # Only when whole: calls that were cut off stay open, for a run that continues the session.
        await self._keep(answer)
        if len(calls) > allowed:
            raise ToolCallLimit(
                f"the model asked for more than {self._request.limits.max_tool_calls} tool calls",
                hint="Raise --max-tool-calls, or ask for less at a time.",
            )

    async def _emit_complete(
        self, reply: Assembled, asker: ModelCaller, duration_ms: int, ratio: float, cost: Decimal | None
    ) -> None:
        complete = AgentTurnComplete(
            turn=self._record.turns, attempt=asker.attempt, model=str(asker.model), message=message_json(reply.message),
            stop_reason=reply.stop_reason, usage=reply.usage, cost_usd=cost, duration_ms=duration_ms,
            context_ratio=ratio,
        )  # fmt: skip
        await self._emit(complete)

    async def _is_final(self, reply: Assembled) -> bool:
        if reply.message.tool_calls:
            return False
        await self._machine.move("done")
        if reply.stop_reason == "max_tokens" and self._spending.is_short:
            raise BudgetReached(
                "the answer was cut off where the money for it ended", hint="Raise --max-cost or the [budget]."
            )
        goes_on = reply.stop_reason == "pause" and reply.is_kept  # else the same request would be made again
        if goes_on or not await self._satisfies_schema(reply):
            await self._machine.move("idle")
            return False
        await self._warn_of(reply)
        await self._grounding.check(reply.message.text)
        return True

    async def _warn_of(self, reply: Assembled) -> None:
        """Say what is odd about an answer that is none of the known failures."""
        if not reply.message.text.strip():
            await self._emit(AgentWarning(code="empty_answer", message="the model answered with nothing"))
        if reply.stop_reason == "unknown":
            message = f"the model stopped for a reason that is not known: {reply.detail or 'none was given'}"
            await self._emit(AgentWarning(code="unknown_stop", message=message))

    async def _check_taken_up(self) -> None:
        """An answer that another run had got before it was cut off.

        Raises:
            SchemaUnsatisfied: it is not what is asked for.
        """
        if self._schema is None:
            return
        self._record.output, problems = await self._schema.check(self._record.text)
        if problems:
            raise SchemaUnsatisfied(NOT_VALID + "; ".join(problems))

    async def _satisfies_schema(self, reply: Assembled) -> bool:
        """Check the answer against `--schema`; what does not fit is asked for once more.

        Raises:
            SchemaUnsatisfied: the second answer does not fit either.
        """
        if self._schema is None or reply.stop_reason not in {"end_turn", "stop_sequence"}:
            return True
        output, problems = await self._schema.check(reply.message.text)
        if not problems:
            self._record.output = output
            return True
        if self._repaired:
            raise SchemaUnsatisfied(NOT_VALID + "; ".join(problems))
        self._repaired = True
        request = Message("user", repair_request(problems))
        self._record.add(request)
        await self._keep(request)
        return False

    async def _finish(self, error: FinclawError | None, duration_ms: int) -> RunResult:
        if error is not None:
            self._record.ended_early(error, self._asker.partial_text if self._asker else "")
        await self._machine.end(cause_of(error))
        try:
            return await self._emit_end(error, duration_ms)
        except OutputFailed as failure:  # its record, which is made before the outputs
            return await self._emit_end(failure, duration_ms)

    async def _emit_end(self, error: FinclawError | None, duration_ms: int) -> RunResult:
        result = self._record.result(self._request, self._tally, self._spending, error, duration_ms)
        result = replace(result, counted=self._room.counted, numbers=self._grounding.counts)
        for event in last_events(self._request, result):
            await self._emit(event)
        return result
