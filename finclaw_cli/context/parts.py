"""Which part of a conversation may go: units that never part a call from its result, the oldest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from finclaw_cli.core.messages import Message

Unit = tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """A conversation in three parts. Only `old` may change; the first question and what is recent stay as they are."""

    first: tuple[Message, ...]
    old: tuple[Unit, ...]
    recent: tuple[Message, ...]

    def with_old(self, old: Sequence[Unit]) -> tuple[Message, ...]:
        """The conversation with another old part."""
        return (*self.first, *chain.from_iterable(old), *self.recent)


def parted(messages: Sequence[Message], keep_recent: int) -> Parts:
    """The parts of a valid conversation: the last `keep_recent` messages stay, and what belongs to them."""
    units = _units(messages)
    first = messages[:1]
    kept = 0
    begin = len(units)
    while begin > 0 and kept < keep_recent:
        begin -= 1
        kept += len(units[begin])
    recent = tuple(chain.from_iterable(units[begin:]))
    return Parts(tuple(first), tuple(units[:begin]), recent)


def _units(messages: Sequence[Message]) -> list[Unit]:
    """What goes together: a whole exchange that is over, or a call of the one that is not, with its results.

    The first question is in none of them.
    """
    last = max((place for place, message in enumerate(messages) if message.role == "user"), default=0)
    units: list[list[Message]] = []
    for place, message in enumerate(messages[1:], start=1):
        if not units or message.role == "user" or (place > last and message.role == "assistant"):
            units.append([message])
        else:
            units[-1].append(message)
    return [tuple(unit) for unit in units]
