"""Events as lines of JSON: the same keys in the same order, the envelope first."""

from __future__ import annotations

import json
from dataclasses import fields

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.event_parts import SCHEMA_VERSION
from finclaw_cli.core.events import AgentDelta, Emitted, Event
from finclaw_cli.core.json_text import JsonObject, dump_line, jsonable


def payload(event: Event) -> JsonObject:
    """The event's own fields, without its type."""
    return {item.name: jsonable(getattr(event, item.name)) for item in fields(event) if item.name != "type"}


def event_line(emitted: Emitted, seq: int) -> str:
    """One event as one line of ASCII, newline included."""
    event = emitted.event
    if not isinstance(event, AgentDelta):
        return body_line(emitted, seq, payload(event))
    # Twenty thousand of these in a run, hundreds of anything else.
    text = json.dumps(event.text)
    body = f'"turn":{event.turn},"attempt":{event.attempt},"text":{text},"kind":"{event.kind}"'
    return f"{_envelope(emitted, seq)},{body}}}\n"


def body_line(emitted: Emitted, seq: int, body: JsonObject) -> str:
    """The same for a payload that was already made."""
    return f"{_envelope(emitted, seq)},{dump_line(body)[1:]}\n"


def _envelope(emitted: Emitted, seq: int) -> str:
    stamp = timestamp(emitted.at)
    return (
        f'{{"v":{SCHEMA_VERSION},"type":"{emitted.event.type}","seq":{seq},"ts":"{stamp}","run_id":"{emitted.run_id}"'
    )
