"""The events of a recorded session, as they were told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from finclaw_cli.core.event_lines import event_classes
from finclaw_cli.core.events import AgentTurnStart, Emitted
from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.reader import Damage, Found


def events_of(found: Iterable[Found]) -> Iterator[Emitted | Damage]:
    """The events among the records, and where the record of them is damaged; other records, and unknown ones, pass."""
    for item in found:
        if isinstance(item, Damage):
            yield item
        elif item.type in event_classes():
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
    try:
        event = _adapter(line.type).validate_python(line.data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        reason = f"record {line.seq} is no {line.type}: {'.'.join(map(str, first['loc']))}: {first['msg']}"
        return Damage(what="invalid", offset=line.offset, raw=line.raw, reason=reason)
    return Emitted(line.at, line.run_id, event)


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(event_classes()[name])
