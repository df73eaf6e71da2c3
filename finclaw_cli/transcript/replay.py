"""The events of a recorded session, as they were emitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from finclaw_cli.core.events.agent import AgentTurnStart, Emitted
from finclaw_cli.core.events.lines import event_classes
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
    reader = _reader(line.type)
    try:
        event = reader.validate_json(line.body)
    except ValueError:  # also where it is JSON to Python alone: half of a character is
        return _read_by_python(line)
    return Emitted(line.at, line.run_id, event)


def _read_by_python(line: Line) -> Emitted | Damage:
    from pydantic import ValidationError

    try:
        event = _reader(line.type).validate_python(line.data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        reason = f"record {line.seq} is no {line.type}: {'.'.join(map(str, first['loc']))}: {first['msg']}"
        return Damage(what="invalid", offset=line.offset, raw=line.raw, reason=reason)
    return Emitted(line.at, line.run_id, event)


@cache
def _reader(name: str) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(event_classes()[name]).validator
