"""Requests of one process wait for their turn at the token buckets of their servers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from finclaw_cli.batch.buckets import Buckets, Taker
from finclaw_cli.batch.limits import chosen_limits, family, fingerprint, reported_limits
from finclaw_cli.batch.paced_lane import PacedLane
from finclaw_cli.core.record import record
from finclaw_cli.engine.pacing import PacedRequest, Pacer
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.settings.tables import ModelSettings

MOST_WAITING: Final = 16
"""No further item is begun while so many requests wait: the time of a run goes on while it waits."""


class Pacing:
    """The rate limits of all servers, as one taker sees them.

    Args:
        buckets: what all processes share.
        taker: the taker of this process.
        concurrency: the most requests at once.
        most_waiting: no further item is begun while so many requests wait.
    """

    def __init__(self, buckets: Buckets, taker: Taker, concurrency: int, *, most_waiting: int = MOST_WAITING) -> None:
        self._most_waiting = most_waiting
        self.on_change: Callable[[], None] = _nothing
        """Called when fewer requests wait than before."""
        self._buckets = buckets
        self._taker = taker
        self._concurrency = concurrency
        self._lanes: dict[str, PacedLane] = {}
        self._writing: set[asyncio.Task[None]] = set()

    @property
    def room(self) -> int:
        """How many further requests may begin to wait."""
        lanes = self._lanes.values()
        if any(lane.is_blocked for lane in lanes):
            return 0
        if lanes and not any(lane.is_limited for lane in lanes):
            return self._concurrency
        return max(0, self._most_waiting - sum(lane.waiting for lane in lanes))

    def of(self, models: Mapping[str, ModelSettings]) -> SettingsPacing:
        """The same with the limits of these settings, by `provider:model`."""
        return SettingsPacing(pacing=self, models=models)

    def lane(self, bucket: str, model: ModelSettings | None) -> PacedLane:
        """The way to a bucket."""
        lane = self._lanes.get(bucket)
        if lane is None:
            limits = chosen_limits(model)
            lane = self._lanes[bucket] = PacedLane(
                self._buckets, bucket, self._taker,
                limits=limits, concurrency=self._concurrency, on_change=self._changed,
            )  # fmt: skip
        return lane

    def write(self, work: Coroutine[Any, Any, None]) -> None:
        """Write something down without waiting for it."""
        task = asyncio.create_task(work)
        self._writing.add(task)
        task.add_done_callback(self._written)

    async def aclose(self) -> None:
        """Write down what is left to be."""
        for lane in self._lanes.values():
            lane.close()
        if self._writing:
            await asyncio.wait(self._writing)

    def _changed(self) -> None:
        self.on_change()

    def _written(self, task: asyncio.Task[None]) -> None:
        self._writing.discard(task)
        if not task.cancelled():
            task.exception()  # the queue reports it, with the next change


@record(kw_only=True)
class SettingsPacing:
    """A `Pacing` with the limits of settings."""

    pacing: Pacing
    models: Mapping[str, ModelSettings]

    def pacer(self, provider: str, config: ProviderConfig) -> Pacer:
        """The rate limits of one provider and key."""
        return _Pacer(pacing=self.pacing, models=self.models, provider=provider, key=fingerprint(provider, config))


@record(kw_only=True)
class _Pacer:
    pacing: Pacing
    models: Mapping[str, ModelSettings]
    provider: str
    key: str

    def admitted(self, model: str, input_tokens: int) -> AbstractAsyncContextManager[PacedRequest]:
        return self._lane(model).admitted(input_tokens)

    def answered(self, model: str, headers: Mapping[str, str], after_s: float) -> None:
        lane = self._lane(model)
        if (work := lane.answered(list(reported_limits(headers)), after_s)) is not None:
            self.pacing.write(work)

    def _lane(self, model: str) -> PacedLane:
        return self.pacing.lane(f"{self.key}:{family(model)}", self.models.get(f"{self.provider}:{model}"))


def _nothing() -> None:
    pass
