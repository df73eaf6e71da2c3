"""A request waits for the money of others, and no longer than it has to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from finclaw_cli.app.budget_store import UsageBudgetStore
from finclaw_cli.core.budget import AmountRange, BudgetStatus, Reservation
from finclaw_cli.usage.limits import Limits
from finclaw_cli.usage.store import Ledger
from finclaw_cli.usage.writing import LedgerWriter
from tests.unit.test_ledger_reserve import exactly

PATIENCE_S = 60
RANGE = AmountRange(least_usd=Decimal("0.1"), enough_usd=Decimal("0.5"), most_usd=Decimal(1))


@pytest.fixture
def purse(tmp_path: Path) -> Iterator[UsageBudgetStore]:
    ledger = Ledger(tmp_path / "ledger.db")
    yield UsageBudgetStore(LedgerWriter(ledger, pytest.fail), Limits(daily_usd=Decimal(1)))
    ledger.close()


async def held(purse: UsageBudgetStore, amount: str) -> Reservation:
    money = await purse.reserve(exactly(amount))
    assert isinstance(money, Reservation)
    return money


async def test_a_request_waits_until_there_is_enough_for_an_ample_answer(purse: UsageBudgetStore) -> None:
    money = await held(purse, "0.8")
    waiting = asyncio.create_task(purse.reserve(RANGE))
    done, _ = await asyncio.wait([waiting], timeout=0)
    assert not done
    await purse.release(money)
    async with asyncio.timeout(PATIENCE_S):
        given = await waiting
    assert isinstance(given, Reservation)
    assert given.amount_usd == 1


async def test_a_request_that_can_never_be_paid_does_not_wait(purse: UsageBudgetStore) -> None:
    await held(purse, "0.5")
    async with asyncio.timeout(PATIENCE_S):
        status = await purse.reserve(exactly("1.01"))
    assert isinstance(status, BudgetStatus)
    assert (status.scope, status.left_usd) == ("daily", Decimal("0.5"))
