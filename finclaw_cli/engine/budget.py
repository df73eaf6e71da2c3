"""Whether there is money for a request, and for how long an answer.

A request is counted with all that it can cost: its messages, at a token for each byte that the provider has not
counted, and the longest answer that it allows. That amount is set aside before the request is made, and where there is
less, the request allows a shorter answer. So requests that are made at the same time break no budget together.
"""

from __future__ import annotations

from datetime import datetime
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Protocol

from finclaw_cli.catalog.tiers import in_tier
from finclaw_cli.core.budget import AmountRange, BudgetStatus, BudgetStore, Reservation
from finclaw_cli.core.errors import BudgetReached, UsageError
from finclaw_cli.core.money import EXACT, usd
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Tier, Usage
from finclaw_cli.engine.prices import Prices
from finclaw_cli.engine.request import ModelRef

# With less than this there is no answer worth paying for the question.
LEAST_ANSWER_TOKENS = 1_024
# Most answers are shorter. A run waits for other runs' requests rather than allow an answer less than this.
ENOUGH_ANSWER_TOKENS = 4_096
# The limit of an answer for which the user has set none: what it can cost has to be known, and more than some models
# can give is refused by their servers.
LONG_ANSWER_TOKENS = 16_000
# A provider may raise a lower limit to this, the least that its API takes.
LEAST_LIMIT_TOKENS = 16
_MANY_TOKENS = 1_000_000
_UP, _DOWN = Context(prec=28, rounding=ROUND_CEILING), Context(prec=28, rounding=ROUND_FLOOR)
_SETTINGS = {
    "run": "--max-cost",
    "batch": "--max-cost of the batch",
    "daily": "the daily budget",
    "monthly": "the monthly budget",
}


@record(kw_only=True)
class Wish:
    """A request that is to be made."""

    ref: ModelRef
    at: datetime
    tier: Tier = "standard"
    input_tokens: int
    """How many tokens it has at most."""
    output_tokens: int
    """The limit of its answer, where money sets no lower one."""
    spent_usd: Decimal
    """What the run has spent."""


@record(kw_only=True)
class Allowance:
    """A request may be made."""

    output_tokens: int | None = None
    """The limit of its answer; None where money sets none."""
    is_short: bool = False
    """Whether that is less than was wished for, because there is no money for more."""
    at_most_usd: Decimal | None = None
    """What the request can cost with that; None where money is not limited."""
    statuses: tuple[BudgetStatus, ...] = ()
    """How the budgets stand that hold for it."""
    money: Reservation | None = None


@record(kw_only=True)
class RequestPrice:
    """What a request costs at most: all that is sent, and each token of the answer; USD."""

    question_usd: Decimal
    per_token_usd: Decimal

    def with_answer(self, tokens: int) -> Decimal:
        """The price with an answer of so many tokens."""
        return EXACT.add(self.question_usd, EXACT.multiply(self.per_token_usd, Decimal(tokens)))

    def range(self, longest: int) -> AmountRange:
        """The money that can be used with a limit of so many tokens."""
        longest = max(longest, LEAST_LIMIT_TOKENS)
        least, enough = (min(tokens, longest) for tokens in (LEAST_ANSWER_TOKENS, ENOUGH_ANSWER_TOKENS))
        return AmountRange(
            least_usd=self.with_answer(least), enough_usd=self.with_answer(enough), most_usd=self.with_answer(longest)
        )

    def tokens_for(self, amount_usd: Decimal, longest: int) -> int:
        """How long an answer an amount pays for, up to `longest`."""
        if amount_usd >= self.with_answer(longest):
            return longest
        return int(_DOWN.divide(EXACT.subtract(amount_usd, self.question_usd), self.per_token_usd))


class OverBudget(BudgetReached):
    """A request may not be made."""

    def __init__(self, standing: BudgetStatus, needed_usd: Decimal) -> None:
        name = _SETTINGS[standing.scope]
        aside = f", {usd(standing.reserved_usd)} set aside for runs under way" if standing.reserved_usd else ""
        super().__init__(
            f"the next request could cost {usd(needed_usd)} with a short answer, which is more than {name} leaves: "
            f"of {usd(standing.limit_usd)} {usd(standing.spent_usd)} are spent{aside}",
            hint=(
                "Raise --max-cost, or ask for less."
                if standing.scope in {"run", "batch"}
                else f"`finclaw cost` shows what was spent; the settings hold [budget] {standing.scope}."
            ),
        )
        self.standing = standing
        self.needed_usd = needed_usd


