"""The contract of `Buckets`: no minute has more than a limit and two seconds of it, with any number of takers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest

from finclaw_cli.batch.buckets import CAPACITY_MS, INTERACTIVE, Buckets, Need, Taken, Taker, Wait
from finclaw_cli.batch.limits import Kind, Reported
from tests.batch.queues import Clock, MakeQueue

ONE, TWO, USER = Taker(id="one"), Taker(id="two"), Taker(id="user", rank=INTERACTIVE)
REQUEST = Need()
SIXTY: dict[Kind, int] = {"requests": 60}


@pytest.fixture
def buckets(make_queue: MakeQueue) -> Buckets:
    return make_queue().buckets


async def limited(buckets: Buckets, clock: Clock, limits: dict[Kind, int] = SIXTY) -> None:
    """A bucket that is full."""
    assert await buckets.choose("b", limits)
    clock.now_ms += CAPACITY_MS


async def taken(buckets: Buckets, takers: Iterable[Taker], need: Need = REQUEST) -> list[str]:
    """The ids of those that could take, in this order."""
    return [each.id for each in takers if isinstance(await buckets.take("b", each, need), Taken)]


async def test_where_no_limit_is_known_all_may_take(buckets: Buckets) -> None:
    assert not await buckets.choose("b", {})
    result = await buckets.take("b", ONE, REQUEST)
    assert isinstance(result, Taken)
    assert not result.is_limited


async def test_a_bucket_has_two_seconds_of_the_limit(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock)
    assert await taken(buckets, [ONE] * 5) == ["one", "one"]


async def test_a_new_bucket_is_empty(buckets: Buckets, clock: Clock) -> None:
    assert await buckets.choose("b", SIXTY)
    assert isinstance(await buckets.take("b", ONE, REQUEST), Wait)
    clock.now_ms += CAPACITY_MS // 2
    assert await taken(buckets, [ONE, ONE]) == ["one"]


async def test_no_minute_has_more_than_the_limit_and_the_capacity(make_queue: MakeQueue, clock: Clock) -> None:
    all_buckets = [make_queue().buckets for _ in range(2)]
    times: list[int] = []
    await limited(all_buckets[0], clock)
    for _ in range(140):
        clock.now_ms += 500
        for each in all_buckets:
            times += [clock.now_ms] * len(await taken(each, [ONE]))
    assert max(sum(begin <= at < begin + 60_000 for at in times) for begin in times) <= 60 + 2
    assert len(times) >= 70


async def test_tokens_are_limited_by_their_kinds(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock, {"input": 60_000, "output": 6_000})
    assert await taken(buckets, [ONE] * 3, Need(input=100, output=100)) == ["one", "one"]


async def test_what_is_larger_than_the_capacity_is_owed(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock, {"input": 600})
    assert await taken(buckets, [ONE, ONE], Need(input=100)) == ["one"]
    clock.now_ms += 9_900
    assert await taken(buckets, [ONE], Need(input=100)) == []
    clock.now_ms += 100
    assert await taken(buckets, [ONE], Need(input=100)) == ["one"]


async def test_what_was_not_used_can_be_taken(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock, {"output": 600})
    first = await buckets.take("b", ONE, Need(output=20))
    assert isinstance(first, Taken)
    assert await taken(buckets, [ONE], Need(output=15)) == []
    await buckets.settle("b", first, Need(output=5))
    assert await taken(buckets, [ONE], Need(output=15)) == ["one"]


async def test_what_was_used_beyond_what_was_expected_is_owed(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock, {"output": 600})
    first = await buckets.take("b", ONE, Need(output=5))
    assert isinstance(first, Taken)
    await buckets.settle("b", first, Need(output=30))
    assert await taken(buckets, [ONE], Need(output=5)) == []


async def test_two_batches_take_in_turns(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock)
    served: list[str] = []
    for _ in range(30):
        clock.now_ms += 500
        served += await taken(buckets, [ONE, ONE, ONE, TWO])
    assert all(one != other for one, other in pairwise(served[4:]))


async def test_one_that_takes_no_more_is_not_waited_for(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock)
    await taken(buckets, [ONE, TWO, TWO])
    clock.now_ms += 10_000
    assert await taken(buckets, [ONE, ONE]) == ["one", "one"]


async def test_interactive_runs_come_first(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock)
    assert await taken(buckets, [ONE, ONE, ONE, USER]) == ["one", "one"]
    clock.now_ms += 1_000
    assert await taken(buckets, [ONE, USER, ONE]) == ["user"]
    clock.now_ms += 1_000
    assert await taken(buckets, [ONE]) == ["one"]


async def test_a_server_lowers_a_limit_and_a_level(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock)
    await buckets.correct("b", [Reported(kind="requests", most=30, left=0)])
    clock.now_ms += 2_000
    assert await taken(buckets, [ONE, ONE]) == ["one"]


async def test_a_limit_of_the_settings_is_not_raised_by_a_server(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock)
    await buckets.correct("b", [Reported(kind="requests", most=6_000, left=6_000)])
    assert await taken(buckets, [ONE] * 3) == ["one", "one"]


async def test_after_a_refusal_one_request_goes_first(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock, {"requests": 600})
    await buckets.block("b", 5.0, 0)
    wait = await buckets.take("b", ONE, REQUEST)
    assert isinstance(wait, Wait)
    assert wait.blocked_s == 5
    assert await taken(buckets, [ONE, USER]) == []
    clock.now_ms += 5_000
    probe = await buckets.take("b", ONE, REQUEST)
    assert isinstance(probe, Taken)
    assert await taken(buckets, [TWO, USER]) == []
    await buckets.reopen("b", probe.probe, is_answered=True)
    clock.now_ms += 2_000
    assert await taken(buckets, [USER, TWO]) == ["user", "two"]


async def test_a_probe_that_is_refused_blocks_again(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock)
    await buckets.block("b", 5.0, 0)
    clock.now_ms += 5_000
    probe = await buckets.take("b", ONE, REQUEST)
    assert isinstance(probe, Taken)
    await buckets.block("b", 3.0, probe.probe)
    assert await taken(buckets, [ONE]) == []
    clock.now_ms += 3_000
    assert await taken(buckets, [ONE, ONE]) == ["one"]


async def test_a_probe_without_an_answer_is_made_again(buckets: Buckets, clock: Clock) -> None:
    await limited(buckets, clock)
    await buckets.block("b", 1.0, 0)
    clock.now_ms += 1_000
    probe = await buckets.take("b", ONE, REQUEST)
    assert isinstance(probe, Taken)
    await buckets.reopen("b", probe.probe, is_answered=False)
    clock.now_ms += 2_000
    assert await taken(buckets, [TWO, TWO]) == ["two"]
