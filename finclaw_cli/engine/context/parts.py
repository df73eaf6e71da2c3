"""Which part of a conversation may go: units that never part a call from its result, the oldest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from finclaw_cli.core.messages import Message
from finclaw_cli.core.record import record


@record
class Unit:
    """Messages that go together or not at all."""

    messages: tuple[Message, ...]
    stays: bool = False
    """Whether it is a question that has to stay: the first one, or the one that is being worked on."""

    def __iter__(self) -> Iterator[Message]:
        return iter(self.messages)

    @property
    def is_summary(self) -> bool:
        """Whether it is what an earlier compaction left, and nothing else."""
        return len(self.messages) == 1 and self.messages[0].is_summary


@record
class Parts:
    """A conversation in two parts: `units`, of which those that do not stay may change, and `recent`, which may not."""

    units: tuple[Unit, ...]
    recent: tuple[Message, ...]

    @property
    def old(self) -> tuple[Unit, ...]:
        """What may change, the oldest first."""
        return tuple(unit for unit in self.units if not unit.stays)

    @property
    def messages(self) -> tuple[Message, ...]:
        return (*messages_of(self.units), *self.recent)


def messages_of(units: Iterable[Unit]) -> tuple[Message, ...]:
    """The messages of units, in their order."""
    return tuple(chain.from_iterable(units))


def parted(messages: Sequence[Message], keep_recent: int, *, keep_first: bool = True) -> Parts:
    """The parts of a valid conversation: the last `keep_recent` messages are recent, and what belongs to them.

    Without `keep_first` only the current question has to stay.
    """
    units = _units(messages, keep_first=keep_first)
    kept = 0
    begin = len(units)
    while begin > 0 and kept < keep_recent:
        begin -= 1
        kept += len(units[begin].messages)
    return Parts(tuple(units[:begin]), messages_of(units[begin:]))


def _units(messages: Sequence[Message], *, keep_first: bool) -> list[Unit]:
    """What goes together: a whole exchange that is over, or a call of the one that is not, with its results.

    The first question and the current one are units of their own, and so is a summary. What stands before the first
    question goes as one, so that the first message is always the user's.
    """
    questions = [place for place, each in enumerate(messages) if each.is_question] or [0]
    first, current = questions[0], questions[-1]
    begins = {0, first, *(place + 1 for place in (first, current))}
    for place in range(first + 1, len(messages)):
        role = messages[place].role
        if role == "user" or messages[place - 1].is_summary or (place > current and role == "assistant"):
            begins.add(place)
    staying = {first, current} if keep_first else {current}
    places = sorted(place for place in begins if place < len(messages))
    return [
        Unit(tuple(messages[begin:end]), stays=begin in staying) for begin, end in pairwise([*places, len(messages)])
    ]
