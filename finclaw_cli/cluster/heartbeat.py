"""The heartbeat of a worker, in a thread and a connection of its own: no work of the event loop delays it."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Final

import psycopg

from finclaw_cli.cluster.address import DatabaseAddress
from finclaw_cli.cluster.connection import Made, Statements, connected
from finclaw_cli.cluster.member import ClusterMember

_BEATS: Final = 6
"""In the time of a lease."""


class Heartbeat:
    """Extends the lease of a worker, until it is stopped.

    Args:
        address: of the database.
        member: the worker.
    """

    def __init__(self, address: DatabaseAddress, member: ClusterMember) -> None:
        self._address = address
        self._member = member
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="finclaw-heartbeat", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Extend it no more, from when this returns."""
        self._stopped.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _beat(self) -> None:
        made: Made | None = None
        beat_s = self._member.lease_s / _BEATS
        pause_s = 0.0
        while not self._stopped.wait(pause_s):
            try:
                if made is None:
                    made = connected(self._address)
                self._member.extend(Statements(made))
                pause_s = beat_s
            except psycopg.Error:  # the queue reports it
                _close(made)
                made, pause_s = None, beat_s / _BEATS
        _close(made)


def _close(made: Made | None) -> None:
    if made is not None:
        with suppress(psycopg.Error):
            made.close()
