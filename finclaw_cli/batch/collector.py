"""Questions of a batch's items, collected into rounds: when all runs wait for their models, one batch is made."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, cast

from finclaw_cli.batch.round_trip import RoundTimes, RoundTrip, custom_id
from finclaw_cli.batch.rounds_port import NewRound, Round, Rounds
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.providers.batches import MOST_BYTES, BatchApi, BatchRequest, BatchState, missing

_ID_BYTES: Final = 8


@record(kw_only=True)
class BatchedModel:
    """A model that is asked in batches, and the way to them."""

    name: str
    """`provider:model`."""
    api: BatchApi


@dataclass(slots=True, eq=False)
class _Asked:
    key: str
    model: BatchedModel
    body: bytes
    since: float
    answer: asyncio.Future[JsonObject] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    round: str | None = None


@record(kw_only=True)
class Waiting:
    """What a batch waits for."""

    rounds: int
    questions: int
    answered: int
    """Of those, by what the providers say."""


class Collector:
    """The rounds of one process for one batch.

    Args:
        batch: the id of the batch.
        rounds: where rounds are written down.
        times: how long to wait.
    """

    def __init__(self, batch: str, rounds: Rounds, times: RoundTimes) -> None:
        self._batch = batch
        self._rounds = rounds
        self._times = times
        self._runs = 0
        self._asked: dict[str, _Asked] = {}
        self._trips: dict[str, asyncio.Task[None]] = {}
        self._states: dict[str, tuple[Round, BatchState]] = {}
        self._woken = asyncio.Event()
        self._closing: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> Waiting:
        """The rounds under way."""
        states = list(self._states.values())
        return Waiting(
            rounds=len(states),
            questions=sum(of.requests for of, _ in states),
            answered=sum(state.answered for _, state in states),
        )

    @contextmanager
    def run(self) -> Iterator[None]:
        """Count a run in, for which a round waits."""
        self._runs += 1
        self._woken.set()
        try:
            yield
        finally:
            self._runs -= 1
            self._woken.set()

    async def answer(self, model: BatchedModel, line: int, key: str, body: JsonObject) -> JsonObject:
        """The answer to a question of an item: that of an earlier round, of one under way, or of a new one.

        Raises:
            ProviderError: it has none; asked again, it is in another round.
        """
        known = await self._rounds.ask(self._batch, line, key)
        if known.answer is not None:
            return cast("JsonObject", json.loads(known.answer))
        content = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        asked = self._asked[key] = _Asked(key, model, content, time.monotonic())
        if known.round is not None:
            asked.round = known.round.id
            self._carry(known.round, model.api, [])
        if self._closing is None:
            self._closing = asyncio.create_task(self._close_rounds())
        self._woken.set()
        try:
            return await asked.answer
        finally:
            self._asked.pop(key, None)
            self._woken.set()

    async def expired(self, line: int) -> int:
        """How often a question of an item has expired, at most."""
        return await self._rounds.expired(self._batch, line)

    async def forget(self, key: str) -> None:
        """Drop an answer that cannot be used."""
        await self._rounds.forget(key)

    async def aclose(self) -> None:
        """Wait for nothing any more; the batches of the rounds go on."""
        tasks = [*self._trips.values(), *([self._closing] if self._closing else [])]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    @property
    def _open(self) -> list[_Asked]:
        """The questions that are in no round."""
        return [asked for asked in self._asked.values() if asked.round is None and not asked.answer.done()]

    async def _close_rounds(self) -> None:
        while True:
            try:
                async with asyncio.timeout(self._patience_s()):
                    await self._woken.wait()
            except TimeoutError:
                await self._close_round()
            self._woken.clear()

    def _patience_s(self) -> float | None:
        """How long other runs may still ask before the round is closed; None where there is nothing to ask."""
        if not (open_ := self._open):
            return None
        left_s = open_[0].since + self._times.longest_wait_s - time.monotonic()
        return min(left_s, self._times.settle_s) if len(self._asked) >= self._runs else left_s

    async def _close_round(self) -> None:
        """Send what is asked: a round for each model, or several where it is much."""
        models: dict[str, list[_Asked]] = {}
        for asked in self._open:
            models.setdefault(asked.model.name, []).append(asked)
        for of_model in models.values():
            for part in _parts(of_model):
                await self._send(part)

    async def _send(self, part: Sequence[_Asked]) -> None:
        model, name = part[0].model, secrets.token_hex(_ID_BYTES)
        for asked in part:
            asked.round = name
        new = NewRound(id=name, batch=self._batch, model=model.name, keys=[asked.key for asked in part])
        requests = [BatchRequest(custom_id=custom_id(name, asked.key), body=asked.body) for asked in part]
        try:
            of = await self._rounds.begin(new)
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            self._fail(name, error)
        else:
            self._carry(of, model.api, requests)

    def _carry(self, of: Round, api: BatchApi, requests: Sequence[BatchRequest]) -> None:
        if of.id in self._trips:
            return
        self._states[of.id] = of, BatchState(has_ended=False, answered=0)
        trip = RoundTrip(of, api, self._rounds, self._times, lambda state: self._look(of, state))
        self._trips[of.id] = asyncio.create_task(self._carried(trip, of, requests))

    def _look(self, of: Round, state: BatchState) -> None:
        self._states[of.id] = of, state

    async def _carried(self, trip: RoundTrip, of: Round, requests: Sequence[BatchRequest]) -> None:
        try:
            remote = await trip.made(requests)
            if remote is None:
                self._ask_again(of.id)
                return
            async for taken in trip.answers(remote):
                for each in taken:
                    self._deliver(of.id, each.key, each.result.body, each.result.error)
            for key in await self._rounds.end(of.id):
                self._deliver(of.id, key, None, missing(of.model.partition(":")[0]))
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            self._fail(of.id, error)
        finally:
            del self._trips[of.id], self._states[of.id]
            self._woken.set()

    def _ask_again(self, round_id: str) -> None:
        """Let the questions of a round that was not made be in the next one."""
        for asked in self._of(round_id):
            asked.round, asked.since = None, time.monotonic()

    def _deliver(self, round_id: str, key: str, body: JsonObject | None, error: ProviderError | None) -> None:
        asked = self._asked.get(key)
        if asked is None or asked.round != round_id or asked.answer.done():
            return
        if body is not None:
            asked.answer.set_result(body)
        elif error is not None:
            asked.answer.set_exception(error)

    def _fail(self, round_id: str, error: Exception) -> None:
        for asked in self._of(round_id):
            if not asked.answer.done():
                asked.answer.set_exception(error)

    def _of(self, round_id: str) -> list[_Asked]:
        return [asked for asked in self._asked.values() if asked.round == round_id]


def _parts(asked: Sequence[_Asked]) -> Iterator[Sequence[_Asked]]:
    """The questions in parts, none of which is larger than a batch may be."""
    part: list[_Asked] = []
    size = 0
    for each in asked:
        if part and size + len(each.body) > MOST_BYTES:
            yield part
            part, size = [], 0
        part.append(each)
        size += len(each.body)
    yield part
