"""One item of a batch: its session, its run, its end."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, cast

from finclaw_cli.agent.opening import Opening
from finclaw_cli.app.front import Continuation, Prompt
from finclaw_cli.batch.item_sink import ItemSink
from finclaw_cli.batch.openings import Openings
from finclaw_cli.batch.outcome import Later, fate, fate_of_error, outcome_of
from finclaw_cli.batch.queue import BatchQueue, Claim, LeaseLost, Outcome, QueueFailed
from finclaw_cli.batch.resume import NEW, WENT_ON, Earlier, earlier
from finclaw_cli.batch.transcripts import Transcripts
from finclaw_cli.core import exits
from finclaw_cli.core.errors import FinclawError, SessionBusy, unexpected
from finclaw_cli.core.json_text import parse_value
from finclaw_cli.core.record import record
from finclaw_cli.engine.cancel import CancelScope
from finclaw_cli.transcript.lock import is_held
from finclaw_cli.transcript.session import Session, open_session

PAUSE_S: Final = 1.0
"""Before an item is given back that waits for a session, or for a lane."""


@record(kw_only=True)
class ItemInput:
    """What an item asks."""

    prompt: str
    session: str | None
    options: Mapping[str, object]

    @classmethod
    def read(cls, text: str) -> ItemInput:
        """Read the input as it was submitted."""
        body = cast("dict[str, Any]", parse_value(text))
        return cls(prompt=body["prompt"], session=body["session"], options=body["options"])


class ItemRun:
    """Runs one claimed item, and writes down its end; `scope` ends it from outside."""

    def __init__(self, claim: Claim, queue: BatchQueue, openings: Openings, transcripts: Transcripts) -> None:
        self.claim = claim
        self.scope = CancelScope()
        self._queue = queue
        self._openings = openings
        self._transcripts = transcripts
        self._input = ItemInput.read(claim.input)

    async def __call__(self) -> Later | None:
        """Run it; None where it has ended for good, or belongs to another worker.

        Raises:
            QueueFailed: the queue cannot be used.
        """
        try:
            fate = await self._fate()
            if isinstance(fate, Outcome):
                await self._queue.finish(self.claim, fate)
                return None
            if fate.is_busy:
                await asyncio.sleep(PAUSE_S)
            await self._queue.release(self.claim)
        except LeaseLost:
            return None
        return fate

    async def _fate(self) -> Outcome | Later:
        try:
            opening = await self._openings.of(self._input.options)
            session, found = await self._session()
            try:
                if self.claim.lost_usd and found.interrupted_usd is not None:
                    await self._queue.recover(self.claim, found.interrupted_usd)
                return await self._answered(opening, session, found)
            finally:
                session.close()
                self._transcripts.drop(session.name)
        except (LeaseLost, QueueFailed):
            raise
        except FinclawError as error:
            return fate_of_error(error, self.claim)
        except Exception as error:  # noqa: BLE001 - one item must not end the batch
            return fate_of_error(unexpected(error), self.claim)

    async def _answered(self, opening: Opening, session: Session, found: Earlier) -> Outcome | Later:
        if found.result is not None:
            return outcome_of(found.result)
        if found.state == "left":
            return Outcome(state="failed", exit_code=exits.UNEXPECTED, reason=WENT_ON)
        sink = ItemSink(self._queue, self.claim, self._openings.money)
        further = sink if self._openings.is_limited else None
        async with self._openings.asking.run(self.claim) as through:
            runner = opening.runner(session.again(), sink, self.scope, further, through)
            with runner.opened():
                await self._queue.begin(self.claim, session.name, found.asked_in or runner.next_run_id)
                prompt: Prompt = Continuation() if found.state == "open" else self._input.prompt
                await runner.answer(prompt)
        await runner.released()
        if sink.result is None:
            raise RuntimeError("the run has ended without a result")
        return fate(sink.result, self.claim)

    async def _session(self) -> tuple[Session, Earlier]:
        """The session of the item, open, and what it has of the item's question.

        A retry of a question that has an answer asks it again, in a new session where the session is the item's own.
        """
        claim, own = self.claim, self._input.session is None
        session = await self._opened(self._input.session or claim.session or f"batch-{claim.batch}-{claim.line}")
        try:
            found = earlier(session, claim, is_own=own)
        except BaseException:
            session.close()
            raise
        if not claim.is_retry or found.state not in {"answered", "left"}:
            return session, found
        if not own:
            return session, NEW
        session.close()
        self._transcripts.drop(session.name)
        return await self._opened(f"batch-{claim.batch}-{claim.line}.{claim.attempt}"), NEW

    async def _opened(self, name: str) -> Session:
        store = self._transcripts.store
        path = store.path(name)
        if is_held(path):  # opening it would wait, and all other runs with it
            raise SessionBusy(f"the session {name} is being written by another process")
        await self._transcripts.restore(self.claim, name)
        session = open_session(store, name, has_name=True)
        return replace(session, copied=self._transcripts.copied(self.claim, name))
