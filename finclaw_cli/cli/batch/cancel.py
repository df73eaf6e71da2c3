"""What `finclaw batch cancel` does and prints."""

from __future__ import annotations

from finclaw_cli.app.connect import Connector
from finclaw_cli.app.plan import find_installed
from finclaw_cli.batch.cancel_rounds import CancelledRounds, cancel_rounds
from finclaw_cli.batch.queue import BatchQueue, BatchStatus
from finclaw_cli.batch.rounds_port import Rounds
from finclaw_cli.cli.batch.cluster_options import ClusterOptions
from finclaw_cli.cli.batch.views import found_batch, with_queue
from finclaw_cli.cli.listing import print_json
from finclaw_cli.output.console import counted, echo
from finclaw_cli.output.notice import warn
from finclaw_cli.settings.load import load_settings


def cancel_batch(cluster: ClusterOptions | None, batch: str, *, as_json: bool) -> None:
    """Cancel what waits, and let what runs be ended."""

    async def change(queue: BatchQueue) -> tuple[BatchStatus, int, CancelledRounds]:
        found = await found_batch(queue, batch)
        count = await queue.cancel(found.id)
        return found, count, await _cancelled_rounds(queue.rounds, found.id)

    found, count, rounds = with_queue(cluster, change)
    running = found.states["running"]
    for failure in rounds.failed:
        warn(failure)
    if as_json:
        about = {"requests_cancelled": rounds.requests, "rounds_not_cancelled": rounds.failed}
        print_json({"id": found.id, "cancelled": count, "running": running, **about})
    else:
        ending = f"; {counted(running, 'run')} under way will be ended" if running else ""
        asked = f"; {counted(rounds.requests, 'request')} in rounds cancelled" if rounds.requests else ""
        echo(f"{found.id}: {counted(count, 'item')} cancelled{ending}{asked}")


async def _cancelled_rounds(rounds: Rounds, batch: str) -> CancelledRounds:
    """End what a batch has under way at providers, with the keys and addresses of the settings."""
    under_way = await rounds.under_way(batch)
    if not under_way:
        return CancelledRounds()
    settings = load_settings().settings
    connector = Connector(settings, find_installed(settings, use_plugins=False).providers)
    try:
        return await cancel_rounds(rounds, under_way, connector)
    finally:
        await connector.aclose()
