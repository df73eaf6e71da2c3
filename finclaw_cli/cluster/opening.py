"""The queue of a cluster, by its address."""

from __future__ import annotations

from pathlib import Path

from finclaw_cli.cluster.address import database_address
from finclaw_cli.cluster.migration import require_version
from finclaw_cli.cluster.queue import PostgresQueue


def cluster_queue(url_file: Path | None, *, is_insecure: bool) -> PostgresQueue:
    """The queue of the database whose address a file, or else `FINCLAW_DATABASE_URL`, has.

    Args:
        url_file: has the address in its first line.
        is_insecure: whether a host of a network may be used without a checked certificate.

    Raises:
        FinclawError: the address or the database cannot be used.
    """
    address = database_address(url_file, is_insecure=is_insecure)
    require_version(address)
    return PostgresQueue(address)
