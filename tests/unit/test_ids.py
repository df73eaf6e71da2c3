"""Identifiers of runs."""

from __future__ import annotations

import time

from finclaw_cli.core.ids import CROCKFORD, new_run_id


def milliseconds_of(run_id: str) -> int:
    """The time in an id, whose first ten characters hold 48 bits in Crockford's base 32."""
    number = 0
    for character in run_id.removeprefix("run_")[:10]:
        number = number * 32 + CROCKFORD.index(character)
    return number


def test_an_id_begins_with_the_time_in_milliseconds():
    before = time.time_ns() // 1_000_000
    identifier = new_run_id()
    assert before <= milliseconds_of(identifier) <= time.time_ns() // 1_000_000
    assert len(identifier) == len("run_") + 26


def test_two_ids_of_one_moment_differ():
    assert len({new_run_id() for _ in range(1_000)}) == 1_000
