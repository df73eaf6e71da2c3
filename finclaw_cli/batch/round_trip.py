"""One round: its batch is made, or found again, waited for, and its results are taken."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final, TypeVar

from finclaw_cli.batch.rounds_port import Ended, Round, Rounds
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.record import record
from finclaw_cli.providers.batches import EXPIRED, BatchApi, BatchRequest, BatchResult, BatchState

Result = TypeVar("Result")
TAKEN_AT_ONCE: Final = 200
MOST_TRIES: Final = 5
"""How often a batch is made that the provider could not make."""
CLOCKS: Final = timedelta(minutes=10)
"""How far the provider's clock may differ from ours."""
_NEVER_SENT: Final = frozenset({"connect_failed", "connect_timeout", "proxy_failed"})
_REFUSED: Final = range(400, 500)


@record(kw_only=True)
class RoundTimes:
    """How long rounds wait, in seconds."""

    settle_s: float = 2.0
    """A round is closed once all runs wait for it, and no other has begun for so long."""
    longest_wait_s: float = 60.0
    """A round is closed at the latest so long after its first request."""
    look_s: float = 15.0
    """How soon a provider is asked whether a batch has ended; each further pause is half as long again."""
    longest_look_s: float = 300.0
    adopt_s: float = 60.0
    """A batch that a provider does not list so long after it was asked for was not made."""


@record(kw_only=True)
class Answered:
    """What became of one question."""

    key: str
    result: BatchResult


def custom_id(round_id: str, key: str) -> str:
    """The id of a question in a round."""
    return f"{round_id}-{key}"


class RoundTrip:
    """Carries one round to its end.

    Args:
        of: the round, as it was written down.
        api: the provider's.
        rounds: where it is written down.
        times: how long to wait.
        looked: called with how far the batch is.
    """

    def __init__(
        self, of: Round, api: BatchApi, rounds: Rounds, times: RoundTimes, looked: Callable[[BatchState], None]
    ) -> None:
        self._round = of
        self._api = api
        self._rounds = rounds
        self._times = times
        self._looked = looked

    async def made(self, requests: Sequence[BatchRequest]) -> str | None:
        """The provider's id of the batch: found where it was made before, else made of the requests.

        None where the round was made by a process that has died, and the provider has no batch of it; without the
        requests, none is made. The round is then dropped.

        Raises:
            ProviderError: the provider does not make it; the round is dropped.
        """
        if self._round.remote is not None:
            return self._round.remote
        remote = await (self._created(requests) if requests else self._found(self._round.since))
        if remote is None:
            await self._rounds.drop(self._round.id)
        else:
            await self._rounds.sent(self._round.id, remote)
        return remote

    async def answers(self, remote: str) -> AsyncGenerator[Sequence[Answered], None]:
        """Wait for the end of the batch, and yield what became of its questions, each once, written down already.

        Raises:
            ProviderError: the provider does not know the batch, or not this key.
        """
        await self._until_ended(remote)
        pauses, unreadable = self._pauses(), 0
        while True:
            try:
                async with aclosing(self._results(remote)) as results:
                    async for taken in results:
                        yield taken
            except ProviderError as error:
                unreadable += error.code == "stream_malformed"
                if not error.retryable or unreadable == MOST_TRIES:
                    raise
            else:
                return
            await asyncio.sleep(next(pauses))

    async def _created(self, requests: Sequence[BatchRequest]) -> str:
        pauses = self._pauses()
        for tries in range(1, MOST_TRIES + 1):
            asked = datetime.now(UTC)
            try:
                return await self._api.create(self._round.id, requests)
            except ProviderError as error:
                is_refused = error.status in _REFUSED or error.code in _NEVER_SENT or not error.retryable
                if not is_refused and (remote := await self._found(asked)) is not None:
                    return remote
                if not error.retryable or tries == MOST_TRIES:
                    await self._rounds.drop(self._round.id)
                    raise
            await asyncio.sleep(next(pauses))
        raise AssertionError("the last try has returned or raised")

    async def _found(self, asked: datetime) -> str | None:
        """The batch that was perhaps made, once that is certain; creation is not idempotent."""
        since, pauses = self._round.since - CLOCKS, self._pauses()
        while True:
            waited_s = (datetime.now(UTC) - asked).total_seconds()
            others = await self._rounds.made()
            made = await self._patiently(partial(self._api.find, self._round.id, self._round.requests, since, others))
            if made.id is not None or (made.is_certain and waited_s >= self._times.adopt_s):
                return made.id
            await asyncio.sleep(min(next(pauses), max(self._times.adopt_s - waited_s, self._times.look_s)))

    async def _until_ended(self, remote: str) -> None:
        pauses = self._pauses()
        while True:
            state = await self._patiently(lambda: self._api.state(remote))
            self._looked(state)
            if state.failed is not None:
                await self._rounds.drop(self._round.id)
                raise state.failed
            if state.has_ended:
                return
            await asyncio.sleep(next(pauses))

    async def _results(self, remote: str) -> AsyncGenerator[Sequence[Answered], None]:
        taken: list[Answered] = []
        async with aclosing(self._api.results(remote)) as results:
            async for result in results:
                name, _, key = result.custom_id.partition("-")
                if name != self._round.id:
                    continue
                taken.append(Answered(key=key, result=result))
                if len(taken) == TAKEN_AT_ONCE:
                    yield await self._written(taken)
                    taken = []
        yield await self._written(taken)

    async def _written(self, taken: Sequence[Answered]) -> Sequence[Answered]:
        await self._rounds.end_questions(self._round.id, [_ended(each) for each in taken])
        return taken

    async def _patiently(self, ask: Callable[[], Awaitable[Result]]) -> Result:
        """Ask until there is an answer: a batch that is paid for is not given up because of the network."""
        pauses = self._pauses()
        while True:
            try:
                return await ask()
            except ProviderError as error:
                if not error.retryable:
                    raise
            await asyncio.sleep(next(pauses))

    def _pauses(self) -> Pauses:
        return Pauses(self._times.look_s, self._times.longest_look_s)


class Pauses:
    """Longer and longer pauses, in seconds."""

    def __init__(self, first_s: float, longest_s: float) -> None:
        self._next_s = first_s
        self._longest_s = longest_s

    def __next__(self) -> float:
        pause_s, self._next_s = self._next_s, min(1.5 * self._next_s, self._longest_s)
        return pause_s


def _ended(answered: Answered) -> Ended:
    result = answered.result
    if result.body is not None:
        return Ended(key=answered.key, answer=json.dumps(result.body))
    return Ended(key=answered.key, is_expired=result.error is not None and result.error.code == EXPIRED)
