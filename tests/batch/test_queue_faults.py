"""The contract of a `BatchQueue`: an operation that fails at any of its boundaries was made whole, or not at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from decimal import Decimal

import pytest

from finclaw_cli.batch.queue import BatchQueue, Claim
from finclaw_cli.batch.rounds_port import Ended
from tests.batch.queues import OK, MakeQueue, all_items, ask_in_round, money, new_items, new_round, one, states

Operation = Callable[[BatchQueue, Claim], Awaitable[object]]
OPERATIONS: dict[str, Operation] = {
    "submit": lambda queue, _: queue.submit("other", new_items(3), None),
    "claim": lambda queue, _: queue.claim("b", 2),
    "begin": lambda queue, claim: queue.begin(claim, "s", "run_1"),
    "finish": lambda queue, claim: queue.finish(claim, OK),
    "release": lambda queue, claim: queue.release(claim),
    "reserve": lambda queue, claim: queue.reserve(claim, money("0.01")),
    "settle": lambda queue, claim: queue.settle(claim, Decimal(0), Decimal("0.01")),
    "cancel": lambda queue, _: queue.cancel("b"),
    "begin_round": lambda queue, _: queue.rounds.begin(new_round("r", "asked")),
    "end_questions": lambda queue, _: queue.rounds.end_questions("sent", [Ended(key="key", is_expired=True)]),
    "end_round": lambda queue, _: queue.rounds.end("sent"),
    "drop_round": lambda queue, _: queue.rounds.drop("sent"),
}


class Faulty:
    """Fails once at a boundary, from when it is armed."""

    def __init__(self, point: str) -> None:
        self._point = point
        self.is_armed = False

    def __call__(self, point: str) -> None:
        if self.is_armed and point == self._point:
            self.is_armed = False
            raise RuntimeError(point)


async def _facts(queue: BatchQueue) -> object:
    rounds = [each.id for each in await queue.rounds.under_way("b")], await queue.rounds.expired("b", 1)
    return await queue.batches(), await all_items(queue), await all_items(queue, "other"), rounds


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("boundary", ["begin", "written", "commit"])
async def test_a_fault_leaves_all_or_nothing(make_queue: MakeQueue, name: str, boundary: str) -> None:
    fault = Faulty("commit" if boundary == "commit" else f"{name}:{boundary}")
    queue, reader = make_queue(fault=fault), make_queue()
    await queue.submit("b", new_items(4), Decimal(1))
    claim = await one(queue)
    await ask_in_round(queue, "sent", "key")
    await queue.rounds.ask("b", 1, "asked")
    before = await _facts(reader)
    fault.is_armed = True
    with pytest.raises(RuntimeError):
        await OPERATIONS[name](queue, claim)
    after = await _facts(reader)
    assert (before != after) == (boundary == "commit")
    assert sum((await states(reader)).values()) == 4


@pytest.mark.parametrize("boundary", ["claim:begin", "claim:written", "commit"])
async def test_what_a_fault_left_is_taken_up_by_the_next_worker(make_queue: MakeQueue, boundary: str) -> None:
    fault = Faulty(boundary)
    queue, other = make_queue(fault=fault), make_queue()
    await queue.submit("b", new_items(3), None)
    fault.is_armed = True
    with pytest.raises(RuntimeError):
        await queue.claim("b", 3)
    await queue.aclose()
    assert [claim.line for claim in await other.claim("b", 3)] == [1, 2, 3]