class Budget(Protocol):
    """Is asked before each request.

    `allow` raises `OverBudget` where there is no money for it, and `release` is called when it has ended and its cost
    is written down.
    """

    async def allow(self, wish: Wish) -> Allowance: ...

    async def release(self, allowance: Allowance) -> None: ...


class Unlimited:
    """Whatever is asked may be spent."""

    async def allow(self, wish: Wish) -> Allowance:  # noqa: ARG002
        return Allowance()

    async def release(self, allowance: Allowance) -> None:
        """Nothing was set aside."""


@record(kw_only=True)
class Limited:
    """So much for the run, and what the purse has for all of them."""

    prices: Prices
    max_cost_usd: Decimal | None = None
    purse: BudgetStore | None = None

    async def allow(self, wish: Wish) -> Allowance:
        """What the money is enough for; in a purse it is set aside.

        Raises:
            OverBudget: not for a short answer.
            UsageError: the price of the model is not known, so that no limit could be kept.
        """
        if (price := highest_price(self.prices, wish)) is None:
            raise unknown_price(wish.ref)
        wanted = price.range(wish.output_tokens)
        statuses: tuple[BudgetStatus, ...] = ()
        if self.max_cost_usd is not None:
            own = BudgetStatus(scope="run", limit_usd=self.max_cost_usd, spent_usd=wish.spent_usd)
            wanted, statuses = _within(wanted, own), (own,)
        if self.purse is None or not wanted.most_usd:  # what costs nothing waits for no money
            return _allowance(wish, price, wanted.most_usd, statuses)
        money = await self.purse.reserve(wanted)
        if isinstance(money, BudgetStatus):
            raise OverBudget(money, wanted.least_usd)
        return _allowance(wish, price, money.amount_usd, (*statuses, *money.statuses), money)

    async def release(self, allowance: Allowance) -> None:
        """Free what was set aside."""
        if self.purse is not None and allowance.money is not None:
            await self.purse.release(allowance.money)


def unknown_price(ref: ModelRef) -> UsageError:
    """A model without a price, for which no amount can be reserved."""
    return UsageError(
        f"the price of {ref} is not known, so that no limit on money can be kept",
        hint=f"Say what it costs: finclaw models set {ref} --input USD --output USD (per million tokens).",
        code="unknown_price",
    )


def highest_price(prices: Prices, wish: Wish) -> RequestPrice | None:
    """What a request costs at most; None where the price is unknown.

    What is sent is priced as plain input, as written to a cache and as read from one, whichever costs most. Some
    answers cost more after a long question.
    """

    def price(usage: Usage) -> Decimal | None:
        return in_tier(prices.cost(wish.ref, usage, wish.at), wish.ref.provider, wish.tier).usd

    tokens = wish.input_tokens
    sent = (
        Usage(input=tokens),
        Usage(cache_write=tokens),
        Usage(cache_write=tokens, cache_write_1h=tokens),
        Usage(cache_read=tokens),
    )
    known = [amount for usage in sent if (amount := price(usage)) is not None]
    answered = price(Usage(input=tokens, output=_MANY_TOKENS))
    if answered is None or len(known) < len(sent):
        return None
    per_token = _UP.divide(EXACT.subtract(answered, known[0]), Decimal(_MANY_TOKENS))
    return RequestPrice(question_usd=max(known), per_token_usd=per_token)


def _within(wanted: AmountRange, own: BudgetStatus) -> AmountRange:
    if wanted.least_usd > own.left_usd:
        raise OverBudget(own, wanted.least_usd)
    return wanted.capped(own.left_usd)


def _allowance(
    wish: Wish,
    price: RequestPrice,
    amount_usd: Decimal,
    statuses: tuple[BudgetStatus, ...],
    money: Reservation | None = None,
) -> Allowance:
    tokens = price.tokens_for(amount_usd, wish.output_tokens)
    return Allowance(
        output_tokens=tokens,
        is_short=tokens < wish.output_tokens,
        at_most_usd=amount_usd,
        statuses=statuses,
        money=money,
    )
