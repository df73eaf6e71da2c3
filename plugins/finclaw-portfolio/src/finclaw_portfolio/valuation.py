"""What positions are worth in one currency on a day: exact, with the price, the rate and the date of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction

from finclaw_analytics.numbers import bad_input
from finclaw_cli.sdk import Source, ToolContext, ToolError
from finclaw_cli.sdk.render import error_text
from finclaw_market.bars import normal_symbol
from finclaw_market.closes import Closes, closes
from finclaw_market.currencies import whole_currency
from finclaw_market.exchange_rates import Rate, exchange_rate
from finclaw_market.problems import StoreUnusable
from finclaw_market.sessions import today
from finclaw_portfolio.positions import CASH, Position

# Far enough back for the longest pause of an exchange.
_LOOKED_BACK = timedelta(days=30)
_STALE = 3
_STALE_RATE = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """The last close of a symbol on or before a day; `reason` is why there is none."""

    symbol: str
    closes: Closes | None = None
    reason: str | None = None

    @property
    def price(self) -> Fraction | None:
        """In the currency of the prices."""
        return None if self.closes is None else Fraction(self.closes.bars[-1].close)

    @property
    def day(self) -> date | None:
        """The session of the close."""
        return None if self.closes is None else self.closes.bars[-1].day


@dataclass(slots=True, kw_only=True)
class Holding:
    """All positions in one symbol; amounts are in the base currency unless stated otherwise.

    A value is None where there is no price or no rate; then `reason` has the cause.
    """

    symbol: str
    lots: list[Position] = field(default_factory=list)
    currency: str | None = None
    price: Fraction | None = None
    day: date | None = None
    rate: Rate | None = None
    local_value: Fraction | None = None
    """In its own currency."""
    cost: Fraction | None = None
    local_cost: Fraction | None = None
    """In the currency of the prices, where the costs are in that."""
    reason: str | None = None

    @property
    def quantity(self) -> Fraction:
        """Units, less those that are short."""
        return sum((Fraction(lot.quantity) for lot in self.lots), Fraction(0))

    @property
    def value(self) -> Fraction | None:
        """What it is worth."""
        if self.local_value is None or self.rate is None:
            return None
        return self.local_value * self.rate.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Valuation:
    """Holdings, in the order given, on one day."""

    holdings: tuple[Holding, ...]
    currency: str
    day: date
    """The day of the rates: the newest price."""
    prices: tuple[Priced, ...]
    warnings: tuple[str, ...]
    left_out: Mapping[str, str]
    """What is held in unknown quantities, with the reasons."""

    @property
    def value(self) -> Fraction | None:
        """What all are worth together; None where one has no value."""
        return None if self.incomplete else self.known_value

    @property
    def known_value(self) -> Fraction:
        """What those are worth together that have a value."""
        return sum((one.value for one in self.holdings if one.value is not None), Fraction(0))

    @property
    def incomplete(self) -> tuple[str, ...]:
        """What has no value."""
        return (*(one.symbol for one in self.holdings if one.value is None), *self.left_out)

    @property
    def sources(self) -> tuple[Source, ...]:
        """Where prices and rates are from."""
        closes_of = (one.closes.sources for one in self.prices if one.closes is not None)
        rates = (one.rate.source for one in self.holdings if one.rate is not None and one.rate.source is not None)
        return (*(source for every in closes_of for source in every), *rates)

    @property
    def cost(self) -> Fraction | None:
        """What all cost together; None where one has no cost. Cash costs what it is worth."""
        return _sum(one.value if one.symbol == CASH else one.cost for one in self.holdings)


def priced(symbol: str, ctx: ToolContext, as_of: date | None) -> Priced:
    """The last close of a symbol, as it was traded.

    Raises:
        StoreUnusable: the price store cannot be read.
    """
    try:
        newest = closes(symbol, ctx, as_of=as_of, adjustment="as_stored")
        start = newest.bars[-1].day - _LOOKED_BACK
        return Priced(symbol=symbol, closes=closes(symbol, ctx, start=start, as_of=as_of, adjustment="as_stored"))
    except StoreUnusable:
        raise
    except ToolError as error:
        return Priced(symbol=symbol, reason=error_text(error))


def valuation(
    positions: Sequence[Position],
    wanted: str | None,
    ctx: ToolContext,
    as_of: date | None,
    left_out: Mapping[str, str] | None = None,
) -> Valuation:
    """Value positions at their last closes and the exchange rates of the newest of these.

    Args:
        positions: several of a symbol are added up, whether it is in capitals or not.
        wanted: the currency to value in; None for that of all prices.
        ctx: of the call.
        as_of: nothing later is used.
        left_out: symbols that are held in unknown quantities, with the reasons.

    Raises:
        ToolError: BAD_INPUT: no currency is given and the prices have several; or all positions with a price are in
            currencies without a rate for the one given.
    """
    holdings: dict[tuple[str, str | None], Holding] = {}
    for position in positions:
        is_cash = position.symbol.upper() == CASH
        symbol = CASH if is_cash else normal_symbol(position.symbol) or position.symbol
        key = symbol, position.currency if is_cash else None
        holdings.setdefault(key, Holding(symbol=symbol, currency=key[1])).lots.append(position)
    prices = {one.symbol: priced(one.symbol, ctx, as_of) for one in holdings.values() if one.symbol != CASH}
    day = _day(prices.values(), ctx, as_of)
    currency = wanted or _common_currency(prices.values(), holdings.values())
    for holding in holdings.values():
        _value(holding, prices.get(holding.symbol), (currency, day), ctx)
    _refuse_unknown(holdings.values(), currency)
    return Valuation(
        holdings=tuple(holdings.values()),
        currency=currency,
        day=day,
        prices=tuple(prices.values()),
        warnings=tuple(_warnings(prices.values(), list(holdings.values()), day)),
        left_out=left_out or {},
    )


def _refuse_unknown(holdings: Iterable[Holding], currency: str) -> None:
    priced = [one for one in holdings if one.local_value is not None]
    if priced and all(one.value is None for one in priced):
        raise bad_input(f"no position can be valued in {currency}: {priced[0].reason}")


def _common_currency(prices: Iterable[Priced], holdings: Iterable[Holding]) -> str:
    codes = {one.currency for one in holdings} | {one.closes.instrument.currency for one in prices if one.closes}
    found = sorted({whole_currency(code)[0] for code in codes if code})
    if len(found) != 1:
        what = f"prices are in {', '.join(found)}" if found else "no position has a price"
        raise bad_input(f"{what}: give the currency to value in")
    return found[0]


def _day(prices: Iterable[Priced], ctx: ToolContext, as_of: date | None) -> date:
    newest = max((one.day for one in prices if one.day is not None), default=None)
    return newest or min(day for day in (ctx.as_of, as_of, today()) if day is not None)


def _value(holding: Holding, price: Priced | None, wanted: tuple[str, date], ctx: ToolContext) -> None:
    """Fill in what a holding is worth and what it cost."""
    currency, day = wanted
    if price is None:
        holding.price, holding.local_value = Fraction(1), holding.quantity
    elif price.closes is None or price.price is None:
        holding.reason = price.reason
        return
    else:
        holding.currency, holding.price, holding.day = price.closes.instrument.currency, price.price, price.day
        holding.local_value = holding.quantity * price.price
    if holding.currency is None:
        holding.reason = f"the currency of the prices of {holding.symbol} is not known"
        return
    try:
        holding.rate = exchange_rate(holding.currency, currency, ctx, day)
        if price is not None:
            _cost(holding, wanted, ctx)
    except ToolError as error:
        holding.reason = error_text(error)


def _cost(holding: Holding, wanted: tuple[str, date], ctx: ToolContext) -> None:
    """Add up the costs, each at the rate of the day of its purchase where that is known."""
    if any(lot.cost is None for lot in holding.lots):
        return
    currency, day = wanted
    own, _ = whole_currency(holding.currency or currency)
    costs = [(Fraction(lot.cost or 0), lot.currency or own, lot.day or day) for lot in holding.lots]
    holding.cost = sum(
        (amount * exchange_rate(code, currency, ctx, bought).value for amount, code, bought in costs), Fraction(0)
    )
    if all(whole_currency(code)[0] == own for _, code, _ in costs):
        scale = exchange_rate(own, holding.currency or own, ctx, day).value
        holding.local_cost = sum((amount / whole_currency(code)[1] for amount, code, _ in costs), Fraction(0)) * scale


def _warnings(prices: Iterable[Priced], holdings: Sequence[Holding], day: date) -> Iterable[str]:
    for one in prices:
        if one.closes is None:
            continue
        yield from (note for note in one.closes.warnings if note not in one.closes.at_splits)
        if one.closes.sessions_behind > _STALE:
            yield f"the price of {one.symbol} is of {one.day}, {one.closes.sessions_behind} sessions old"
    for holding in holdings:
        if holding.reason is not None:
            yield f"{holding.symbol} has no value: {holding.reason}"
        rate = holding.rate
        if rate is not None and rate.day is not None and (day - rate.day).days > _STALE_RATE:
            yield f"the rate of {holding.currency} is of {rate.day}, {(day - rate.day).days} days old"
    if undated := [one.symbol for one in holdings if _is_foreign(one) and any(lot.day is None for lot in one.lots)]:
        shown = ", ".join(undated[:10])
        yield f"costs of {shown} have no date of purchase: converted at the rate of {day}, without gains of currency"


def _is_foreign(holding: Holding) -> bool:
    return holding.cost is not None and holding.rate is not None and holding.rate.day is not None


def _sum(numbers: Iterable[Fraction | None]) -> Fraction | None:
    total = Fraction(0)
    for number in numbers:
        if number is None:
            return None
        total += number
    return total
