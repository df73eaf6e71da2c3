"""The contract of a `BatchQueue`: submission, claims, leases, ends. Every implementation passes it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from finclaw_cli.batch.queue import DEADLY, BatchQueue, LeaseLost, Outcome
from tests.batch.queues import OK, Clock, MakeQueue, all_items, new_items, one, states


async def test_a_batch_is_submitted_once(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(3), None)
    await queue.finish(await one(queue), OK)
    await queue.submit("b", new_items(3), None)
    assert await states(queue) == {"waiting": 2, "ok": 1}


async def test_submitting_again_changes_the_limit(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(1), Decimal("0.10"))
    await queue.submit("b", new_items(1), Decimal("0.20"))
    (status,) = await queue.batches()
    assert status.max_cost_usd == Decimal("0.2")


async def test_items_are_claimed_in_the_order_of_their_lines(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(3), None)
    claims = await queue.claim("b", 2)
    assert [claim.line for claim in claims] == [1, 2]
    assert await states(queue) == {"waiting": 1, "running": 2}


async def test_no_item_is_claimed_by_two_workers(make_queue: MakeQueue) -> None:
    one_queue, other = make_queue(), make_queue()
    await one_queue.submit("b", new_items(4), None)
    claims = [*await one_queue.claim("b", 3), *await other.claim("b", 3)]
    assert sorted(claim.line for claim in claims) == [1, 2, 3, 4]


async def test_items_of_one_session_run_one_after_another(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(2, session="s"), None)
    (first,) = await queue.claim("b", 5)
    assert not await queue.claim("b", 5)
    await queue.finish(first, OK)
    assert (await one(queue)).line == 2


async def test_an_item_has_its_result(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(1), None)
    claim = await one(queue)
    await queue.begin(claim, "session", "run_1")
    await queue.settle(claim, Decimal(0), Decimal("0.25"))
    await queue.finish(claim, OK)
    (item,) = await all_items(queue)
    assert (item.name, item.state, item.attempts, item.session) == ("n1", "ok", 1, "session")
    assert (item.cost_usd, item.exit_code, item.result) == (Decimal("0.25"), 0, {"text": "done"})


async def test_an_unknown_cost_is_none(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(1), None)
    await queue.settle(await one(queue), Decimal(0), None)
    assert (await all_items(queue))[0].cost_usd is None


async def test_ends_are_listed_in_their_order(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(3), None)
    first, second, _ = await queue.claim("b", 3)
    await queue.finish(second, OK)
    await queue.finish(first, OK)
    ended = await queue.ended("b", 0, 10)
    assert [item.line for item in ended] == [2, 1]
    assert [item.line for item in await queue.ended("b", ended[0].place or 0, 10)] == [1]


async def test_a_retried_item_ends_in_a_new_place(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(1), None)
    await queue.finish(await one(queue), Outcome(state="failed", exit_code=4))
    (before,) = await queue.ended("b", 0, 10)
    assert await queue.retry("b", ["failed"]) == 1
    await queue.finish(await one(queue), OK)
    assert [item.state for item in await queue.ended("b", before.place or 0, 10)] == ["ok"]


async def test_an_item_that_was_given_back_is_claimed_again(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(1), None)
    claim = await one(queue)
    await queue.begin(claim, "s", "run_1")
    await queue.release(claim)
    again = await one(queue)
    assert (again.attempt, again.session, again.run_id) == (2, "s", "run_1")


async def test_the_items_of_a_dead_worker_are_taken_back_at_once(make_queue: MakeQueue) -> None:
    dead, other = make_queue(), make_queue()
    await dead.submit("b", new_items(1), None)
    await one(dead)
    assert not await other.claim("b", 1)
    await dead.aclose()  # releases the lock, as the end of its process does
    assert (await one(other)).attempt == 2


async def test_on_another_machine_the_lease_decides(make_queue: MakeQueue, clock: Clock, lease_s: float) -> None:
    far, here = make_queue(machine="far"), make_queue()
    await far.submit("b", new_items(1), None)
    await one(far)
    clock.now_ms += int(lease_s * 1000) - 1
    assert not await here.claim("b", 1)
    await far.heartbeat()
    clock.now_ms += int(lease_s * 1000)
    assert not await here.claim("b", 1)
    clock.now_ms += 1
    assert (await one(here)).attempt == 2


async def test_a_worker_that_lost_its_item_is_refused(make_queue: MakeQueue, clock: Clock, lease_s: float) -> None:
    far, here = make_queue(machine="far"), make_queue()
    await far.submit("b", new_items(1), None)
    lost = await one(far)
    clock.now_ms += int(lease_s * 1000) + 1
    claim = await one(here)
    for late in (far.begin(lost, "s", "r"), far.finish(lost, OK), far.release(lost)):
        with pytest.raises(LeaseLost):
            await late
    await here.finish(claim, OK)
    assert await states(here) == {"ok": 1}


async def test_batches_with_running_items_are_not_removed(queue: BatchQueue) -> None:
    await queue.submit("a", new_items(1), None)
    await queue.submit("b", new_items(1), None)
    claim = await one(queue)
    assert await queue.remove(["a", "b"]) == "b"
    await queue.finish(claim, OK)
    assert await queue.remove(["a", "b"]) is None
    assert not await queue.batches()


async def test_what_a_dead_worker_was_running_can_be_removed(make_queue: MakeQueue) -> None:
    dead, other = make_queue(), make_queue()
    await dead.submit("b", new_items(1), None)
    await one(dead)
    await dead.aclose()
    assert await other.remove(["b"]) is None


async def test_an_item_that_was_running_at_three_deaths_is_failed(make_queue: MakeQueue) -> None:
    first = make_queue()
    await first.submit("b", new_items(1), None)
    for queue in (first, make_queue(), make_queue()):
        await queue.begin(await one(queue), "s", "run_1")
        await queue.aclose()
    last = make_queue()
    assert not await last.claim("b", 1)
    (item,) = await all_items(last)
    assert (item.state, item.reason) == ("failed", DEADLY)


async def test_deaths_before_a_run_began_do_not_count(make_queue: MakeQueue) -> None:
    await (first := make_queue()).submit("b", new_items(1), None)
    for queue in (first, make_queue(), make_queue(), make_queue()):
        await one(queue)
        await queue.aclose()
    assert (await one(make_queue())).attempt == 5


async def test_cancelling_ends_what_waits_and_what_is_given_back(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(3), None)
    claim = await one(queue)
    assert not await queue.is_cancelled("b")
    assert await queue.cancel("b") == 2
    assert await queue.is_cancelled("b")
    assert not await queue.claim("b", 1)
    await queue.release(claim)
    assert await states(queue) == {"cancelled": 3}


async def test_what_was_cancelled_can_be_tried_again(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(2), None)
    await queue.cancel("b")
    assert await queue.retry("b", ["cancelled"], ["n2"]) == 1
    again = await one(queue)
    assert (again.line, again.is_retry) == (2, True)


async def test_a_retry_is_one_until_its_run_begins(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(1), None)
    await queue.finish(await one(queue), Outcome(state="failed", exit_code=4))
    await queue.retry("b", ["failed"])
    claim = await one(queue)
    await queue.begin(claim, "s", "r")
    await queue.release(claim)
    assert (claim.is_retry, (await one(queue)).is_retry) == (True, False)
