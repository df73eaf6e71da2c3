"""The contract of a `BatchQueue`: money. What is spent and reserved together is never above the limit."""

from __future__ import annotations

import asyncio
from decimal import Decimal

from finclaw_cli.batch.queue import BatchQueue, Claim
from finclaw_cli.core.budget import BudgetStatus
from tests.batch.queues import MakeQueue, all_items, money, new_items, one


async def test_a_reservation_is_what_the_limit_leaves(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(2), Decimal("0.10"))
    first, second = await queue.claim("b", 2)
    assert await queue.reserve(first, money("0.06")) == Decimal("0.06")
    refused = await queue.reserve(second, money("0.06"))
    assert isinstance(refused, BudgetStatus)
    assert (refused.left_usd, refused.unspent_usd) == (Decimal("0.04"), Decimal("0.10"))


async def test_a_settled_reservation_is_free_again(queue: BatchQueue) -> None:
    await queue.submit("b", new_items(1), Decimal("0.10"))
    claim = await one(queue)
    await queue.reserve(claim, money("0.08"))
    await queue.settle(claim, Decimal("0.08"), Decimal("0.01"))
    assert await queue.reserve(claim, money("0.09")) == Decimal("0.09")


async def test_what_a_dead_worker_had_reserved_counts_as_spent(make_queue: MakeQueue) -> None:
    dead, other = make_queue(), make_queue()
    await dead.submit("b", new_items(1), Decimal("0.10"))
    claim = await one(dead)
    await dead.reserve(claim, money("0.08"))
    await dead.aclose()
    again = await one(other)
    await other.settle(claim, Decimal("0.08"), Decimal("0.01"))  # too late: it is counted
    assert isinstance(await other.reserve(again, money("0.03")), BudgetStatus)
    (status,) = await other.batches()
    assert (status.spent_usd, status.held_usd) == (Decimal("0.08"), 0)
    assert (await all_items(other))[0].cost_usd == Decimal("0.08")


async def test_a_transcript_gives_the_cost_of_what_a_dead_worker_had_reserved(make_queue: MakeQueue) -> None:
    dead, other = make_queue(), make_queue()
    await dead.submit("b", new_items(1), Decimal("0.10"))
    claim = await one(dead)
    await dead.begin(claim, "s", "run_1")
    await dead.settle(claim, await reserved(dead, claim, "0.02"), Decimal("0.01"))
    await dead.reserve(claim, money("0.08"))
    await dead.aclose()
    again = await one(other)
    assert again.lost_usd == Decimal("0.08")
    await other.recover(again, Decimal("0.03"))
    await other.recover(again, Decimal("0.03"))
    (status,) = await other.batches()
    assert (status.spent_usd, (await all_items(other))[0].cost_usd) == (Decimal("0.03"), Decimal("0.03"))


async def reserved(queue: BatchQueue, claim: Claim, amount: str) -> Decimal:
    found = await queue.reserve(claim, money(amount))
    assert isinstance(found, Decimal)
    return found


async def test_many_workers_at_once_stay_within_the_limit(make_queue: MakeQueue) -> None:
    queues = [make_queue() for _ in range(4)]
    await queues[0].submit("b", new_items(40), Decimal("0.10"))

    async def work(queue: BatchQueue) -> None:
        for claim in await queue.claim("b", 10):
            reserved = await queue.reserve(claim, money("0.007"))
            if isinstance(reserved, Decimal):
                await queue.settle(claim, reserved, Decimal("0.0065"))

    async with asyncio.TaskGroup() as group:
        for queue in queues:
            group.create_task(work(queue))
    (status,) = await queues[0].batches()
    assert Decimal("0.093") < status.spent_usd <= Decimal("0.10")
    assert status.held_usd == 0
