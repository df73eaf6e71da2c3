"""Closes and exchange rates of many days, each read once, in the shares of the last day."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction

from finclaw_cli.sdk import Source, ToolContext, ToolError
from finclaw_cli.sdk.render import error_text
from finclaw_market.closes import Closes, closes, splits
from finclaw_market.currencies import whole_currency
from finclaw_market.exchange_rates import Rate, exchange_rate
from finclaw_market.problems import StoreUnusable

Ratios = Sequence[tuple[date, Fraction]]
"""Splits: the first day with the new shares, and how many there are for each old one."""
STALE_DAYS = 7


def market_context(ctx: ToolContext) -> ToolContext:
    """The context for the doors of finclaw-market, which have no settings of this plugin."""
    return replace(ctx, settings={})


def later_ratio(ratios: Ratios, day: date) -> Fraction:
    """How many shares one of a day has become by the splits after it."""
    found = Fraction(1)
    for at, ratio in ratios:
        found *= ratio if at > day else 1
    return found


def stored_splits(symbol: str, ctx: ToolContext, cap: date) -> list[tuple[date, Fraction]]:
    """The splits of a symbol that the price store records; none where it does not know the symbol.

    Raises:
        StoreUnusable: it cannot be read.
    """
    try:
        return [(one.day, Fraction(one.ratio)) for one in splits(symbol, ctx, as_of=cap)]
    except StoreUnusable:
        raise
    except ToolError:
        return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The closes of one symbol as they were traded; `reason` is why there are none."""

    symbol: str
    known: Closes | None = None
    days: Sequence[date] = ()
    raw: Sequence[Fraction] = ()
    """In the shares of the day of each."""
    reason: str | None = None

    @property
    def currency(self) -> str | None:
        """That of the prices, which may be a minor unit."""
        return None if self.known is None else self.known.instrument.currency

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of the closes, without those of splits, which the quantities take into account."""
        known = self.known
        return () if known is None else tuple(note for note in known.warnings if note not in known.at_splits)

    def last(self, day: date) -> tuple[date, Fraction] | None:
        """The last close on or before a day, and its day."""
        at = bisect_right(self.days, day)
        return (self.days[at - 1], self.raw[at - 1]) if at else None

    def adjusted(self, day: date, ratios: Ratios) -> Fraction | None:
        """The same in the shares of the last day."""
        found = self.last(day)
        return None if found is None else found[1] / later_ratio(ratios, found[0])


def line_of(symbol: str, ctx: ToolContext, cap: date) -> Line:
    """Read the closes of a symbol up to a day, none of them adjusted.

    Where the stored prices are adjusted for splits, the recorded splits are taken back.
    """
    try:
        known = closes(symbol, ctx, as_of=cap, adjustment="none")
        ratios: Ratios = ()
    except StoreUnusable:
        raise
    except ToolError as refused:
        try:
            known = closes(symbol, ctx, as_of=cap, adjustment="split")
        except ToolError:
            return Line(symbol=symbol, reason=error_text(refused))
        ratios = stored_splits(symbol, ctx, cap)
    raw = [Fraction(bar.close) * later_ratio(ratios, bar.day) for bar in known.bars]
    return Line(symbol=symbol, known=known, days=[bar.day for bar in known.bars], raw=raw)


@dataclass(slots=True)
class Converter:
    """Exchange rates to one currency, each looked up once; what has none is in `missing`."""

    base: str
    ctx: ToolContext
    rates: dict[tuple[str, date], Rate | None] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    """By currency, why there is no rate."""
    stale: dict[str, str] = field(default_factory=dict)

    def rate(self, currency: str, day: date) -> Fraction | None:
        """How many units of the base are one of a currency on a day."""
        key = currency, day
        if key not in self.rates:
            self.rates[key] = self._looked_up(currency, day)
        found = self.rates[key]
        return None if found is None else found.value

    def _looked_up(self, currency: str, day: date) -> Rate | None:
        try:
            found = exchange_rate(currency, self.base, self.ctx, day)
        except ToolError as error:
            self.missing.setdefault(currency, f"{day}: {error_text(error)}")
            return None
        if found.day is not None and (day - found.day).days > STALE_DAYS:
            self.stale[currency] = f"the rate of {currency} for {day} is of {found.day}"
        return found

    @property
    def sources(self) -> tuple[Source, ...]:
        """Where the rates are from, each file once."""
        every = [one.source for one in self.rates.values() if one is not None and one.source is not None]
        days = sorted(one.rows for one in every if one.rows)
        span = f"{days[0]}..{days[-1]}" if days else None
        return tuple(dict.fromkeys(replace(one, id="", rows=span) for one in every))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What has no rate, and which rates are old."""
        missing = [f"no rate from {code} to {self.base} on {why}" for code, why in self.missing.items()]
        return (*missing, *self.stale.values())


def base_currency(wanted: str | None, lines: Mapping[str, Line], booked: Sequence[str]) -> str | None:
    """The currency to convert to: the one that is wanted, else the only one there is."""
    codes = {line.currency for line in lines.values() if line.currency} | set(booked)
    found = {whole_currency(code)[0] for code in codes}
    return wanted or (found.pop() if len(found) == 1 else None)


def numbered(sources: Sequence[Source]) -> tuple[Source, ...]:
    """The sources, each once, with ids in their order."""
    distinct = dict.fromkeys(replace(source, id="") for source in sources)
    return tuple(replace(source, id=f"s{number}") for number, source in enumerate(distinct, 1))
