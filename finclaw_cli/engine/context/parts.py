"""Which part of a conversation may go: pieces that never part a call from its result, in the order in which they go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise
from types import MappingProxyType

from finclaw_cli.core.messages import SUMMARY_MARK, Message
from finclaw_cli.core.record import record


@record
class Item:
    """A message, and the rank of its piece: lower ranks go first, equal ones together. Without a rank it stays."""

    message: Message
    rank: int | None = None


@record
class Parts:
    """A conversation of which some pieces may change or go."""

    items: tuple[Item, ...]
    opening: Message | None = None
    """The question behind which a summary stands; None for a summary at the beginning."""
    needs: Mapping[int, int] = field(default_factory=dict)
    """By the rank of a piece, that of the piece with its question, without which it is not kept."""

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(item.message for item in self.items)

    @property
    def old(self) -> tuple[Message, ...]:
        """What may change, in the order of the conversation."""
        return tuple(item.message for item in self.items if item.rank is not None)

    @property
    def ranks(self) -> tuple[int, ...]:
        """The pieces that may go, in their order."""
        return tuple(sorted({item.rank for item in self.items if item.rank is not None}))

    def of(self, ranks: Collection[int]) -> tuple[Message, ...]:
        """The messages of some pieces, in the order of the conversation."""
        return tuple(item.message for item in self.items if item.rank in ranks)

    def pieces(self) -> Mapping[int, Sequence[Message]]:
        """The messages of each piece, by its rank."""
        found: dict[int, list[Message]] = {}
        for item in self.items:
            if item.rank is not None:
                found.setdefault(item.rank, []).append(item.message)
        return found

    def summaries(self) -> frozenset[int]:
        """The pieces that an earlier compaction left, and that have nothing else."""
        return frozenset(rank for rank, piece in self.pieces().items() if len(piece) == 1 and piece[0].is_summary)

    def without(self, ranks: Collection[int]) -> Parts:
        """The same without some pieces."""
        return replace(self, items=tuple(item for item in self.items if item.rank is None or item.rank not in ranks))

    def summed_up(self, ranks: Collection[int], summary: str) -> Parts:
        """The same with a summary in place of some pieces; it stands behind the first question."""
        made = Item(Message("user", f"{SUMMARY_MARK}\n{summary}"), min(ranks))
        left = self.without(ranks).items
        behind = next((place for place, item in enumerate(left, start=1) if item.message is self.opening), 0)
        return replace(self, items=(*left[:behind], made, *left[behind:]))

    def changed(self, messages: Mapping[int, Message]) -> Parts:
        """The same with other messages, by their places."""
        items = (replace(item, message=messages.get(place, item.message)) for place, item in enumerate(self.items))
        return replace(self, items=tuple(items))


def parted(messages: Sequence[Message], keep_recent: int, *, keep_first: bool = True) -> Parts:
    """The parts of a valid conversation.

    A piece is a call with its result, or what is left of an exchange without them: its question and its answer. Of an
    exchange the calls go first, so that an answer is never left without its question.

    Args:
        messages: the conversation.
        keep_recent: how many of the last messages stay, and what belongs to them.
        keep_first: whether the first question stays; the current one always does.
    """
    questions = [place for place, each in enumerate(messages) if each.is_question] or [0]
    staying = {questions[-1], *(questions[:1] if keep_first else ())}
    pieces: list[list[int]] = []
    needs: dict[int, int] = {}
    for found in _exchanges(messages, questions):
        left = [[place for place in piece if place not in staying] for piece in found]
        last = len(pieces) + len(left) - 1
        if any(messages[place].is_question for place in left[-1]):
            needs.update(dict.fromkeys(range(len(pieces), last), last))
        pieces += left
    return ranked(messages, pieces, staying, keep_recent, needs)


def ranked(
    messages: Sequence[Message],
    pieces: Iterable[Sequence[int]],
    staying: Collection[int],
    keep_recent: int,
    needs: Mapping[int, int] = MappingProxyType({}),
) -> Parts:
    """Parts of these pieces, given by the places of their messages; what is recent stays with all of its piece."""
    recent = len(messages) - keep_recent
    ranks: dict[int, int] = {}
    for rank, piece in enumerate(pieces):
        if piece and max(piece) < recent:
            ranks.update(dict.fromkeys(piece, rank))
    items = tuple(Item(message, ranks.get(place)) for place, message in enumerate(messages))
    opening = next((messages[place] for place in sorted(staying) if place < recent), None)
    return Parts(items, opening, needs)


def _exchanges(messages: Sequence[Message], questions: Sequence[int]) -> Iterator[list[list[int]]]:
    """The pieces of each exchange, by the places of their messages; what stands before the first is one piece."""
    begins = sorted({0, *questions})
    for begin, end in pairwise([*begins, len(messages)]):
        if begin < questions[0]:
            yield [list(range(begin, end))]
        else:
            yield _of_exchange(messages, begin, end, is_over=end < len(messages))


def _of_exchange(messages: Sequence[Message], begin: int, end: int, *, is_over: bool) -> list[list[int]]:
    """Its summaries and its calls with their results, then the rest; of one that goes on, each message by itself."""
    pieces: list[list[int]] = []
    rest: list[int] = []
    for place in range(begin, end):
        message = messages[place]
        if message.role == "tool" and pieces:
            pieces[-1].append(place)
        elif message.is_summary or message.tool_calls or not is_over:
            pieces.append([place])
        else:
            rest.append(place)
    return [*pieces, rest]
