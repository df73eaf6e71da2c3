"""`Batch`: many runs from a durable queue, as `finclaw batch` makes them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import aclosing
from decimal import Decimal
from typing import Any, Self, TypeVar, Unpack

from finclaw_cli.agent.caller_tools import wanted_tools
from finclaw_cli.agent.opening import environment_of, settings_in
from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.buckets import Taker
from finclaw_cli.batch.collector import Collector, Waiting
from finclaw_cli.batch.economy import Economy, known_economy, tier_of, usual_concurrency
from finclaw_cli.batch.lines import BadLine, BadLines, Line, ReadLines, read_lines
from finclaw_cli.batch.openings import Openings, answering
from finclaw_cli.batch.outcome import BatchStop
from finclaw_cli.batch.pacing import MOST_WAITING, Pacing
from finclaw_cli.batch.queue import FINAL, BatchItem, BatchQueue, BatchStatus, State
from finclaw_cli.batch.results import Results
from finclaw_cli.batch.round_provider import Asking, AskingAtOnce, AskingInRounds
from finclaw_cli.batch.round_trip import RoundTimes
from finclaw_cli.batch.runner import CANCELLED, Runner
from finclaw_cli.batch.sqlite_queue import SqliteQueue
from finclaw_cli.core.environment import context_within
from finclaw_cli.core.errors import UsageError
from finclaw_cli.engine.cancel import Cancellation
from finclaw_cli.settings.load import LoadedSettings, load_settings, settings_of
from finclaw_cli.settings.paths import home

Result = TypeVar("Result")
OF_ONE_RUN = ("session", "continue_", "resume")
LARGEST = 1_000
"""The most runs at once."""


class Batch:
    """Many prompts, each a run of its own, whose results survive the end of the process.

    A batch is known by its items: made again from the same prompts and settings, it goes on where it ended, and runs
    nothing twice. Its items are in a queue in the data folder, and each run is a session like any other.

    `async with` closes what it has opened; so does the end of `run`.
    """

    def __init__(
        self,
        prompts: Iterable[Line],
        *,
        concurrency: int | None = None,
        skip_bad_lines: bool = False,
        retry: Sequence[State] = (),
        economy: Economy | None = None,
        **options: Unpack[AgentOptions],
    ) -> None:
        """Read all prompts and check the options; settings files and `FINCLAW_…` variables do not count.

        Args:
            prompts: texts; objects with the keys `prompt`, `id`, `session`, `schema` and any setting of a run; or such
                objects as lines of JSON, in bytes.
            concurrency: the most requests at once, from 1 to 1,000: 8 by default, or 1,000 in rounds; for each four of
                them, one more run is made ready, or ends, meanwhile.
            skip_bad_lines: leave out what is no item, and keep it in `bad_lines`.
            retry: run again what ended in one of these states: `failed`, `denied`, `unknown`, `cancelled`.
            economy: half the price, for answers that may take a day: `batch` asks in rounds over the providers' batch
                APIs, `fallback` asks at the full price what has expired in two rounds, `flex` is OpenAI's slower tier.
            **options: see `AgentOptions`; `max_cost` is of the whole batch, and `session`, `continue_` and `resume`
                cannot be given.

        Raises:
            BadLines: some of the prompts cannot be used, and are not to be skipped.
            UsageError: an option is unknown or has a wrong value, or there is no prompt.
        """
        if unusable := [name for name in OF_ONE_RUN if options.get(name)]:
            raise UsageError(f"Batch has no option {unusable[0]!r}", hint="A prompt may name its session.")
        max_cost = options.pop("max_cost", None)
        self._options = options
        self._economy = known_economy(economy)
        self.concurrency = _runs_at_once(concurrency, self._economy)
        """The most requests at once."""
        self.round_times = RoundTimes()
        """How long rounds wait."""
        self._retry = _final_states(retry)
        self._context = context_within(environment_of(options))
        self._max_cost_usd = self._context.run(_limit, max_cost)
        read = self._context.run(self._lines_of, prompts)
        if read.bad and not skip_bad_lines:
            raise BadLines(read.bad)
        if not read.items:
            raise UsageError("the batch has no items", hint='Write one a line: {"prompt": "…"}', code="no_prompt")
        self.id: str = read.batch
        """Names the batch: `finclaw batch status ID`."""
        self.bad_lines: tuple[BadLine, ...] = tuple(read.bad)
        """What was left out."""
        self.stop: BatchStop | None = None
        """Why `run` ended before all items did: money, or a key; None where it did not, or was interrupted."""
        self._read = read
        self._queue = self._context.run(self._opened_queue)
        self._runner: Runner | None = None
        self._asking: Asking | None = None
        self._interruption: Cancellation | None = None

    @staticmethod
    def from_settings(
        prompts: Iterable[Line],
        *,
        concurrency: int | None = None,
        skip_bad_lines: bool = False,
        retry: Sequence[State] = (),
        economy: Economy | None = None,
        **options: Unpack[AgentOptions],
    ) -> Batch:
        """Make a batch with the settings of files and variables, as the command line has them; options come first.

        Raises:
            BadLines: some of the prompts cannot be used, and are not to be skipped.
            UsageError: an option, a file or a variable has a wrong value, or there is no prompt.
        """
        return BatchFromSettings(
            prompts, concurrency=concurrency, skip_bad_lines=skip_bad_lines, retry=retry, economy=economy, **options
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the queue."""
        await self._within(self._queue.aclose())

    async def status(self) -> BatchStatus | None:
        """The state of the batch; None where it was never run."""
        return await self._within(self._queue.status(self.id))

    @property
    def is_in_rounds(self) -> bool:
        """Whether items ask in rounds, over the batch APIs of providers."""
        return tier_of(self._economy) == "batch"

    @property
    def waiting(self) -> Waiting | None:
        """The rounds that are under way; None where it does not ask in rounds, or does not run."""
        return None if self._asking is None else self._asking.waiting

    async def run(self) -> BatchStatus:
        """Run what has not ended, and return the state of the batch."""
        async with aclosing(self.results()) as results:
            async for _ in results:
                pass
        return await self.end_status()

    async def end_status(self) -> BatchStatus:
        """The state of a batch that was run.

        Raises:
            UsageError: it was removed since then.
        """
        status = await self.status()
        if status is None:
            raise UsageError(f"the batch {self.id} was removed", code="unknown_batch")
        return status

    def run_sync(self) -> BatchStatus:
        """Run the batch where no event loop runs, and close it."""

        async def run() -> BatchStatus:
            async with self:
                return await self.run()

        return asyncio.run(run())

    async def results(self, *, ordered: bool = False) -> AsyncGenerator[BatchItem, None]:
        """Run what has not ended; yield every item of the batch once it has ended, those of earlier runs first.

        Closing the generator ends the runs under way, whose items wait for the next time.

        Args:
            ordered: in the order of the lines, in place of that in which they end.

        Raises:
            FinclawError: what runs need is missing, or the queue cannot be used.
        """
        if self._retry:
            await self._within(self._queue.retry(self.id, self._retry))
        results = Results(self.id, self._queue, ordered=ordered)
        running = self._task(self._run(results.look))
        try:
            async for item in results.until(running):
                yield item
        finally:
            if not running.done():
                self.interrupt()
            await asyncio.wait([running])
        running.result()

    def interrupt(self, reason: Cancellation = CANCELLED) -> None:
        """End the runs under way, whose items wait again, and begin no other."""
        self._interruption = reason
        if self._runner is not None:
            self._runner.interrupt(reason)

    async def _run(self, changed: Callable[[], None]) -> None:
        tier = tier_of(self._economy)
        self._asking = asking = self._asking_now()
        most_waiting = self.concurrency if self.is_in_rounds else MOST_WAITING
        pacing = Pacing(self._queue.buckets, Taker(id=self.id), self.concurrency, most_waiting=most_waiting)
        openings = Openings(
            self._options, self._load, self._max_cost_usd, self.concurrency, pacing, tier=tier, asking=asking
        )
        self._runner = Runner(self.id, self._queue, openings, pacing, concurrency=self.concurrency, changed=changed)
        if self._interruption is not None:
            self._runner.interrupt(self._interruption)
        try:
            status = await self._queue.status(self.id)
            if status is None or not status.is_finished:
                await self._run_items(openings, self._runner)
        finally:
            await openings.aclose()
            changed()

    def _opened_queue(self) -> BatchQueue:
        return SqliteQueue(home())

    def _asking_now(self) -> Asking:
        if not self.is_in_rounds:
            return AskingAtOnce()
        collector = Collector(self.id, self._queue.rounds, self.round_times)
        return AskingInRounds(collector, falls_back=self._economy == "fallback")

    async def _run_items(self, openings: Openings, runner: Runner) -> None:
        for own in self._read.options:  # what is missing is an error before there is a batch
            await openings.of(own)
        if not self.is_in_rounds and await self._queue.rounds.under_way(self.id):
            raise UsageError(
                "the batch has requests in rounds, which would be made and paid a second time",
                hint=f"Give --economy again, or end them: finclaw batch cancel {self.id}",
                code="rounds_under_way",
            )
        await self._queue.submit(self.id, self._read.items, self._max_cost_usd)
        await runner.run()
        self.stop = runner.stop

    def _lines_of(self, prompts: Iterable[Line]) -> ReadLines:
        loaded = self._load(settings_in(self._options, wanted_tools(self._options.get("tools"))))
        if not loaded.settings.save:
            raise UsageError("the runs of a batch are kept", hint="Leave save out, or set it to true.", code="not_kept")
        return read_lines(prompts, answering(loaded.settings, self._options.get("schema")))

    @staticmethod
    def _load(given: Mapping[str, object]) -> LoadedSettings:
        return settings_of(given, "Batch")

    def _task(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        return asyncio.get_running_loop().create_task(work, context=self._context.copy())

    async def _within(self, work: Coroutine[Any, Any, Result]) -> Result:
        return await self._task(work)


def _runs_at_once(given: int | None, economy: Economy | None) -> int:
    concurrency = given if given is not None else usual_concurrency(economy)
    if not 1 <= concurrency <= LARGEST:
        raise UsageError(f"concurrency: has to be from 1 to {LARGEST:,}; got {concurrency}")
    return concurrency


def _final_states(states: Sequence[State]) -> tuple[State, ...]:
    if never := [state for state in states if state not in FINAL]:
        raise UsageError(f"retry: {never[0]!r} is no state in which items end: {', '.join(FINAL)}")
    return tuple(states)


class BatchFromSettings(Batch):
    """A batch for which settings files and variables count."""

    @staticmethod
    def _load(given: Mapping[str, object]) -> LoadedSettings:
        return load_settings(given)


def _limit(max_cost: Decimal | str | None) -> Decimal | None:
    """The limit of a batch, read as that of a run is."""
    return settings_of({"max_cost": max_cost}, "Batch").settings.max_cost
