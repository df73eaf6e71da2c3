"""Whether there is money for a request, and for how long an answer.

A request is counted with all it can cost: its messages, taken to be as many tokens as they may be, and an answer that
is cut off where the money ends. So no request breaks a budget, and none is refused that leaves room for an answer.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Protocol

from finclaw_cli.core.errors import BudgetReached, UsageError
from finclaw_cli.core.money import usd
from finclaw_cli.core.ports import Purse, SetAside, Standing
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage
from finclaw_cli.runner.prices import Prices
from finclaw_cli.runner.request import ModelRef

# With less than this there is no answer worth paying for the question.
LEAST_ANSWER_TOKENS = 1_024
# An answer whose length nobody has limited may be as long as this: what it could cost has to be known, and more than
# some models can say is refused by their servers.
LONG_ANSWER_TOKENS = 16_000
_MANY_TOKENS = 1_000_000
_SETTINGS = {"run": "--max-cost", "daily": "the daily budget", "monthly": "the monthly budget"}


@record(kw_only=True)
class Wish:
    """A request that is to be made."""

    ref: ModelRef
    at: datetime
    input_tokens: int
    """How many tokens it may have at most."""
    output_tokens: int | None
    """How long the answer may be; None where nobody has said."""
    spent_usd: Decimal
    """What the run has spent."""


@record(kw_only=True)
class Allowance:
    """A request may be made."""

    output_tokens: int | None = None
    """How long the answer may be; None where what was wished for can be had."""
    is_short: bool = False
    """Whether that is less than was wished for, because there is no money for more."""
    standings: tuple[Standing, ...] = ()
    """How the budgets stand that hold for it."""
    money: SetAside | None = None


class OverBudget(BudgetReached):
    """A request may not be made."""

    def __init__(self, standing: Standing, needed_usd: Decimal) -> None:
        name = _SETTINGS[standing.scope]
        aside = f", {usd(standing.reserved_usd)} set aside for runs under way" if standing.reserved_usd else ""
        super().__init__(
            f"the next request could cost {usd(needed_usd)} with a short answer, which is more than {name} leaves: "
            f"of {usd(standing.limit_usd)} {usd(standing.spent_usd)} are spent{aside}",
            hint=(
                "Raise --max-cost, or ask for less."
                if standing.scope == "run"
                else f"`finclaw cost` shows what was spent; the settings hold [budget] {standing.scope}."
            ),
        )
        self.standing = standing
        self.needed_usd = needed_usd


class Budget(Protocol):
    """Is asked before each request.

    `allow` raises `OverBudget` where there is no money for it, and `give_back` is told when it has ended and its cost
    is written down.
    """

    async def allow(self, wish: Wish) -> Allowance: ...

    async def give_back(self, allowance: Allowance) -> None: ...


class Unlimited:
    """Whatever is asked may be spent."""

    async def allow(self, wish: Wish) -> Allowance:  # noqa: ARG002
        return Allowance()

    async def give_back(self, allowance: Allowance) -> None:
        """Nothing was set aside."""


@record(kw_only=True)
class Limited:
    """So much for the run, and what the purse has for all of them."""

    prices: Prices
    max_cost_usd: Decimal | None = None
    purse: Purse | None = None

    async def allow(self, wish: Wish) -> Allowance:
        """What the money is enough for.

        Raises:
            OverBudget: not for a short answer.
            UsageError: nobody knows what the model costs, so that no limit could be kept.
        """
        if (price := most_usd(self.prices, wish)) is None:
            raise unknown_price(wish.ref)
        question, per_token = price
        least = question + per_token * min(LEAST_ANSWER_TOKENS, wish.output_tokens or LEAST_ANSWER_TOKENS)
        standings: tuple[Standing, ...] = ()
        money: SetAside | None = None
        if self.max_cost_usd is not None:
            own = Standing(scope="run", limit_usd=self.max_cost_usd, spent_usd=wish.spent_usd)
            if least > own.left_usd:
                raise OverBudget(own, least)
            standings = (own,)
        if self.purse is not None:
            answer = await self.purse.set_aside(least)
            if isinstance(answer, Standing):
                raise OverBudget(answer, least)
            money, standings = answer, (*standings, *answer.standings)
        left = min((standing.left_usd for standing in standings), default=least)
        longest = wish.output_tokens or LONG_ANSWER_TOKENS
        paid_for = int((left - question) / per_token) if per_token else longest
        is_short = paid_for < longest
        tokens = min(paid_for, longest) if is_short or wish.output_tokens is None else None
        return Allowance(output_tokens=tokens, is_short=is_short, standings=standings, money=money)

    async def give_back(self, allowance: Allowance) -> None:
        """Free what was set aside."""
        if self.purse is not None and allowance.money is not None:
            await self.purse.give_back(allowance.money)


def unknown_price(ref: ModelRef) -> UsageError:
    """Nobody can say what may be spent on a model that has no price."""
    return UsageError(
        f"nobody knows what {ref} costs, so that no limit on money can be kept",
        hint=f"Say what it costs: finclaw models set {ref} --input USD --output USD (per million tokens).",
        code="unknown_price",
    )


def most_usd(prices: Prices, wish: Wish) -> tuple[Decimal, Decimal] | None:
    """What a question costs at most, and each token of its answer; None where nobody knows the price.

    The messages cost what they do plain, or written into a cache, which some make pay more for. Some answers cost more
    after a long question.
    """

    def price(usage: Usage) -> Decimal | None:
        return prices.cost(wish.ref, usage, wish.at).usd

    tokens = wish.input_tokens
    plain, written = price(Usage(input=tokens)), price(Usage(cache_write=tokens))
    answered = price(Usage(input=tokens, output=_MANY_TOKENS))
    if plain is None or written is None or answered is None:
        return None
    return max(plain, written), (answered - plain) / _MANY_TOKENS
