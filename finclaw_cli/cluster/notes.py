"""What a batch of a cluster waits for: other versions of workers, money, what workers lack, or any worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finclaw_cli.batch.outcome import BatchStop
from finclaw_cli.cluster.late import LateOutcome, late_outcomes
from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.cluster.schema import VERSION
from finclaw_cli.core.json_text import JsonObject, jsonable
from finclaw_cli.core.record import record

NO_WORKER = "no worker runs: finclaw worker starts one"


@record(kw_only=True)
class ClusterNotes:
    """What is known of a batch beside its state."""

    version: int
    """Of the workers that run it."""
    workers: int
    """How many workers of that version there are."""
    stop: BatchStop | None
    refusals: Mapping[str, str]
    """Why workers that are alive cannot run it, by their ids."""
    late: Sequence[LateOutcome]
    """Ends of calls that were recorded after their item was `unknown`."""

    @property
    def lines(self) -> list[str]:
        """The same for users."""
        found = [f"{worker} cannot run it: {why}" for worker, why in self.refusals.items()]
        if self.stop is not None:
            found.insert(0, f"stopped: {self.stop.message}")
        if self.version != VERSION:
            found.append(f"it is for workers of version {self.version}; this finclaw has version {VERSION}")
        if not self.workers:
            found.append(NO_WORKER)
        return found

    @property
    def json(self) -> JsonObject:
        """The same for programs."""
        return {
            "version": self.version,
            "workers": self.workers,
            "stopped": jsonable(self.stop),
            "refusals": dict(self.refusals),
            "late_outcomes": [jsonable(each) for each in self.late],
        }


async def notes_on(queue: PostgresQueue, batch: str) -> ClusterNotes:
    """Look what a batch waits for."""
    version = await queue.version(batch)
    alive = {worker.id for worker in await queue.workers() if worker.is_alive and worker.version == version}
    refusals = {worker: why for worker, why in (await queue.refusals(batch)).items() if worker in alive}
    stop, late = await queue.stopped(batch), await late_outcomes(queue, batch)
    return ClusterNotes(version=version, workers=len(alive), stop=stop, refusals=refusals, late=late)
