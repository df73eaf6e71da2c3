"""What `finclaw batch fetch` does and prints."""

from __future__ import annotations

import asyncio

from finclaw_cli.cli.batch.cluster_options import ClusterOptions
from finclaw_cli.cli.batch.views import found_batch
from finclaw_cli.cli.listing import print_json
from finclaw_cli.cluster.address import require_extra
from finclaw_cli.core.errors import UsageError
from finclaw_cli.output.console import counted, echo
from finclaw_cli.output.notice import warn
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.store import SessionStore


def fetch_batch(cluster: ClusterOptions | None, batch: str | None, *, as_json: bool) -> None:
    """Bring the sessions of a batch, or of the newest, into the data folder.

    Raises:
        UsageError: it is no batch of a cluster.
    """
    if cluster is None:
        raise UsageError("the sessions of this machine are in its data folder", hint="Give --cluster.")
    require_extra()
    from finclaw_cli.cluster.fetching import Fetched, fetch_sessions
    from finclaw_cli.cluster.opening import cluster_queue

    store = SessionStore(sessions_folder())
    queue = cluster_queue(cluster.database_url_file, is_insecure=cluster.insecure_database)

    async def run() -> tuple[str, Fetched]:
        try:
            found = await found_batch(queue, batch)
            return found.id, await fetch_sessions(queue, found.id, store)
        finally:
            await queue.aclose()

    store.make()
    name, fetched = asyncio.run(run())
    for other in fetched.others:
        warn(f"{other}: left as it is: here is another session of that name, or it is being written")
    if as_json:
        counts = {"written": fetched.written, "unchanged": fetched.unchanged, "left": fetched.others}
        print_json({"id": name, **counts})
    else:
        echo(f"{name}: {counted(len(fetched.written), 'session')} written, {len(fetched.unchanged):,} unchanged")
