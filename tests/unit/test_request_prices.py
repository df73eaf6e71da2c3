"""What a request can cost at most, and how long an answer there is money for: to the last token."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from finclaw_cli.catalog.prices import NO_PRICE, Cost
from finclaw_cli.catalog.rates import Rates
from finclaw_cli.core.budget import AmountRange, BudgetStatus, Reservation
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.budget import Limited, OverBudget, RequestPrice, Wish, highest_price
from finclaw_cli.engine.request import ModelRef
from tests.unit.test_budget_properties import ListedPrices

RATES = Rates(input_usd=Decimal(3), output_usd=Decimal(15))
REF = ModelRef(provider="acme", model="large")
# 1 000 tokens of input at 3 USD for a million: 0.003; a token of output costs 0.000015.
WISH = Wish(
    ref=REF, at=datetime(2026, 1, 1, tzinfo=UTC), input_tokens=1_000, output_tokens=10_000, spent_usd=Decimal(0)
)
PRICE = RequestPrice(question_usd=Decimal("0.003"), per_token_usd=Decimal("0.000015"))


def amounts(least: str, enough: str, most: str) -> AmountRange:
    return AmountRange(least_usd=Decimal(least), enough_usd=Decimal(enough), most_usd=Decimal(most))


class Unpriced(ListedPrices):
    def cost(self, ref: ModelRef, usage: Usage, at: datetime) -> Cost:
        return NO_PRICE


class Purse:
    """Money of all runs, which gives what it is made with."""

    def __init__(self, given: Reservation | BudgetStatus) -> None:
        self.given = given
        self.wanted: list[AmountRange] = []
        self.released: list[Reservation] = []

    async def reserve(self, wanted: AmountRange) -> Reservation | BudgetStatus:
        self.wanted.append(wanted)
        return self.given

    async def release(self, money: Reservation) -> None:
        self.released.append(money)


def limited(max_cost: str | None, purse: Purse | None = None, rates: Rates = RATES) -> Limited:
    limit = None if max_cost is None else Decimal(max_cost)
    return Limited(prices=ListedPrices(rates), max_cost_usd=limit, purse=purse)


@pytest.mark.parametrize(
    ("longest", "range_"),
    [
        (10_000, amounts("0.01836", "0.06444", "0.153")),
        (4_096, amounts("0.01836", "0.06444", "0.06444")),
        (2_000, amounts("0.01836", "0.033", "0.033")),
        (1_000, amounts("0.018", "0.018", "0.018")),
        (15, amounts("0.00324", "0.00324", "0.00324")),
    ],
)
def test_a_request_can_use_the_price_of_a_short_an_ample_and_the_longest_answer(
    longest: int, range_: AmountRange
) -> None:
    assert PRICE.range(longest) == range_


@pytest.mark.parametrize(
    ("amount", "tokens"),
    [("0.018359999", 1_023), ("0.01836", 1_024), ("0.152999", 9_999), ("0.153", 10_000), ("7", 10_000)],
)
def test_an_amount_pays_for_whole_tokens_up_to_the_longest_answer(amount: str, tokens: int) -> None:
    assert PRICE.tokens_for(Decimal(amount), 10_000) == tokens


@pytest.mark.parametrize("dearest", ["input_usd", "cache_write_usd", "cache_write_1h_usd", "cache_read_usd"])
def test_what_is_sent_is_priced_as_what_costs_most(dearest: str) -> None:
    rates = replace(RATES, cache_write_usd=Decimal(1), cache_write_1h_usd=Decimal(1), cache_read_usd=Decimal(1))
    price = highest_price(ListedPrices(replace(rates, **{dearest: Decimal(6)})), WISH)
    assert price == RequestPrice(question_usd=Decimal("0.006"), per_token_usd=Decimal("0.000015"))


async def test_a_model_without_a_price_is_refused_where_money_is_limited() -> None:
    with pytest.raises(UsageError, match="the price of acme:large is not known"):
        await Limited(prices=Unpriced(RATES), max_cost_usd=Decimal(1)).allow(WISH)


@pytest.mark.parametrize(("left", "tokens"), [("0.01836", 1_024), ("0.1", 6_466), ("0.153", 10_000)])
async def test_an_answer_is_as_long_as_the_rest_of_the_limit_pays_for(left: str, tokens: int) -> None:
    wish = replace(WISH, spent_usd=Decimal(2))
    allowance = await limited(str(2 + Decimal(left))).allow(wish)
    assert (allowance.output_tokens, allowance.is_short) == (tokens, tokens < 10_000)
    assert allowance.at_most_usd == Decimal(left)
    (status,) = allowance.statuses
    assert (status.scope, status.left_usd) == ("run", Decimal(left))


async def test_less_than_a_short_answer_costs_is_refused() -> None:
    with pytest.raises(OverBudget) as raised:
        await limited("0.018359").allow(WISH)
    assert raised.value.needed_usd == Decimal("0.01836")
    assert raised.value.message == (
        "the next request could cost 0.01836 USD with a short answer, which is more than --max-cost leaves: "
        "of 0.018359 USD 0 USD are spent"
    )
    assert raised.value.hint == "Raise --max-cost, or ask for less."


async def test_a_refusal_by_the_budget_of_all_runs_names_what_is_set_aside() -> None:
    status = BudgetStatus(scope="daily", limit_usd=Decimal(1), spent_usd=Decimal("0.9"), reserved_usd=Decimal("0.09"))
    with pytest.raises(OverBudget) as raised:
        await limited(None, Purse(status)).allow(WISH)
    assert raised.value.message.endswith(
        "than the daily budget leaves: of 1.00 USD 0.90 USD are spent, 0.09 USD set aside for runs under way"
    )
    assert "[budget] daily" in (raised.value.hint or "")


async def test_of_the_money_of_all_runs_no_more_is_wanted_than_the_limit_of_the_run_leaves() -> None:
    status = BudgetStatus(scope="daily", limit_usd=Decimal(9), spent_usd=Decimal(1))
    purse = Purse(Reservation(id=1, amount_usd=Decimal("0.018375"), statuses=(status,)))
    allowance = await limited("0.05", purse).allow(WISH)
    assert purse.wanted == [amounts("0.01836", "0.05", "0.05")]
    assert (allowance.output_tokens, allowance.at_most_usd) == (1_025, Decimal("0.018375"))
    assert [each.scope for each in allowance.statuses] == ["run", "daily"]


async def test_what_was_set_aside_is_given_back() -> None:
    money = Reservation(id=1, amount_usd=Decimal(1), statuses=())
    budget = limited(None, purse := Purse(money))
    await budget.release(await budget.allow(WISH))
    assert purse.released == [money]


async def test_what_costs_nothing_is_not_set_aside() -> None:
    purse = Purse(Reservation(id=1, amount_usd=Decimal(0), statuses=()))
    free = Rates(input_usd=Decimal(0), output_usd=Decimal(0))
    budget = limited(None, purse, free)
    allowance = await budget.allow(WISH)
    await budget.release(allowance)
    assert (purse.wanted, purse.released) == ([], [])
    assert (allowance.output_tokens, allowance.is_short) == (10_000, False)
