"""Requests that cost all they may, made at the same time: what is spent and held never exceeds a limit."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.app.budget_store import UsageBudgetStore
from finclaw_cli.app.local_time import local_now
from finclaw_cli.catalog.prices import Cost
from finclaw_cli.catalog.rates import Rates, sum_of_products
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.budget import Allowance, Limited, OverBudget, Wish
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.usage.connection import reading
from finclaw_cli.usage.failures import LedgerFailed
from finclaw_cli.usage.limits import Limits
from finclaw_cli.usage.spending import spent
from finclaw_cli.usage.store import Ledger
from finclaw_cli.usage.writing import LedgerWriter
from tests.unit.test_ledger import ONE
from tests.unit.test_ledger_reserve import exactly

REF = ModelRef(provider="acme", model="large")
LONG_AGO = timedelta(days=40)
PATIENCE_S = 30


class ListedPrices:
    """One price list for all models."""

    def __init__(self, rates: Rates) -> None:
        self._rates = rates

    def cost(self, ref: ModelRef, usage: Usage, at: datetime) -> Cost:
        usd = sum_of_products(self._rates, usage)
        return Cost(usd=usd, uncached_usd=usd, source="test")

    def at_once(self, ref: ModelRef) -> bool:
        return True


def spent_so_far(path: Path) -> Decimal:
    with reading(path) as connection:
        return spent(connection, local_now() - LONG_AGO)


def held_now(path: Path) -> Decimal:
    with reading(path) as connection:
        return sum((Decimal(amount) for (amount,) in connection.execute("SELECT amount FROM reservations")), Decimal(0))


@dataclass
class Committed:
    """What the runs of one loop have spent, and what their requests under way can cost."""

    spent: Decimal = Decimal(0)
    held: Decimal = Decimal(0)


class Spender:
    """A run that makes requests which cost all that they may."""

    def __init__(self, path: Path, name: str, rates: Rates, limits: Limits, max_cost: Decimal | None = None) -> None:
        self.writer = LedgerWriter(Ledger(path), lambda failure: None)
        self._prices = ListedPrices(rates)
        self._budget = Limited(
            prices=self._prices, max_cost_usd=max_cost, purse=UsageBudgetStore(self.writer, limits) if limits else None
        )
        self._name = name
        self._turn = 0
        self.spent = Decimal(0)

    async def allowed(self, sent: int, answered: int) -> Allowance:
        """What the money is enough for; it is checked against the budgets as they stood in that transaction."""
        wish = Wish(ref=REF, at=local_now(), input_tokens=sent, output_tokens=answered, spent_usd=self.spent)
        allowance = await self._budget.allow(wish)
        assert allowance.at_most_usd is not None
        assert allowance.output_tokens is not None
        assert all(allowance.at_most_usd <= standing.left_usd for standing in allowance.statuses)
        assert min(answered, 1_024) <= allowance.output_tokens <= answered
        return allowance

    async def request(self, sent: int, answered: int, pause: int, together: Committed | None = None) -> None:
        """Make one request, whose answer takes as long as so many reservations."""
        together = together or Committed()
        allowance = await self.allowed(sent, answered)
        together.held += allowance.at_most_usd or 0
        for _ in range(pause):
            await asyncio.to_thread(bool)  # as long as a reservation of another run takes
        cost = self._highest_cost(sent, allowance.output_tokens or 0)
        self._turn += 1
        self.spent += cost
        together.held -= allowance.at_most_usd or 0
        together.spent += cost
        self.writer.record(replace(ONE, at=local_now(), run_id=self._name, turn=self._turn, cost_usd=cost))
        await self._budget.release(allowance)

    def _highest_cost(self, sent: int, answered: int) -> Decimal:
        usages = (Usage(input=sent, output=answered), Usage(cache_write=sent, output=answered))
        return max(self._prices.cost(REF, usage, local_now()).usd or Decimal(0) for usage in usages)

    async def close(self) -> None:
        await self.writer.caught_up()
        self.writer.ledger.close()


PRICES = st.decimals(0, 40, places=3)
TOKENS = st.integers(1, 60_000)
ORDERS = st.lists(st.tuples(TOKENS, TOKENS, st.integers(0, 99)), min_size=1, max_size=3)


@settings(max_examples=20, deadline=None)
@given(
    rates=st.builds(Rates, input_usd=PRICES, output_usd=PRICES, cache_write_usd=st.none() | PRICES),
    daily=st.decimals("0.01", 3, places=2),
    runs=st.lists(ORDERS, min_size=2, max_size=6),
)
async def test_runs_in_one_loop_never_commit_more_than_the_limit(
    tmp_path_factory: pytest.TempPathFactory, rates: Rates, daily: Decimal, runs: list[list[tuple[int, int, int]]]
):
    path = tmp_path_factory.mktemp("budget") / "ledger.db"
    limits = Limits(daily_usd=daily)

    together = Committed()

    async def run(number: int) -> None:
        spender = Spender(path, f"run_{number}", rates, limits)
        with suppress(OverBudget):
            for order in runs[number]:
                await spender.request(*order, together)
                assert together.spent + together.held <= daily
        await spender.close()

    async with asyncio.TaskGroup() as group:
        for number in range(len(runs)):
            group.create_task(run(number))
    assert (spent_so_far(path), held_now(path)) == (together.spent, 0)


@settings(max_examples=30, deadline=None)
@given(
    rates=st.builds(Rates, input_usd=PRICES, output_usd=PRICES, cache_write_usd=st.none() | PRICES),
    limit=st.decimals("0.01", 3, places=2),
    orders=st.lists(st.tuples(TOKENS, TOKENS), min_size=1, max_size=9),
)
async def test_a_run_never_spends_more_than_its_limit(
    tmp_path_factory: pytest.TempPathFactory, rates: Rates, limit: Decimal, orders: list[tuple[int, int]]
):
    spender = Spender(tmp_path_factory.mktemp("run") / "ledger.db", "run", rates, Limits(), max_cost=limit)
    with suppress(OverBudget):
        for sent, answered in orders:
            await spender.request(sent, answered, 0)
            assert spender.spent <= limit
    await spender.close()


class GatedLedger(Ledger):
    """A ledger whose transactions wait for a gate."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.arrived, self.gate = threading.Event(), threading.Event()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        self.arrived.set()
        assert self.gate.wait(PATIENCE_S)
        with super().transaction() as connection:
            yield connection


