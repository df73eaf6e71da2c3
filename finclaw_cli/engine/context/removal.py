"""Choosing what goes: as little as the target asks for, the oldest first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

Fits = Callable[[frozenset[int]], bool]


def oldest_that_have_to(ranks: Sequence[int], fits: Fits) -> frozenset[int]:
    """The fewest of the first ranks without which the rest fits; all of them, where even that is not enough."""
    number = bisect_left(range(len(ranks)), x=True, key=lambda number: fits(frozenset(ranks[:number])))
    return frozenset(ranks[:number])


def put_back(
    gone: frozenset[int], left: int, cost: Callable[[int], int], needs: Mapping[int, int] = MappingProxyType({})
) -> frozenset[int]:
    """What still goes, where those for which there is room come back: the newest first.

    Args:
        gone: what was to go.
        left: the room, in tokens; negative where even that is not enough.
        cost: the tokens that each takes at most.
        needs: by what comes back only with another, that other.
    """
    for rank in sorted(gone, reverse=True):
        if needs.get(rank) not in gone and (took := cost(rank)) <= left:
            gone -= {rank}
            left -= took
    return gone
