"""Calling a model until it answers or no model is left: attempts, then failover."""

from __future__ import annotations

from collections.abc import Awaitable, Collection
from typing import Literal

from finclaw_cli.core.chunks import Done, ReasoningDelta, StreamChunk, TextDelta, ToolUseStart
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.events.agent import (
    AgentDelta,
    AgentFailover,
    AgentReasoning,
    AgentRetry,
    AgentToolCall,
    AgentWarning,
)
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import Emit, ModelRequest, Selective
from finclaw_cli.engine.assemble import Assembled, Assembler, TextJoiner
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.context_window import ContextWindow
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.model_requests import ModelRequestRunner
from finclaw_cli.engine.request import ModelRef, RunRequest
from finclaw_cli.engine.retry import retried
from finclaw_cli.engine.spending import RequestPosition
from finclaw_cli.engine.state_machine import Machine

TOO_LARGE = (
    "The last question always goes with it: ask for less at a time, begin a new session, or use a model with a larger "
    "window."
)


class ModelCaller:
    """Asks the models of one run. Once a model has been given up for the next, it is not asked again in this run."""

    def __init__(
        self,
        engine: Engine,
        request: RunRequest,
        *,
        exchange: ModelRequestRunner,
        machine: Machine,
        emit: Emit,
        room: ContextWindow,
        used_ids: Collection[str],
    ) -> None:
        self._engine = engine
        self._request = request
        self._connections = [engine.connect(ref) for ref in request.models]
        self._exchange = exchange
        self._machine = machine
        self._emit = emit
        self._room = room
        self._used_ids = used_ids
        self._turn = 0
        self._refused_turn = 0
        self._without_temperature: set[ModelRef] = set()
        self._assembler = Assembler()
        self._joiner = TextJoiner()
        self.attempt = 0

    @property
    def model(self) -> ModelRef:
        """The model that is asked now."""
        return self._connections[0].ref

    @property
    def connection(self) -> Connection:
        """The connection to it."""
        return self._connections[0]

    @property
    def partial_text(self) -> str:
        """The text of the attempt under way."""
        return self._assembler.text

    async def ask(self, turn: int) -> Assembled:
        """Stream one turn, telling of every delta, retry and failover.

        Raises:
            ProviderError: no attempt and no model gave a whole turn.
        """
        self._turn, self.attempt = turn, 0
        while True:
            try:
                return await self._attempt()
            except ProviderError as error:
                failed = error
            try:
                return await self._retried(failed)
            except ProviderError as error:
                if not await self._goes_on(error):
                    raise self._explained(error) from error.__cause__

    async def _retried(self, failed: ProviderError) -> Assembled:
        return await retried(
            self._attempt,
            failed,
            policy=self._engine.retry,
            clock=self._engine.clock,
            on_retry=self._emit_retry,
            may_retry=self._may_repeat,
        )

    async def _goes_on(self, error: ProviderError) -> bool:
        """Whether the turn can be tried again: with a smaller conversation, once, or by the next model."""
        if not self._may_repeat():
            return False
        if error.reason == "context_exceeded" and self._refused_turn != self._turn:
            self._refused_turn = self._turn
            if await self._room.refused(self._turn, self.model, error):
                await self._emit_retry(error, 0.0)
                return True
        if error.fails_over and len(self._connections) > 1:
            await self._fail_over(error)
            return True
        return False

    def _explained(self, error: ProviderError) -> ProviderError:
        asked = error.retry_after_s or 0.0
        if error.retryable and asked > self._engine.retry.max_retry_after_s:
            error.hint = f"The server asks for {asked:.0f} s of patience; try again then, or name a --fallback."
        error.hint = error.hint or self._hint(error)
        return error

    def _hint(self, error: ProviderError) -> str | None:
        if error.reason == "context_exceeded":
            return TOO_LARGE
        if error.reason != "auth":
            return None
        variable = self._connections[0].key_variable
        return f"Set {variable} to a valid key." if variable else "Check the key."

    def _may_repeat(self) -> bool:
        return self._request.retractable or not self._assembler.text

    async def _emit_retry(self, error: ProviderError, delay_s: float) -> None:
        if error.reason == "rate_limit":
            self._connections[0].gate.pause(delay_s)
        await self._begin_again("retry")
        await self._emit(
            AgentRetry(
                turn=self._turn,
                attempt=self.attempt + 1,
                delay_s=round(delay_s, 3),
                code=error.code,
                reason=error.reason,
                message=error.message,
                provider_code=error.provider_code,
            )
        )

    async def _begin_again(self, cause: Literal["retry", "failover"]) -> None:
        """Drop what the failed attempt has streamed: a run that ends before the next one has none of it."""
        self._assembler = Assembler(self._used_ids)
        await self._machine.move("idle", cause)

    async def _fail_over(self, error: ProviderError) -> None:
        left = self._connections.pop(0)
        await self._begin_again("failover")
        await self._emit(
            AgentFailover(
                turn=self._turn,
                attempt=self.attempt + 1,
                model_from=str(left.ref),
                model_to=str(self.model),
                code=error.code,
                reason=error.reason,
                message=error.message,
                provider_code=error.provider_code,
            )
        )

    async def _attempt(self) -> Assembled:
        self.attempt += 1
        self._assembler = Assembler(self._used_ids)
        connection = self._connections[0]
        messages = await self._room.messages(self._turn, connection.ref)
        async with connection.gate:
            await self._machine.move("streaming")
            return await self._streamed(connection, messages)

    async def _streamed(self, connection: Connection, messages: tuple[Message, ...]) -> Assembled:
        self._joiner = TextJoiner()
        turn = await self._exchange(
            connection,
            self.model_request(messages),
            RequestPosition(turn=self._turn, attempt=self.attempt),
            self._room.expected(connection.ref),
            streamed=self._assembler,
            take=self._take,
        )
        await self._warn_of_left_out(connection)
        if turn.stop_reason == "context_exceeded" and not turn.message.text.strip():
            ref = connection.ref
            raise ProviderError(
                f"the conversation no longer fits the window of {ref}",
                reason="context_exceeded",
                provider=ref.provider,
                hint=TOO_LARGE,
            )
        return turn

    async def _warn_of_left_out(self, connection: Connection) -> None:
        """Warn once per model that the request was sent without the temperature."""
        if self._request.temperature is None or connection.ref in self._without_temperature:
            return
        provider = connection.provider
        if isinstance(provider, Selective) and "temperature" in provider.left_out(connection.ref.model):
            self._without_temperature.add(connection.ref)
            message = f"{connection.ref} takes no temperature: the request was sent without it"
            await self._emit(AgentWarning(code="temperature_ignored", message=message))

    def _take(self, chunk: StreamChunk) -> Awaitable[None] | None:
        match chunk:
            case TextDelta():
                return self._say(self._joiner.feed(chunk.text))
            case ReasoningDelta():
                self._assembler.add(chunk)
                text = self._joiner.feed(chunk.text)
                return self._emit(AgentReasoning(turn=self._turn, attempt=self.attempt, text=text))
            case ToolUseStart():
                return self._announce(self._assembler.begin_call(chunk), chunk.name)
            case Done():
                shown = self._say(self._joiner.flush())
                self._assembler.add(chunk)
                return shown
            case _:
                self._assembler.add(chunk)
                return None

    async def _announce(self, call_id: str, name: str) -> None:
        """Emit that the model writes a call; none is run before the turn is whole.

        The call comes before the move: a recording that was cut off between them is verified by the call.
        """
        await self._emit(AgentToolCall(turn=self._turn, call_id=call_id, name=name, status="announced"))
        if self._machine.state == "streaming":
            await self._machine.move("tool_use")

    def _say(self, text: str) -> Awaitable[None] | None:
        if not text:
            return None
        self._assembler.say(text)
        return self._emit(AgentDelta(turn=self._turn, attempt=self.attempt, text=text))

    def model_request(self, messages: tuple[Message, ...]) -> ModelRequest:
        """The request for a turn after these messages."""
        request = self._request
        return ModelRequest(
            model=self.model.model,
            messages=messages,
            system=request.system,
            state=request.state,
            tools=self._room.tools,
            temperature=request.temperature,
            max_output_tokens=request.max_output_tokens,
            window_left=self._room.left(self.model),
            model_limit=self._engine.windows.most_output(self.model),
            schema=request.schema,
        )
