"""A process that works for a cluster: its queue, its transcripts and its folder, opened and closed together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.runner import CANCELLED
from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.database import PostgresDatabase
from finclaw_cli.cluster.folders import worker_folder
from finclaw_cli.cluster.member import LEASE_S
from finclaw_cli.cluster.queue import PostgresQueue
from finclaw_cli.cluster.transcripts import ClusterTranscripts
from finclaw_cli.cluster.worker import ClusterWorker
from finclaw_cli.engine.cancel import Cancellation
from finclaw_cli.settings.paths import check_home, home


class WorkerProcess:
    """A worker, from its start to its end.

    Args:
        address: of the database.
        concurrency: the most requests at once.
        notice: called with a line for the log.
        host: the machine.
        lease_s: how long it keeps its items without a heartbeat.
        **own: options of this worker, over those of batches.
    """

    def __init__(
        self,
        address: DatabaseAddress,
        concurrency: int,
        notice: Callable[[str], None],
        *,
        host: str | None = None,
        lease_s: float = LEASE_S,
        **own: Unpack[AgentOptions],
    ) -> None:
        self._address = address
        self._concurrency = concurrency
        self._notice = notice
        self._host = host
        self._lease_s = lease_s
        self._own = own
        self._worker: ClusterWorker | None = None
        self._reason: Cancellation | None = None

    def stop(self, reason: Cancellation = CANCELLED) -> None:
        """End the runs under way, whose items wait again, and then the worker."""
        self._reason = reason
        if self._worker is not None:
            self._worker.stop(reason)

    async def run(self) -> None:
        """Work until it is stopped.

        Raises:
            FinclawError: the data folder or the database cannot be used.
        """
        check_home()
        queue = PostgresQueue(self._address, host=self._host, lease_s=self._lease_s, notice=self._notice)
        database = PostgresDatabase(self._address)
        with worker_folder(home(), queue.member.id) as folder:
            transcripts = ClusterTranscripts(database, queue.member.id, folder)
            self._worker = ClusterWorker(queue, transcripts, self._concurrency, self._notice, self._own)
            if self._reason is not None:
                self._worker.stop(self._reason)
            self._notice(f"worker {queue.member.id}: up to {self._concurrency} requests at once")
            try:
                await self._worker.run()
            finally:
                await queue.aclose()
                await transcripts.aclose()
        self._notice(f"worker {queue.member.id}: stopped")
