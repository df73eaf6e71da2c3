"""Known secrets are removed from events before any sink takes them, streamed or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, cast

from finclaw_cli.core.bus import PIECES, sinks_of_deltas
from finclaw_cli.core.events.agent import AgentDelta, AgentReasoning, Emitted, Event
from finclaw_cli.core.ports import EventSink
from finclaw_cli.core.secrets import HoldBack, KnownSecrets

Piece = AgentDelta | AgentReasoning


class MaskedSinks:
    """An event sink that hands on every event without the secrets in it.

    What streams is held back where a secret may have begun, at most as long as the secret is, and given with the next
    piece or before the next event of another kind.
    """

    def __init__(self, secrets: KnownSecrets, sinks: Sequence[EventSink]) -> None:
        self._secrets = secrets
        self._sinks = tuple(sinks)
        self._of_deltas = sinks_of_deltas(sinks)
        self._held = HoldBack(secrets)
        self._last: Piece | None = None
        """The last piece, where some of it is held back."""

    async def take(self, emitted: Emitted) -> None:
        event = emitted.event
        if not isinstance(event, PIECES):
            await self._let_go(emitted)
            masked = cast("Event", _masked(event, self._secrets))
            await _give(self._sinks, emitted if masked is event else replace(emitted, event=masked))
            return
        if self._last is not None and not _same_stream(self._last, event):
            await self._let_go(emitted)
        text = self._held.feed(event.text)
        self._last = event if self._held.kept else None
        if text:
            shown = emitted if text == event.text else _saying(emitted, event, text)
            for sink in self._of_deltas:
                await sink.take(shown)

    async def _let_go(self, emitted: Emitted) -> None:
        """Give what was held back of the stream that is over."""
        last, self._last = self._last, None
        if last is not None and (text := self._held.flush()):
            await _give(self._of_deltas, _saying(emitted, last, text))


async def _give(sinks: Sequence[EventSink], emitted: Emitted) -> None:
    for sink in sinks:
        await sink.take(emitted)


def _same_stream(one: Piece, other: Piece) -> bool:
    return type(one) is type(other) and one.turn == other.turn and one.attempt == other.attempt


def _saying(emitted: Emitted, piece: Piece, text: str) -> Emitted:
    return replace(emitted, event=replace(piece, text=text))


def _masked(value: Any, secrets: KnownSecrets) -> Any:
    """The same value without secrets; the same object where there are none in it."""
    if isinstance(value, (str, dict, list)):
        return secrets.mask_value(value)
    if isinstance(value, tuple):
        items = tuple(_masked(item, secrets) for item in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    changed = {
        name: new
        for name in _names(value.__class__)
        if (new := _masked(old := getattr(value, name), secrets)) is not old
    }
    return replace(value, **changed) if changed else value


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """The fields of a dataclass; none where it is no such class."""
    return tuple(item.name for item in fields(kind)) if is_dataclass(kind) else ()
