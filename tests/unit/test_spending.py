"""What one request takes is reserved before it is made, and counted by the reservation however it ends."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from finclaw_cli.app.budget_store import UsageBudgetStore
from finclaw_cli.catalog.prices import Cost
from finclaw_cli.catalog.rates import Rates, sum_of_products
from finclaw_cli.core.chunks import StreamChunk, TextDelta
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.events.agent import Event
from finclaw_cli.core.events.budget import BudgetReserved
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.assemble import Assembler
from finclaw_cli.engine.budget import Limited
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.engine.spending import Expected, FinishedRequest, RequestPosition, Spending
from finclaw_cli.usage.limits import Limits
from finclaw_cli.usage.store import Ledger
from finclaw_cli.usage.writing import LedgerWriter
from tests.unit.test_budget_properties import ListedPrices, held_now

RATES = Rates(input_usd=Decimal(3), output_usd=Decimal(15))
REQUEST = ModelRequest(model="large", messages=(Message("user", "Hi?"),), max_output_tokens=50)
EXPECTED, PLACE = Expected(tokens=10, at_most=100), RequestPosition(turn=1, attempt=1)


class Silent:
    """A provider that is never asked."""

    name = "acme"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        raise NotImplementedError
        yield

    async def aclose(self) -> None:
        """Nothing is open."""


class Clock(SystemClock):
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 20, 23, 59, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment


class RisingPrices(ListedPrices):
    """A list whose prices are ten times as high from the next day on."""

    def cost(self, ref: ModelRef, usage: Usage, at: datetime) -> Cost:
        usd = sum_of_products(RATES, usage) * (10 if at.day > 20 else 1)
        return Cost(usd=usd, uncached_usd=usd, source="test")


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[LedgerWriter]:
    ledger = Ledger(tmp_path / "ledger.db")
    yield LedgerWriter(ledger, pytest.fail)
    ledger.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def connection(clock: Clock) -> Connection:
    return Connection(ref=ModelRef(provider="acme", model="large"), provider=Silent(), gate=Gate(clock))


def engine(prices: ListedPrices, clock: Clock, purse: UsageBudgetStore | None = None) -> Engine:
    def connect(ref: ModelRef) -> Connection:
        raise NotImplementedError(ref)

    budget = Limited(prices=prices, max_cost_usd=Decimal(1), purse=purse)
    return Engine(connect=connect, clock=clock, prices=prices, budget=budget)


async def test_a_request_that_cannot_be_recorded_holds_no_money(
    writer: LedgerWriter, clock: Clock, connection: Connection
):
    async def emit(event: Event) -> None:
        if isinstance(event, BudgetReserved):
            raise OSError("the disk is full")

    purse = UsageBudgetStore(writer, Limits(daily_usd=Decimal(1)))
    with pytest.raises(OSError, match="full"):
        await Spending(engine(ListedPrices(RATES), clock, purse), emit).begin(connection, REQUEST, PLACE, EXPECTED)
    await writer.caught_up()
    assert held_now(writer.ledger.path) == 0


async def test_a_request_costs_what_it_did_when_it_began(clock: Clock, connection: Connection):
    spending = Spending(engine(RisingPrices(RATES), clock), discard)
    begun = await spending.begin(connection, REQUEST, PLACE, EXPECTED)
    clock.moment += timedelta(minutes=2)
    spent = await spending.end(begun, FinishedRequest(status="complete", streamed=Assembler()))
    assert spent.cost_usd == sum_of_products(RATES, Usage(input=EXPECTED.tokens))


async def test_an_answer_that_was_cut_off_is_counted_with_no_more_tokens_than_it_was_allowed(
    clock: Clock, connection: Connection
):
    spending = Spending(engine(ListedPrices(RATES), clock), discard)
    begun = await spending.begin(connection, REQUEST, PLACE, EXPECTED)
    streamed = Assembler()
    streamed.add(TextDelta("a b c d e " * 100))
    spent = await spending.end(begun, FinishedRequest(status="failed", streamed=streamed))
    assert (spent.usage.output, spent.estimated) == (50, True)


async def test_an_answer_that_was_cut_off_is_counted_as_the_provider_counts(clock: Clock, connection: Connection):
    counts = []
    for factor in (1.0, 3.0):
        spending = Spending(engine(ListedPrices(RATES), clock), discard)
        request = replace(REQUEST, max_output_tokens=5_000)
        begun = await spending.begin(connection, request, PLACE, replace(EXPECTED, factor=factor))
        streamed = Assembler()
        streamed.add(TextDelta("a b c d e " * 100))
        spent = await spending.end(begun, FinishedRequest(status="failed", streamed=streamed))
        counts.append(spent.usage.output)
    assert 50 < counts[0] < 5_000 / 3
    assert counts[1] == pytest.approx(3 * counts[0], rel=0.01)


async def discard(event: Event) -> None:
    """Take no notice of an event."""
