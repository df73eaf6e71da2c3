"""Ids for the calls of one turn, each its own: servers repeat them, or send none."""

from __future__ import annotations

import secrets

from finclaw_cli.core.chunks import MAX_CALLS
from finclaw_cli.http.failures import overfull


class CallIds:
    """Gives each call of a turn an id: the server's own where it is new, otherwise one that is derived or made."""

    def __init__(self, provider: str, prefix: str) -> None:
        self._provider = provider
        self._prefix = prefix
        self._taken: dict[str, int] = {}
        """Each id, and the last number that was put behind it."""

    def take(self, wanted: str) -> str:
        """Return a unique id, the wanted one if possible.

        Raises:
            ProviderError: the turn has more calls than it may have.
        """
        if len(self._taken) == MAX_CALLS:
            raise overfull(self._provider, "calls", MAX_CALLS)
        identifier = base = wanted or f"{self._prefix}{secrets.token_hex(12)}"
        while identifier in self._taken:
            self._taken[base] += 1
            identifier = f"{base}_{self._taken[base]}"
        self._taken[identifier] = 1
        return identifier