def reservations_made(path: Path) -> int:
    with reading(path) as connection:
        found = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'reservations'").fetchone()
        return found[0] if found else 0


async def test_what_is_set_aside_for_a_run_that_was_cancelled_meanwhile_is_free_again(tmp_path: Path):
    ledger = GatedLedger(tmp_path / "ledger.db")
    purse = UsageBudgetStore(LedgerWriter(ledger, pytest.fail), Limits(daily_usd=Decimal(1)))
    asking = asyncio.create_task(purse.reserve(exactly(1)))
    await asyncio.to_thread(ledger.arrived.wait, PATIENCE_S)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    ledger.gate.set()
    async with asyncio.timeout(PATIENCE_S):
        while not (reservations_made(ledger.path) and held_now(ledger.path) == 0):  # noqa: ASYNC110 - a file has no event
            await asyncio.sleep(0.01)
    ledger.close()


async def test_nothing_is_spent_where_the_ledger_lacks_what_was_spent(tmp_path: Path):
    ledger, failures = Ledger(tmp_path / "ledger.db"), list[LedgerFailed]()
    ledger.path.write_text("no database " * 100)
    writer = LedgerWriter(ledger, failures.append)
    writer.record(ONE)
    await writer.caught_up()
    ledger.path.unlink()
    with pytest.raises(LedgerFailed):
        await UsageBudgetStore(writer, Limits(daily_usd=Decimal(1))).reserve(exactly(1))
    assert len(failures) == 1
