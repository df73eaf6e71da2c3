"""How many requests an overloaded server gets."""

from __future__ import annotations

from finclaw_cli.batch.crowd import Crowd
from finclaw_cli.errors import ProviderError

OVERLOADED = ProviderError("busy", reason="overloaded")


def room(crowd: Crowd) -> int:
    """How many more may enter."""
    count = 0
    while crowd.has_room:
        crowd.enter()
        count += 1
    for _ in range(count):
        crowd.leave(-1, OVERLOADED)
    return count


def test_an_overload_halves_it_once_for_all_requests_that_were_under_way() -> None:
    crowd = Crowd(8)
    for since in [crowd.enter() for _ in range(8)]:
        crowd.leave(since, OVERLOADED)
    assert room(crowd) == 4


def test_it_never_closes() -> None:
    crowd = Crowd(8)
    for _ in range(10):
        crowd.leave(crowd.enter(), OVERLOADED)
    assert room(crowd) == 1


def test_answers_add_one_after_as_many_as_there_are() -> None:
    crowd = Crowd(8)
    for since in [crowd.enter() for _ in range(8)]:
        crowd.leave(since, OVERLOADED)
    for _ in range(5):
        crowd.leave(crowd.enter(), None)
    assert room(crowd) == 5
    for _ in range(100):
        crowd.leave(crowd.enter(), None)
    assert room(crowd) == 8


def test_other_failures_say_nothing_of_it() -> None:
    crowd = Crowd(8)
    crowd.leave(crowd.enter(), ProviderError("no", reason="bad_request"))
    assert room(crowd) == 8
