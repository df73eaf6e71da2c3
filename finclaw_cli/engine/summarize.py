"""Asking a model for a summary of the old part of a conversation: a request like any other, but it is not shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from finclaw_cli.core.clean import without_hidden
from finclaw_cli.core.clock import Clock
from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import ProviderError, ProviderFailure
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.context.summary import RULES, summary_question
from finclaw_cli.engine.model_requests import ModelRequestRunner
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.engine.retry import RetryPolicy, retried
from finclaw_cli.engine.side_requests import SideRequests
from finclaw_cli.engine.spending import Expected

# Who fails like this is not asked for another summary in the same run: that would only be waited for, too.
HOPELESS: frozenset[ProviderFailure] = frozenset({"auth", "quota", "timeout"})
# How many times the room that it was given a summary may have before it is cut off: words are not tokens.
ENOUGH = 3
# A window that has less than this left for the summary is too small for the question.
LEAST_TOKENS = 512


class Summarizer:
    """Has summaries written by one model, for one run."""

    def __init__(
        self,
        connection: Connection,
        *,
        left: Callable[[Sequence[Message]], int],
        expected: Callable[[Sequence[Message]], Expected],
        exchange: ModelRequestRunner,
        clock: Clock,
        retry: RetryPolicy,
        within_s: float,
    ) -> None:
        self._connection = connection
        self._left = left
        self._expected = expected
        self._ask = SideRequests(connection, exchange, purpose="compaction", within_s=within_s)
        self._clock = clock
        # Who has to be waited for longer than a summary may take is not waited for.
        self._retry = replace(retry, max_retry_after_s=min(retry.max_retry_after_s, within_s))
        self._within_s = within_s
        self._given_up: str | None = None

    @property
    def ref(self) -> ModelRef:
        """Who writes."""
        return self._connection.ref

    async def __call__(self, turn: int, messages: Sequence[Message], room: int) -> str:
        """A summary in about `room` tokens at most; `left` is what a question leaves of the writer's window.

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
        attempt = partial(self._attempt, turn, request, deadline)
        try:
            written = await attempt()
        except ProviderError as error:
            written = await retried(
                attempt,
                error,
                policy=self._retry,
                clock=self._clock,
                on_retry=self._wait_for_the_others,
                may_retry=lambda: self._given_up is None,
            )
        return environment().secrets.mask(without_hidden(written))

    async def _wait_for_the_others(self, error: ProviderError, delay_s: float) -> None:
        if error.reason == "rate_limit":
            self._connection.gate.pause(delay_s)

    async def _attempt(self, turn: int, request: ModelRequest, deadline: float) -> str:
        try:
            return await self._ask(turn, request, self._expected(request.messages), deadline)
        except ProviderError as error:
            if error.reason in HOPELESS:
                self._given_up = error.message
            raise
