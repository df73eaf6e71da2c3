"""Between the engine and everything that hears its events: known secrets are taken out, streamed or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

from finclaw_cli.core.events import AgentDelta, AgentReasoning, Emitted, Event
from finclaw_cli.core.ports import EventSink
from finclaw_cli.masking.secrets import HoldBack, KnownSecrets

Piece = AgentDelta | AgentReasoning


class MaskedSinks:
    """An event sink that hands on every event without the secrets in it.

    What streams is held back where a secret may have begun, at most as long as the secret is, and given with the next
    piece or before the next event of another kind.
    """

    def __init__(self, secrets: KnownSecrets, sinks: Sequence[EventSink]) -> None:
        self._secrets = secrets
        self._sinks = sinks
        self._held = HoldBack(secrets)
        self._last: Piece | None = None

    async def take(self, emitted: Emitted) -> None:
        event = emitted.event
        if isinstance(event, AgentDelta | AgentReasoning):
            if self._last is not None and not _same_stream(self._last, event):
                await self._let_go(emitted)
            self._last = event
            await self._piece(emitted, event, self._held.feed(event.text))
            return
        await self._let_go(emitted)
        await self._give(emitted, cast("Event", _masked(event, self._secrets)))

    async def _let_go(self, emitted: Emitted) -> None:
        last, self._last = self._last, None
        if last is not None:
            await self._piece(emitted, last, self._held.flush())

    async def _piece(self, emitted: Emitted, event: Piece, text: str) -> None:
        if text:
            await self._give(emitted, event if text == event.text else replace(event, text=text))

    async def _give(self, emitted: Emitted, event: Event) -> None:
        given = emitted if event is emitted.event else replace(emitted, event=event)
        for sink in self._sinks:
            await sink.take(given)


def _same_stream(one: Piece, other: Piece) -> bool:
    return (type(one), one.turn, one.attempt) == (type(other), other.turn, other.attempt)


def _masked(value: Any, secrets: KnownSecrets) -> Any:
    """The same value without secrets; the same object where there are none in it."""
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            item.name: new
            for item in fields(value)
            if (new := _masked(old := getattr(value, item.name), secrets)) is not old
        }
        return replace(value, **changed) if changed else value
    if isinstance(value, tuple):
        items = tuple(_masked(item, secrets) for item in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if isinstance(value, str | dict | list):
        return secrets.mask_value(value)
    return value
