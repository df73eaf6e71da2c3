"""Asking a model for a summary of the old part of a conversation: a request like any other, but nobody is shown it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from finclaw_cli.context.summary import RULES, summary_question
from finclaw_cli.core.clean import without_hidden
from finclaw_cli.core.clock import Clock
from finclaw_cli.core.errors import ProviderError, ProviderFailure
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import Chronicle, ModelRequest, SummaryCall
from finclaw_cli.core.usage import StopReason, Usage, added
from finclaw_cli.masking.secrets import PROCESS
from finclaw_cli.resilience.deadline import ProgressTimeout
from finclaw_cli.resilience.retry import RetryPolicy, with_retry
from finclaw_cli.runner.assemble import Assembled, Assembler
from finclaw_cli.runner.connection import Connection
from finclaw_cli.runner.request import ModelRef, RunLimits

# Who fails like this is not asked for another summary in the same run: that would only be waited for, too.
HOPELESS: frozenset[ProviderFailure] = frozenset({"auth", "quota", "timeout"})
# Half a sentence may be half a figure.
WHOLE: frozenset[StopReason] = frozenset({"end_turn", "stop_sequence", "unknown"})
# How many times the room that it was given a summary may have before it is cut off: words are not tokens.
ENOUGH = 3
# A window that has less than this left for the summary is too small for the question.
LEAST_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Spent:
    """How often a summary was asked for, and what that took."""

    calls: int = 0
    usage: Usage | None = None


class Summarizer:
    """Has summaries written by one model, for one run, and keeps count of what they take."""

    def __init__(
        self,
        connection: Connection,
        *,
        left: Callable[[Sequence[Message]], int],
        chronicle: Chronicle,
        clock: Clock,
        retry: RetryPolicy,
        limits: RunLimits,
        within_s: float,
    ) -> None:
        self._connection = connection
        self._left = left
        self._chronicle = chronicle
        self._clock = clock
        # Who has to be waited for longer than a summary may take is not waited for.
        self._retry = replace(retry, max_retry_after_s=min(retry.max_retry_after_s, within_s))
        self._within_s = within_s
        self._limits = limits
        self._calls = 0
        self._given_up: str | None = None
        self._spent = Spent()

    @property
    def ref(self) -> ModelRef:
        """Who writes."""
        return self._connection.ref

    async def __call__(self, turn: int, messages: Sequence[Message], room: int) -> str:
        """A summary in about `room` tokens at most; `left` says what a question leaves of the writer's window.

        Raises:
            ProviderError: the model gave none.
        """
        if self._given_up is not None:
            raise ProviderError(f"{self.ref} is not asked again: {self._given_up}", reason="bad_request")
        question = (Message("user", summary_question(messages, room)),)
        left = self._left(question)
        if left < LEAST_TOKENS:
            raise ProviderError(f"it does not fit the window of {self.ref}", reason="context_exceeded")
        enough = min(left, max(room * ENOUGH, LEAST_TOKENS))
        request = ModelRequest(model=self._connection.ref.model, messages=question, system=RULES, window_left=enough)
        deadline = asyncio.get_running_loop().time() + self._within_s
        written = await with_retry(
            lambda: self._attempt(turn, request, deadline),
            policy=self._retry,
            clock=self._clock,
            on_retry=self._wait_for_the_others,
            may_retry=lambda: self._given_up is None,
        )
        return PROCESS.mask(without_hidden(written.message.text))

    def spent(self) -> Spent:
        """What was asked since this was asked last, and what that took."""
        spent, self._spent = self._spent, Spent()
        return spent

    async def _wait_for_the_others(self, error: ProviderError, delay_s: float) -> None:
        if error.reason == "rate_limit":
            self._connection.gate.pause(delay_s)

    async def _attempt(self, turn: int, request: ModelRequest, deadline: float) -> Assembled:
        self._calls += 1
        provider = self._connection.ref.provider
        await self._chronicle.asked(request, provider=provider, turn=turn, attempt=self._calls, purpose="compaction")
        assembler = Assembler()
        call: SummaryCall | None = None
        try:
            written = await self._in_time(self._written(request, assembler), deadline)
            call = SummaryCall(text=written.message.text, usage=written.usage)
        except ProviderError as error:
            call = SummaryCall(usage=assembler.usage, error=error.message, reason=error.reason)
            if error.reason in HOPELESS:
                self._given_up = error.message
            raise
        finally:
            if call is None:
                call = SummaryCall(usage=assembler.usage, error="it was cut off")
            self._spent = Spent(self._spent.calls + 1, added(self._spent.usage, call.usage))
            await self._chronicle.summarised(call)
        return written

    async def _in_time(self, work: Coroutine[Any, Any, Assembled], deadline: float) -> Assembled:
        try:
            async with asyncio.timeout_at(deadline):
                return await work
        except TimeoutError:
            raise ProviderError(f"it took longer than {self._within_s:g} s", reason="timeout") from None

    async def _written(self, request: ModelRequest, assembler: Assembler) -> Assembled:
        limits = self._limits
        async with self._connection.gate:
            stream = self._connection.provider.stream(request)
            try:
                async with (
                    aclosing(stream),
                    ProgressTimeout(first_s=limits.first_chunk_s, idle_s=limits.idle_s) as progress,
                ):
                    async for chunk in stream:
                        assembler.add(chunk)
                        progress.touch()
            except TimeoutError:
                raise ProviderError(f"{self.ref} sent nothing for too long", reason="timeout") from None
        written = assembler.turn()
        if written.stop_reason not in WHOLE:
            raise ProviderError(f"{self.ref} stopped with {written.stop_reason!r}", reason="bad_request")
        return written
