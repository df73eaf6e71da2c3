"""Events as lines of JSON: the same keys in the same order, the envelope first."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cache
from typing import get_args

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.event_parts import SCHEMA_VERSION
from finclaw_cli.core.events import AgentDelta, Emitted, Event
from finclaw_cli.core.json_text import JsonObject, dump_line, jsonable


@cache
def event_classes() -> dict[str, type[Event]]:
    """All classes of events by their `type`, in the order of the union."""
    return {str(item.default): kind for kind in get_args(Event) for item in fields(kind) if item.name == "type"}


def payload(event: Event) -> JsonObject:
    """The event's own fields, without its type."""
    return {item.name: jsonable(getattr(event, item.name)) for item in fields(event) if item.name != "type"}


def payload_json(event: Event) -> str:
    """The event's own fields as one JSON object of ASCII."""
    if not isinstance(event, AgentDelta):
        return dump_line(payload(event))
    # Twenty thousand of these in a run, hundreds of anything else.
    text = json.dumps(event.text)
    return f'{{"turn":{event.turn},"attempt":{event.attempt},"text":{text},"kind":"{event.kind}"}}'


def event_line(emitted: Emitted, seq: int) -> str:
    """One event as one line of ASCII, newline included."""
    return _line(emitted, seq, payload_json(emitted.event))


def body_line(emitted: Emitted, seq: int, body: JsonObject) -> str:
    """The same for a payload that was already made."""
    return _line(emitted, seq, dump_line(body))


def _line(emitted: Emitted, seq: int, body: str) -> str:
    return f"{_envelope(emitted, seq)},{body[1:]}\n"


def _envelope(emitted: Emitted, seq: int) -> str:
    stamp = timestamp(emitted.at)
    return (
        f'{{"v":{SCHEMA_VERSION},"type":"{emitted.event.type}","seq":{seq},"ts":"{stamp}","run_id":"{emitted.run_id}"'
    )
