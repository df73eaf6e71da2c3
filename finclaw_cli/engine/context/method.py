"""How a conversation is divided and how much of it goes: the ways of this version, and those of an earlier one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from finclaw_cli.core.messages import Message, ToolResultBlock
from finclaw_cli.engine.context.parts import Parts, parted
from finclaw_cli.engine.context.removal import oldest_that_have_to, put_back
from finclaw_cli.engine.context.shorten import without_result

Count = Callable[[Sequence[Message]], int]
Cut = tuple[int, int]
"""A result: the place of its message, and its own in that message."""


@dataclass(frozen=True, slots=True)
class Goal:
    """How small a conversation has to become."""

    target: int
    count: Count

    def left(self, parts: Parts) -> int:
        """How many tokens these parts leave of the target; negative where they are too large."""
        return self.target - self.count(parts.messages)

    def fits(self, parts: Parts) -> bool:
        return self.left(parts) >= 0


class Method(Protocol):
    """A way to divide a conversation, and to choose what of it goes."""

    @property
    def most_filled(self) -> float:
        """How full a window may still be after a compaction, so that there is room for a summary."""
        ...

    def parted(self, messages: Sequence[Message], keep_recent: int, *, keep_first: bool = True) -> Parts:
        """The parts of a valid conversation."""
        ...

    def truncated(self, parts: Parts, goal: Goal) -> Parts:
        """The parts with a word in place of old results, as many as are needed."""
        ...

    def dropped(self, parts: Parts, goal: Goal) -> frozenset[int]:
        """The pieces that are dropped."""
        ...

    def shortened(self, parts: Parts, gone: frozenset[int]) -> int | None:
        """Of the pieces that are dropped the earlier summary that is shortened instead; None where none is."""
        ...

    def summed_up(self, parts: Parts, goal: Goal, least_room: int) -> frozenset[int]:
        """The pieces that a summary replaces."""
        ...

    def replaced(self, parts: Parts, gone: frozenset[int], goal: Goal, summary: str) -> frozenset[int]:
        """The pieces of those that are summed up which still go, now that the size of the summary is known."""
        ...

    def least_recent(self, messages: Sequence[Message]) -> int:
        """How many of the last messages stay also where those before them fill the window."""
        ...

    def expected_ratio(self, last: float) -> float:
        """The size of a summary, over that of what it sums up; `last` is that of the last one."""
        ...


class ByPiece:
    """Within exchanges, one result and one call at a time; what there is still room for stays."""

    SUMMARY_SHARE = 0.08
    """What of the target is kept free for a summary, so that as much as possible stays in its own words."""
    most_filled = 0.8

    def parted(self, messages: Sequence[Message], keep_recent: int, *, keep_first: bool = True) -> Parts:
        return parted(messages, keep_recent, keep_first=keep_first)

    def truncated(self, parts: Parts, goal: Goal) -> Parts:
        cuts = sorted(_cuts(parts), key=lambda cut: (parts.items[cut[0]].rank, cut))

        def cost(number: int) -> int:
            place, block = cuts[number]
            message = parts.items[place].message
            return goal.count([message]) - goal.count([without_result(message, block)]) + 1

        def without(numbers: frozenset[int]) -> Parts:
            return _with_cuts(parts, [cuts[number] for number in sorted(numbers)])

        gone = oldest_that_have_to(range(len(cuts)), lambda numbers: goal.fits(without(numbers)))
        return without(put_back(gone, goal.left(without(gone)), cost))

    def dropped(self, parts: Parts, goal: Goal) -> frozenset[int]:
        gone = oldest_that_have_to(parts.ranks, lambda ranks: goal.fits(parts.without(ranks)))
        return put_back(gone, goal.left(parts.without(gone)), _cost_of_piece(parts, goal), parts.needs)

    def shortened(self, parts: Parts, gone: frozenset[int]) -> int | None:
        return max(gone & parts.summaries(), default=None)

    def summed_up(self, parts: Parts, goal: Goal, least_room: int) -> frozenset[int]:
        """The oldest; an earlier summary always becomes part of the new one."""
        room = max(int(goal.target * self.SUMMARY_SHARE), least_room)

        def fits(ranks: frozenset[int]) -> bool:
            return bool(ranks) and goal.left(parts.summed_up(ranks, "")) >= room

        return oldest_that_have_to(parts.ranks, fits) | parts.summaries()

    def replaced(self, parts: Parts, gone: frozenset[int], goal: Goal, summary: str) -> frozenset[int]:
        """The newest of them stay in their own words where the summary leaves room for that."""
        left, cost = goal.left(parts.summed_up(gone, summary)), _cost_of_piece(parts, goal)
        for rank in sorted(gone, reverse=True):  # pragma: no branch - all of it fits nowhere, so it was summed up
            left -= cost(rank)
            if left < 0 or rank in parts.summaries():
                break
            gone -= {rank}
        return gone

    def least_recent(self, messages: Sequence[Message]) -> int:
        """The current question, and what came since: an exchange that is over is no reason to stay at the limit."""
        return next((number for number, each in enumerate(reversed(messages), start=1) if each.is_question), 0)

    def expected_ratio(self, last: float) -> float:
        return last


def _cost_of_piece(parts: Parts, goal: Goal) -> Callable[[int], int]:
    """The tokens of a piece, and one for what is rounded."""
    pieces = parts.pieces()
    return lambda rank: goal.count(pieces[rank]) + 1


def _cuts(parts: Parts) -> Iterator[Cut]:
    """The results that may become a word, and are larger than it."""
    for place, item in enumerate(parts.items):
        if item.rank is None or item.message.role != "tool" or isinstance(item.message.content, str):
            continue
        for number, block in enumerate(item.message.content):
            if isinstance(block, ToolResultBlock) and without_result(item.message, number) is not item.message:
                yield place, number


def _with_cuts(parts: Parts, cuts: Sequence[Cut]) -> Parts:
    changed: dict[int, Message] = {}
    for place, number in cuts:
        changed[place] = without_result(changed.get(place, parts.items[place].message), number)
    return parts.changed(changed)


BY_PIECE: Method = ByPiece()
