"""Idempotency keys: which run was started with each, by this server and by those before it.

A key is in the first record of its run, as a digest. The index of all sessions has those of earlier runs; it is asked
once, after the server has started.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus

from finclaw_cli.core.errors import FinclawError
from finclaw_cli.core.json_text import JsonObject, dump_line
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.core.record import record
from finclaw_cli.listings.sessions.filters import index
from finclaw_cli.search.find import requests
from finclaw_cli.serve.problems import Problem

MOST = 10_000
"""How many keys are remembered of this server, and as many of those before it."""


@record
class Started:
    """A run that was started."""

    run_id: str
    session_id: str


@record
class KeyedRequest:
    """A request with an idempotency key: digests of the key and of the body."""

    key: str
    body: str


def keyed(key: str, body: JsonObject) -> KeyedRequest:
    """A request, in the form in which its run records it."""
    return KeyedRequest(_digest(key), _digest(dump_line(body)))


class Keys:
    """Starts one run for each key."""

    def __init__(self) -> None:
        self._starts: OrderedDict[str, tuple[str, asyncio.Task[Started]]] = OrderedDict()
        self._reading: asyncio.Future[dict[str, tuple[str, Started]]] | None = None

    async def prepare(self) -> None:
        """Read the keys of earlier runs, so that no request waits for it."""
        with suppress(FinclawError):  # it is reported to the first request with a key, which reads them again
            await self._earlier()

    async def started(self, request: KeyedRequest, start: Callable[[], Awaitable[Started]]) -> Started:
        """Start a run, or return the one that was started with the same key.

        Raises:
            Problem: the key was used with another body; also as `start`.
            FinclawError: the keys of earlier runs cannot be read; also as `start`.
        """
        earlier = (await self._earlier()).get(request.key)
        if earlier is not None:
            _require_same(earlier[0], request)
            return earlier[1]
        body, starting = self._starts.get(request.key) or self._begin(request, start)
        _require_same(body, request)
        return await asyncio.shield(starting)

    def _begin(
        self, request: KeyedRequest, start: Callable[[], Awaitable[Started]]
    ) -> tuple[str, asyncio.Task[Started]]:
        async def begun() -> Started:
            return await start()

        starting = asyncio.create_task(begun())
        self._starts[request.key] = request.body, starting
        starting.add_done_callback(lambda done: self._forget_failed(request.key, done))
        return request.body, starting

    def _forget_failed(self, key: str, starting: asyncio.Task[Started]) -> None:
        if starting.cancelled() or starting.exception() is not None:
            self._starts.pop(key, None)
        elif len(self._starts) > MOST:
            self._starts.popitem(last=False)

    async def _earlier(self) -> dict[str, tuple[str, Started]]:
        reading = self._reading
        if reading is None or (reading.done() and reading.exception() is not None):
            reading = self._reading = in_own_thread(_recorded)
        return await asyncio.shield(reading)


def _require_same(body: str, request: KeyedRequest) -> None:
    if body != request.body:
        raise Problem(HTTPStatus.CONFLICT, "key_reused", "the idempotency key was used with another body")


def _recorded() -> dict[str, tuple[str, Started]]:
    """The keys of earlier runs, each with the body that it was used with."""
    with index() as connection:
        return {each.key: (each.body, Started(each.run_id, each.session)) for each in requests(connection, MOST)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
