"""How versions 1 and 2 of events divided a conversation: by whole exchanges. Their recordings are verified by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf

from finclaw_cli.core.messages import Message
from finclaw_cli.engine.context.method import Goal, Method
from finclaw_cli.engine.context.parts import Parts, ranked
from finclaw_cli.engine.context.removal import oldest_that_have_to
from finclaw_cli.engine.context.shorten import without_results


class ByExchange:
    """An exchange that is over goes as a whole, and a summary takes the place of all that may go."""

    most_filled = inf

    def parted(self, messages: Sequence[Message], keep_recent: int, *, keep_first: bool = True) -> Parts:
        questions = [place for place, each in enumerate(messages) if each.is_question] or [0]
        staying = {questions[-1], *(questions[:1] if keep_first else ())}
        pieces = [piece for piece in _pieces(messages, questions[0], questions[-1]) if piece[0] not in staying]
        return ranked(messages, pieces, staying, keep_recent)

    def truncated(self, parts: Parts, goal: Goal) -> Parts:
        def without(ranks: frozenset[int]) -> Parts:
            items = enumerate(parts.items)
            return parts.changed({place: without_results(item.message) for place, item in items if item.rank in ranks})

        return without(oldest_that_have_to(parts.ranks, lambda ranks: goal.fits(without(ranks))))

    def dropped(self, parts: Parts, goal: Goal) -> frozenset[int]:
        return oldest_that_have_to(parts.ranks, lambda ranks: goal.fits(parts.without(ranks)))

    def shortened(self, parts: Parts, gone: frozenset[int]) -> int | None:
        newest = max(gone)
        return newest if newest in parts.summaries() else None

    def summed_up(self, parts: Parts, goal: Goal, least_room: int) -> frozenset[int]:  # noqa: ARG002 - it has all room
        return frozenset(parts.ranks)

    def least_recent(self, messages: Sequence[Message]) -> int:
        return len(messages)

    def expected_ratio(self, last: float) -> float:  # noqa: ARG002 - it did not learn
        return 1.0


def _pieces(messages: Sequence[Message], first: int, current: int) -> Iterator[list[int]]:
    """The places of a whole exchange that is over, or of a call of the current one, with its results."""
    begins = {0, first, *(place + 1 for place in (first, current))}
    for place in range(first + 1, len(messages)):
        role = messages[place].role
        if role == "user" or messages[place - 1].is_summary or (place > current and role == "assistant"):
            begins.add(place)
    places = sorted(place for place in begins if place < len(messages))
    for begin, end in pairwise([*places, len(messages)]):
        yield list(range(begin, end))


BY_EXCHANGE: Method = ByExchange()
