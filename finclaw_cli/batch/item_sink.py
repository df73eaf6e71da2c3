"""What a run of an item reports: its result, and its costs as they come up."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Final

from finclaw_cli.batch.queue import BatchQueue, Claim
from finclaw_cli.core.budget import AmountRange, BudgetStatus, Reservation
from finclaw_cli.core.events.agent import AgentResult, Emitted
from finclaw_cli.core.events.budget import BudgetSpent

LOOK_AGAIN_S: Final = 0.25
_NOTHING: Final = Decimal(0)


class ItemSink:
    """Takes the events of one run, and reserves the money of its requests, one at a time, in the queue."""

    takes_deltas = False

    def __init__(self, queue: BatchQueue, claim: Claim, money: asyncio.Lock) -> None:
        self.result: AgentResult | None = None
        self._queue = queue
        self._claim = claim
        self._money = money
        self._reserved = _NOTHING

    async def take(self, emitted: Emitted) -> None:
        """Keep a result, and add a cost."""
        match emitted.event:
            case AgentResult() as result:
                self.result = result
            case BudgetSpent(cost_usd=cost):
                await self._settle(cost)
            case _:
                pass

    async def reserve(self, wanted: AmountRange) -> Reservation | BudgetStatus:
        """Reserve the money of a request; wait where requests of other items may leave enough."""
        reserved = await self._reserved_now(wanted)
        if reserved is not None:
            return reserved
        async with self._money:  # only the first of those that wait looks again and again
            while True:
                reserved = await self._reserved_now(wanted)
                if reserved is not None:
                    return reserved
                await asyncio.sleep(LOOK_AGAIN_S)

    async def _reserved_now(self, wanted: AmountRange) -> Reservation | BudgetStatus | None:
        reserved = await self._queue.reserve(self._claim, wanted)
        if isinstance(reserved, Decimal):
            self._reserved = reserved
            return Reservation(id=0, amount_usd=reserved, statuses=())
        return reserved if reserved.unspent_usd < wanted.least_usd else None

    async def release(self, _: Reservation) -> None:
        """Free what was reserved for a request that was not made; of one that was made, the cost took its place."""
        if self._reserved:
            await self._settle(_NOTHING)

    async def _settle(self, cost: Decimal | None) -> None:
        if cost == 0 and not self._reserved:
            return
        reserved, self._reserved = self._reserved, _NOTHING
        await self._queue.settle(self._claim, reserved, cost)
