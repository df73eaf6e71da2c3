"""The events of a recorded session, as they were emitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, cast

from finclaw_cli.core.bus import PIECES
from finclaw_cli.core.events.agent import AgentTurnStart, Emitted, Event
from finclaw_cli.core.events.lines import event_classes, payload
from finclaw_cli.core.json_text import JsonObject, JsonValue, dump_line
from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.reader import Damage, Found


def events_of(found: Iterable[Found]) -> Iterator[Emitted | Damage]:
    """The events among the records, and where the record of them is damaged; other records, and unknown ones, pass."""
    classes = event_classes()
    for item in found:
        if isinstance(item, Damage):
            yield item
        elif item.type in classes:
            yield _event(item)


def within_turns(events: Iterable[Emitted | Damage], first: int, last: int | None) -> Iterator[Emitted | Damage]:
    """Only the events of some turns, counted from 1 through the whole session; damage stays."""
    turn = 0
    for item in events:
        if isinstance(item, Damage):
            yield item
            continue
        turn += isinstance(item.event, AgentTurnStart)
        is_of_turn = hasattr(item.event, "turn")
        if is_of_turn and first <= turn and (last is None or turn <= last):
            yield item


def _event(line: Line) -> Emitted | Damage:
    reader = reader_of(line.type)
    try:
        event = reader.validate_json(line.body)
    except ValueError:  # also where it is JSON to Python alone: half of a character is
        return _read_by_python(line)
    return Emitted(line.at, line.run_id, event, _body(line, event))


def _body(line: Line, event: Event) -> str | None:
    """The JSON of an event without what its version did not record; None where it is all there."""
    if isinstance(event, PIECES):  # twenty thousand of these, as they always were
        return None
    now = payload(event)
    then = recorded_part(now, line.data)
    return None if then == now else dump_line(cast("JsonObject", then))


def recorded_part(now: JsonValue, recorded: JsonValue) -> JsonValue:
    """What is now written of a value, without the keys of objects that were not recorded."""
    if isinstance(now, dict) and isinstance(recorded, dict):
        return {name: recorded_part(value, recorded[name]) for name, value in now.items() if name in recorded}
    if isinstance(now, list) and isinstance(recorded, list) and len(now) == len(recorded):
        return [recorded_part(*both) for both in zip(now, recorded, strict=True)]
    return now


def _read_by_python(line: Line) -> Emitted | Damage:
    from pydantic import ValidationError

    try:
        event = reader_of(line.type).validate_python(line.data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        reason = f"record {line.seq} is no {line.type}: {'.'.join(map(str, first['loc']))}: {first['msg']}"
        return Damage(what="invalid", offset=line.offset, raw=line.raw, reason=reason)
    return Emitted(line.at, line.run_id, event)


@cache
def reader_of(name: str) -> Any:
    """Reads the fields of an event of this type, as JSON (`validate_json`) or as values (`validate_python`)."""
    from pydantic import TypeAdapter

    return TypeAdapter(event_classes()[name]).validator
