"""A batch that workers run: submitted, and followed until it has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Final, Unpack

from finclaw_cli.agent.caller_tools import wanted_tools
from finclaw_cli.agent.opening import settings_in
from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.batch import BatchFromSettings
from finclaw_cli.batch.lines import Line
from finclaw_cli.batch.queue import BatchQueue, State
from finclaw_cli.batch.runner import CANCELLED
from finclaw_cli.cluster.notes import notes_on
from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.cluster.setup import portable, setup_of
from finclaw_cli.engine.cancel import Cancellation

LOOK_AGAIN_S: Final = 1.0


class SubmittedBatch(BatchFromSettings):
    """A `Batch` that the workers of a cluster run; `interrupt` ends the waiting alone.

    Args:
        queue: of the cluster.
        prompts: see `Batch`; so are the others.
        notice: called with a line about what the batch waits for.
    """

    def __init__(
        self,
        queue: PostgresQueue,
        prompts: Iterable[Line],
        *,
        skip_bad_lines: bool = False,
        retry: Sequence[State] = (),
        notice: Callable[[str], None] = lambda _: None,
        **options: Unpack[AgentOptions],
    ) -> None:
        self._cluster = queue
        self._notice = notice
        self._ended = asyncio.Event()
        self._noticed = ""
        super().__init__(prompts, skip_bad_lines=skip_bad_lines, retry=retry, **options)

    def interrupt(self, reason: Cancellation = CANCELLED) -> None:  # noqa: ARG002 - the workers go on
        self._ended.set()

    def _opened_queue(self) -> BatchQueue:
        return self._cluster

    async def _run(self, changed: Callable[[], None]) -> None:
        loaded = self._load(settings_in(self._options, wanted_tools(self._options.get("tools"))))
        setup = setup_of(loaded, self._options, self._read.options)
        items = [portable(item) for item in self._read.items]
        await self._cluster.submit_to_workers(self.id, items, self._max_cost_usd, setup)
        while not (self._ended.is_set() or await self._has_ended()):
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN_S):
                    await self._ended.wait()
            changed()

    async def _has_ended(self) -> bool:
        status = await self._cluster.status(self.id)
        if status is None or status.is_finished:
            return True
        notes = await notes_on(self._cluster, self.id)
        self.stop = notes.stop
        line = "" if self.stop is not None else "; ".join(notes.lines)
        if line not in {self._noticed, ""}:
            self._notice(line)
        self._noticed = line
        return self.stop is not None and status.states["running"] == 0
