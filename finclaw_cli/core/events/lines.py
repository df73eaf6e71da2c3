"""Events as lines of JSON: the same keys in the same order, the envelope first."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any, get_args

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.events.agent import AgentDelta, AgentReasoning, Emitted, Event
from finclaw_cli.core.events.parts import SCHEMA_VERSION
from finclaw_cli.core.json_text import JsonObject, dump_line, jsonable


@cache
def event_classes() -> dict[str, type[Event]]:
    """All classes of events by their `type`, in the order of the union."""
    return {str(item.default): kind for kind in get_args(Event) for item in fields(kind) if item.name == "type"}


def payload(event: Event) -> JsonObject:
    """The event's own fields, without its type."""
    kind: Any = event.__class__
    return {name: jsonable(getattr(event, name)) for name in _own_names(kind)}


@cache
def _own_names(kind: type[Event]) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind) if item.name != "type")


# The event that was written last, and its JSON: an event is kept with what it is shown with.
_last: tuple[Event | None, str] = None, ""


def payload_json(event: Event) -> str:
    """The event's own fields as one JSON object of ASCII."""
    global _last  # noqa: PLW0603 - a value that can be made again
    of, text = _last
    if of is not event:
        text = _payload_json(event)
        _last = event, text
    return text


def _payload_json(event: Event) -> str:
    # Twenty thousand of these two in a run, hundreds of anything else.
    if isinstance(event, AgentDelta):
        text = _quoted(event.text)
        return f'{{"turn":{event.turn},"attempt":{event.attempt},"text":{text},"kind":"{event.kind}"}}'
    if isinstance(event, AgentReasoning):
        return f'{{"turn":{event.turn},"attempt":{event.attempt},"text":{_quoted(event.text)}}}'
    return dump_line(payload(event))


def event_line(emitted: Emitted, seq: int, body: str) -> str:
    """One event as one line of ASCII, newline included; `body` is its own fields as JSON."""
    return (
        f'{{"v":{SCHEMA_VERSION},"type":"{emitted.event.type}","seq":{seq},"ts":"{timestamp(emitted.at)}",'
        f'"run_id":"{emitted.run_id}",{body[1:]}\n'
    )
