"""The requests of one process that share a token bucket: they wait in the order in which they came."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from finclaw_cli.batch.buckets import CAPACITY_MS, Buckets, Need, Taken, Taker, Wait
from finclaw_cli.batch.crowd import Crowd
from finclaw_cli.batch.limits import Kind, Reported
from finclaw_cli.batch.queue import QueueFailed
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.pacing import PacedRequest

USUAL_OUTPUT: Final = 500
"""How many tokens the first answer is expected to have."""
LEAST_SHARE: Final = 0.1
"""The least share of the latest request in a mean."""
PAUSE_S: Final = 2.0
"""How long a server is left alone that refuses requests without a time to wait."""
LONGEST_BLOCK_S: Final = 60.0
"""A request does not wait where a server is to be left alone for longer; its item is given back."""
LOOK_AGAIN_S: Final = 1.0
"""How often it is looked whether another process has written limits down, where none are known here."""


@dataclass(slots=True)
class _Mean:
    """The mean of what was seen, in which the latest counts most."""

    value: float
    seen: int = 0

    def add(self, value: float) -> None:
        self.seen += 1
        self.value += max(LEAST_SHARE, 1 / self.seen) * (value - self.value)


@dataclass(slots=True, eq=False)
class _Waiting:
    input_tokens: int
    turn: asyncio.Future[_Admitted]


@record
class _Admitted:
    taken: Taken
    since: int
    """What the crowd needs at the end."""


class PacedLane:
    """The way of one process to one bucket.

    Args:
        buckets: what all processes share.
        bucket: the id of the bucket.
        taker: the taker of this process.
        limits: those of the settings.
        concurrency: the most requests at once.
        on_change: called when a request waits no longer, and when it is known whether there are limits.
    """

    def __init__(
        self,
        buckets: Buckets,
        bucket: str,
        taker: Taker,
        *,
        limits: Mapping[Kind, int],
        concurrency: int,
        on_change: Callable[[], None],
    ) -> None:
        self.is_limited = True
        """Whether limits are known; True until that was looked up."""
        self._buckets = buckets
        self._bucket = bucket
        self._taker = taker
        self._limits = limits
        self._on_change = on_change
        self._crowd = Crowd(concurrency)
        self._waiting: deque[_Waiting] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._output = _Mean(USUAL_OUTPUT)
        self._counted = _Mean(1.0)
        """How many tokens of input count for the limit, for one that is expected; cached ones may not."""
        self._reported: dict[Kind, int] = {}
        self._probe = 0
        self._looked_at = 0.0
        self._blocked_until = 0.0
        self._changed = asyncio.Event()

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return len(self._waiting)

    @property
    def is_blocked(self) -> bool:
        """Whether the server is left alone for long."""
        return time.monotonic() < self._blocked_until

    @asynccontextmanager
    async def admitted(self, input_tokens: int) -> AsyncGenerator[PacedRequest, None]:
        """Wait until a request may be made, and make it in the block."""
        admitted = await self._entered(input_tokens)
        request, failed = PacedRequest(), None
        try:
            yield request
        except ProviderError as error:
            failed = error
            raise
        finally:
            await self._ended(admitted, input_tokens, request.usage, failed)

    def answered(self, reports: Sequence[Reported], after_s: float) -> Coroutine[Any, Any, None] | None:
        """Take the limits that an answer names; returns what is to be written down."""
        probe, self._probe = self._probe, 0
        news = [each for each in reports if self._is_news(each, after_s)]
        self._reported.update({each.kind: each.most for each in reports})
        if after_s * 1000 > CAPACITY_MS:  # by now more is left
            news = [replace(each, left=None) for each in news]
        return self._written(news, probe) if news or probe else None

    def close(self) -> None:
        """Let nothing wait any more."""
        if self._pump is not None:
            self._pump.cancel()

    def _is_news(self, report: Reported, after_s: float) -> bool:
        if self._reported.get(report.kind) != report.most:
            return True
        is_late = after_s * 1000 > CAPACITY_MS
        return report.left is not None and not is_late and report.left * 60_000 < CAPACITY_MS * report.most

    async def _written(self, news: Sequence[Reported], probe: int) -> None:
        if probe:
            await self._reopen(probe, is_answered=True)
        if news:
            self.is_limited = True
            await self._buckets.correct(self._bucket, news)

    async def _entered(self, input_tokens: int) -> _Admitted:
        if not self.is_limited and not self._waiting and self._crowd.has_room and not self._is_time_to_look():
            return _Admitted(Taken(need=Need(input=input_tokens), is_limited=False), self._crowd.enter())
        waiting = _Waiting(input_tokens, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._pump is None or self._pump.done():
            self._pump = asyncio.create_task(self._serve())
        try:
            return await asyncio.shield(waiting.turn)
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif waiting.turn.done() and waiting.turn.exception() is None:  # it came at the same moment
                await self._ended(waiting.turn.result(), input_tokens, None, None)
            raise

    def _is_time_to_look(self) -> bool:
        now = time.monotonic()
        if now - self._looked_at < LOOK_AGAIN_S:
            return False
        self._looked_at = now
        return True

    async def _serve(self) -> None:
        """Admit one request after the other, until none waits."""
        try:
            if self._looked_at == 0.0 or not self.is_limited:
                self._looked_at = time.monotonic()
                self.is_limited = await self._buckets.choose(self._bucket, self._limits)
                self._on_change()
            while self._waiting:
                await self._crowd.room()
                if self._waiting:
                    await self._serve_first()
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            self._refuse(error)

    async def _serve_first(self) -> None:
        expected = self._waiting[0].input_tokens
        need = Need(input=round(expected * self._counted.value), output=round(self._output.value))
        taken = await self._buckets.take(self._bucket, self._taker, need)
        if isinstance(taken, Wait):
            await self._pause(taken)
            return
        self._probe = taken.probe or self._probe
        admitted = _Admitted(taken, self._crowd.enter())
        if not self._waiting:
            await self._ended(admitted, expected, None, None)
            return
        self._waiting.popleft().turn.set_result(admitted)
        self._on_change()

    async def _pause(self, wait: Wait) -> None:
        if wait.blocked_s > LONGEST_BLOCK_S:  # the time of a run goes on while it waits
            self._blocked_until = time.monotonic() + wait.blocked_s
            message = f"the server is left alone for {wait.blocked_s:.0f} s more, as it asked for"
            self._refuse(ProviderError(message, reason="rate_limit", retry_after_s=wait.blocked_s))
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(wait.look_again_s):
                await self._changed.wait()
        self._changed.clear()

    def _refuse(self, error: Exception) -> None:
        while self._waiting:
            self._waiting.popleft().turn.set_exception(error)

    async def _reopen(self, probe: int, *, is_answered: bool) -> None:
        await self._buckets.reopen(self._bucket, probe, is_answered=is_answered)
        self._changed.set()

    async def _ended(
        self, admitted: _Admitted, expected: int, usage: Usage | None, failed: ProviderError | None
    ) -> None:
        taken = admitted.taken
        self._crowd.leave(admitted.since, failed)
        if usage is not None and failed is None:
            self._output.add(usage.output)
            self._counted.add((usage.input + usage.cache_write) / max(1, expected))
        with suppress(QueueFailed):  # the queue reports it, with the next change
            if failed is not None and failed.reason == "rate_limit":
                self.is_limited = True
                await self._buckets.block(self._bucket, failed.retry_after_s or PAUSE_S, taken.probe)
                self._changed.set()
            elif taken.probe:
                await self._reopen(taken.probe, is_answered=usage is not None and failed is None)
            if taken.is_limited:
                await self._settle(taken, usage)

    async def _settle(self, taken: Taken, usage: Usage | None) -> None:
        used = replace(taken.need, input=0, output=0)
        if usage is not None:
            used = replace(used, input=usage.input + usage.cache_write, output=usage.output, cached=usage.cache_read)
        if used != taken.need:
            await self._buckets.settle(self._bucket, taken, used)
            self._changed.set()
