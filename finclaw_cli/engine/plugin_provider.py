"""A provider of a plugin: its code may raise, block or yield anything, and a run still ends in time, for a reason."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import fields, replace
from functools import partial
from typing import Any, TypeVar, cast, get_args

from finclaw_cli.core.checked import checked
from finclaw_cli.core.chunks import Done, RawTurn, StreamChunk
from finclaw_cli.core.errors import PLUGIN_FAILED, FinclawError, ProviderError, ProviderFailure
from finclaw_cli.core.interruption import OutOfTime, error_text, plugin_code, shortened
from finclaw_cli.core.json_text import canonical
from finclaw_cli.core.ports import ModelRequest, Provider
from finclaw_cli.core.record import record
from finclaw_cli.http.failures import oversized
from finclaw_cli.http.transport import MAX_EVENT_BYTES, MAX_TURN_BYTES
from finclaw_cli.tools.bounded import Bounded

Declared = TypeVar("Declared")
CHUNKS = get_args(StreamChunk)
CLOSING_S = 5.0
READ_AHEAD = 16
"""How many chunks are taken from the plugin before the first of them is used."""


@record(kw_only=True)
class PluginOrigin:
    """Where a provider comes from, for its errors."""

    provider: str
    dist: str

    def failed(self, error: BaseException) -> ProviderError:
        """Return the error that reports a fault of the plugin's code."""
        return ProviderError(
            f'the provider "{self.provider}" of the plugin {self.dist} failed: {error_text(error)}',
            reason="bad_request",
            code=PLUGIN_FAILED,
            provider=self.provider,
            hint=f"This is a fault of {self.dist}: report it to the author of the plugin.",
        )

    @contextmanager
    def code(self) -> Iterator[None]:
        """Run code of the plugin.

        Raises:
            FinclawError: as the plugin raised it; any other exception of the plugin is a `ProviderError`.
            OutOfTime: it blocked the event loop.
        """
        try:
            with plugin_code():
                yield
        except (FinclawError, OutOfTime):
            raise
        except Exception as error:
            raise self.failed(error) from error


class PluginProvider:
    """Runs the stream of a plugin's provider in a task of its own, which is abandoned if it does not end.

    Each chunk is checked against its declaration, and the answer is bounded as that of a built-in provider is.
    """

    def __init__(self, provider: Provider, origin: PluginOrigin, limit_s: float) -> None:
        self._provider = provider
        self._origin = origin
        self._limit_s = limit_s

    @property
    def name(self) -> str:
        return self._origin.provider

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        """Yield the chunks of one turn.

        Raises:
            ProviderError: as the plugin raised it, or because of a fault of the plugin.
        """
        chunks: asyncio.Queue[StreamChunk | None] = asyncio.Queue()
        room = asyncio.Semaphore(READ_AHEAD)
        reading = asyncio.create_task(Bounded()(partial(self._read, request, chunks, room), self._limit_s))
        reading.add_done_callback(lambda done: done.cancelled() or done.exception())
        reading.add_done_callback(lambda _: chunks.put_nowait(None))
        try:
            while (chunk := await chunks.get()) is not None:
                room.release()
                yield chunk
            with self._origin.code():
                reading.result()
        finally:
            reading.cancel()
            await asyncio.wait({reading})

    async def aclose(self) -> None:
        """Close the plugin's provider; what fails there, or takes too long, is left alone."""
        with suppress(FinclawError, OutOfTime, TimeoutError), self._origin.code():
            await Bounded()(self._provider.aclose, CLOSING_S)

    async def _read(
        self, request: ModelRequest, chunks: asyncio.Queue[StreamChunk | None], room: asyncio.Semaphore
    ) -> None:
        """Hand on each chunk of the plugin's stream once there is room for it."""
        taken = _Taken(self.name)
        try:
            async with aclosing(_generator(self._provider.stream(request))) as stream:
                async for chunk in stream:
                    whole = taken.checked(chunk)
                    await room.acquire()
                    chunks.put_nowait(whole)
        except ProviderError as error:
            raise _copied(error) from error.__cause__


class _Taken:
    """What was taken of one answer."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._chars = 0

    def checked(self, chunk: object) -> StreamChunk:
        """The chunk, with values of the declared types.

        Raises:
            ProviderError: the chunk, or the answer with it, is too large.
            TypeError: it is no chunk.
            WrongValue: a value has another type than is declared.
        """
        if type(chunk) not in CHUNKS:
            raise TypeError(f"its stream yielded {_kind_of(chunk)}, which is no chunk")
        whole: StreamChunk = _declared(cast("Any", type(chunk)), chunk)
        if isinstance(whole, Done) and whole.raw is not None:
            whole = replace(whole, raw=_declared(RawTurn, whole.raw))
        size = _chars_of(whole)
        self._chars += size
        if size > MAX_EVENT_BYTES:
            raise oversized(self._provider, "event", MAX_EVENT_BYTES)
        if self._chars > MAX_TURN_BYTES:
            raise oversized(self._provider, "answer", MAX_TURN_BYTES)
        return whole


@record(kw_only=True)
class _Failure:
    """What a `ProviderError` holds, with the types that are checked."""

    message: str
    reason: ProviderFailure
    code: str | None
    provider: str | None
    status: int | None
    request_id: str | None
    retry_after_s: float | None
    hint: str | None
    provider_code: str | None


def _copied(error: ProviderError) -> ProviderError:
    """The error with texts of bounded length.

    Raises:
        WrongValue: a value has another type than is declared.
    """
    failure = _declared(_Failure, error)
    values: dict[str, Any] = {item.name: getattr(failure, item.name) for item in fields(failure)}
    short = {name: shortened(value) for name, value in values.items() if isinstance(value, str)}
    return ProviderError(**{**values, **short})


def _declared(kind: type[Declared], given: object) -> Declared:
    """The values that the class declares, taken from another object."""
    return checked(kind, {item.name: getattr(given, item.name) for item in fields(cast("Any", kind))})


def _chars_of(chunk: StreamChunk) -> int:
    raw = len(canonical(chunk.raw.blocks)) if isinstance(chunk, Done) and chunk.raw is not None else 0
    values = (getattr(chunk, item.name) for item in fields(chunk))
    return raw + sum(len(value) for value in values if isinstance(value, str))


def _generator(stream: object) -> AsyncGenerator[object, None]:
    if isinstance(stream, AsyncGenerator):
        return stream
    if isinstance(stream, Coroutine):
        stream.close()
    raise TypeError(f"stream() returned {_kind_of(stream)} in place of an asynchronous generator")


def _kind_of(value: object) -> str:
    return f"the class {value.__name__}" if isinstance(value, type) else f"a value of type {type(value).__name__}"
