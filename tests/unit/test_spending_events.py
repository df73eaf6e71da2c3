"""What is reported of the money of a run, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import pytest

from finclaw_cli.catalog.prices import Cost
from finclaw_cli.catalog.rates import Rates
from finclaw_cli.core.budget import BudgetStatus
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.errors import BudgetReached
from finclaw_cli.core.events.agent import AgentWarning, Event
from finclaw_cli.core.events.budget import BudgetExceeded, BudgetThreshold, Purpose
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.assemble import Assembler
from finclaw_cli.engine.budget import Allowance, Limited, OverBudget, Wish
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.engine.spending import Expected, FinishedRequest, RequestPosition, Spending
from tests.unit.test_budget_properties import ListedPrices
from tests.unit.test_spending import Silent

RATES = Rates(input_usd=Decimal(3), output_usd=Decimal(15))
REF = ModelRef(provider="acme", model="large")
CONNECTION = Connection(ref=REF, provider=Silent(), gate=Gate(SystemClock()))
REQUEST = ModelRequest(model="large", messages=(Message("user", "Hi?"),), max_output_tokens=10_000)
EXPECTED = Expected(tokens=1_000, at_most=1_000)
DONE = FinishedRequest(status="complete", streamed=Assembler())


class Standing:
    """A budget that allows each request, with how it stands."""

    def __init__(self, *statuses: BudgetStatus, at_most: str | None = None) -> None:
        self.allowance = Allowance(statuses=statuses, at_most_usd=None if at_most is None else Decimal(at_most))

    async def allow(self, wish: Wish) -> Allowance:
        return self.allowance

    async def release(self, allowance: Allowance) -> None:
        """Nothing was set aside."""


class CostPrices(ListedPrices):
    """Each request costs one amount."""

    def __init__(self, amount: str | None) -> None:
        super().__init__(RATES)
        self._amount = None if amount is None else Decimal(amount)

    def cost(self, ref: ModelRef, usage: Usage, at: datetime) -> Cost:
        return Cost(usd=self._amount, uncached_usd=self._amount, source="test")


class Account:
    """The spending of one run, and the events of it."""

    def __init__(self, budget: Standing | Limited, prices: ListedPrices | None = None) -> None:
        def connect(ref: ModelRef) -> Connection:
            raise NotImplementedError(ref)

        self.events: list[Event] = []
        engine = Engine(connect=connect, clock=SystemClock(), prices=prices or ListedPrices(RATES), budget=budget)
        self.spending = Spending(engine, self._emit)

    async def _emit(self, event: Event) -> None:
        self.events.append(event)

    async def request(self, *, turn: int = 1, purpose: Purpose = "turn") -> None:
        place = RequestPosition(turn=turn, attempt=1, purpose=purpose)
        begun = await self.spending.begin(CONNECTION, REQUEST, place, EXPECTED)
        await self.spending.end(begun, DONE)

    @property
    def warnings(self) -> Sequence[str]:
        return [event.code for event in self.events if isinstance(event, AgentWarning)]


def limited(max_cost: str) -> Limited:
    return Limited(prices=ListedPrices(RATES), max_cost_usd=Decimal(max_cost))


@pytest.mark.parametrize(
    ("limit", "spent", "reported"), [("10", "7.99", 0), ("10", "8", 1), ("10", "11", 1), ("0", "0", 0)]
)
async def test_that_most_of_a_budget_is_spent_is_reported_from_eighty_percent_on(
    limit: str, spent: str, reported: int
) -> None:
    status = BudgetStatus(scope="daily", limit_usd=Decimal(limit), spent_usd=Decimal(spent))
    account = Account(Standing(status))
    await account.request()
    thresholds = [event for event in account.events if isinstance(event, BudgetThreshold)]
    assert (
        thresholds
        == [BudgetThreshold(scope="daily", limit_usd=status.limit_usd, spent_usd=status.spent_usd)] * reported
    )


async def test_that_most_of_a_budget_is_spent_is_reported_once_for_each() -> None:
    statuses = [BudgetStatus(scope=scope, limit_usd=Decimal(1), spent_usd=Decimal(1)) for scope in ("daily", "monthly")]
    account = Account(Standing(*statuses))
    for turn in (1, 2):
        await account.request(turn=turn)
    assert [event.scope for event in account.events if isinstance(event, BudgetThreshold)] == ["daily", "monthly"]


async def test_that_answers_are_short_is_reported_once() -> None:
    account = Account(limited("0.1"))
    for turn in (1, 2):
        begun = await account.spending.begin(CONNECTION, REQUEST, RequestPosition(turn=turn, attempt=1), EXPECTED)
        assert account.spending.is_short
        assert (begun.request.affordable or 0) < 10_000
    assert account.warnings == ["short_answer"]


async def test_an_answer_that_is_as_long_as_was_wished_for_is_no_warning() -> None:
    account = Account(limited("0.153"))
    await account.spending.begin(CONNECTION, REQUEST, RequestPosition(turn=1, attempt=1), EXPECTED)
    assert (account.warnings, account.spending.is_short) == ([], False)


async def test_a_request_that_is_refused_is_reported_with_what_it_needs() -> None:
    account = Account(limited("0.018359"))
    with pytest.raises(OverBudget):
        await account.spending.begin(CONNECTION, REQUEST, RequestPosition(turn=3, attempt=1), EXPECTED)
    assert account.events == [
        BudgetExceeded(
            scope="run",
            limit_usd=Decimal("0.018359"),
            spent_usd=Decimal(0),
            reserved_usd=Decimal(0),
            needed_usd=Decimal("0.01836"),
            turn=3,
            model="acme:large",
        )
    ]


@pytest.mark.parametrize(("cost", "warned"), [("0.5", []), ("0.50001", ["limit_ignored"]), (None, [])])
async def test_a_request_that_costs_more_than_it_could_is_reported(cost: str | None, warned: list[str]) -> None:
    account = Account(Standing(at_most="0.5"), CostPrices(cost))
    await account.request()
    assert account.warnings == warned


async def test_what_a_run_has_spent_counts_for_its_next_request() -> None:
    account = Account(Limited(prices=CostPrices("0.4"), max_cost_usd=Decimal(1)), CostPrices("0.4"))
    for turn in (1, 2):
        await account.request(turn=turn)
    with pytest.raises(BudgetReached):
        await account.request(turn=3)
    assert account.spending.cost_usd == Decimal("0.8")


async def test_one_request_of_unknown_cost_makes_the_cost_of_the_run_unknown() -> None:
    account = Account(Standing(), CostPrices(None))
    await account.request()
    assert account.spending.cost_usd is None


async def test_summaries_are_counted_apart_until_they_are_taken() -> None:
    account = Account(Standing(), CostPrices("0.25"))
    await account.request()
    for _ in range(2):
        await account.request(purpose="compaction")
    taken = account.spending.take_summaries()
    assert (taken.count, taken.summaries, taken.cost_usd) == (1, 2, Decimal("0.5"))
    assert replace(account.spending.take_summaries(), usage=None) == replace(
        taken, summaries=0, usage=None, cost_usd=None
    )
    assert account.spending.cost_usd == Decimal("0.75")
