"""What a portfolio of securities was worth day by day in one currency, and the money that went in and came out."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from finclaw_ledger.books import Booking
from finclaw_ledger.lots import positions
from finclaw_portfolio.prices import Converter, Line
from finclaw_portfolio.splits import Settled

_FLOWS = frozenset({"buy", "sell", "dividend", "interest", "fee", "tax"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Money that went into a security (paid) or came out of it (received), in the base currency."""

    day: date
    symbol: str
    paid: Fraction
    received: Fraction


@dataclass(slots=True, kw_only=True)
class History:
    """The securities whose units, prices and rates are known; what is left out is in `left_out` with its reason."""

    lines: Mapping[str, Line]
    settled: Settled
    converter: Converter
    symbols: tuple[str, ...] = ()
    flows: list[Flow] = field(default_factory=list)
    """The earliest first."""
    left_out: dict[str, str] = field(default_factory=dict)
    steps: dict[str, list[tuple[date, Fraction]]] = field(default_factory=dict)
    """By symbol, the units held from a day on, in the shares of the last day."""

    def units(self, symbol: str, day: date) -> Fraction:
        """The units held at the end of a day, in the shares of the last day."""
        steps = self.steps[symbol]
        at = bisect_right(steps, day, key=lambda step: step[0])
        return steps[at - 1][1] if at else Fraction(0)

    def value_of(self, symbol: str, day: date) -> Fraction | None:
        """What a security was worth at the end of a day; None where there is no price or no rate."""
        units, line = self.units(symbol, day), self.lines[symbol]
        if not units:
            return Fraction(0)
        close = line.adjusted(day, self.settled.ratios.get(symbol, ()))
        rate = self.converter.rate(line.currency or "", day) if close is not None else None
        return None if close is None or rate is None else units * close * rate

    def value(self, day: date) -> Fraction | None:
        """What all were worth at the end of a day; None where one has no value."""
        total = Fraction(0)
        for symbol in self.symbols:
            part = self.value_of(symbol, day)
            if part is None:
                return None
            total += part
        return total

    def leave_out(self, reasons: Mapping[str, str]) -> None:
        """Leave securities out, with the reason for each."""
        self.left_out |= reasons
        self.symbols = tuple(symbol for symbol in self.symbols if symbol not in reasons)
        self.flows = [flow for flow in self.flows if flow.symbol not in reasons]

    def stale(self, days: Iterable[date], most: int) -> list[str]:
        """Securities that were valued at a close of more than so many days before, with the longest such time."""
        ages: dict[str, int] = {}
        for day in days:
            for symbol in self.symbols:
                close = self.lines[symbol].last(day) if self.units(symbol, day) else None
                if close is not None:
                    ages[symbol] = max(ages.get(symbol, 0), (day - close[0]).days)
        return [f"{symbol} was valued at a close that was {age} days old" for symbol, age in ages.items() if age > most]


def history(settled: Settled, lines: Mapping[str, Line], converter: Converter, end: date) -> History:
    """Put trades, closes and rates together.

    Args:
        settled: rows up to the end or later ones, which are not used.
        lines: the closes by symbol.
        converter: the exchange rates.
        end: the last day.
    """
    items = [item for item in settled.items if item.symbol and item.day <= end]
    found = History(lines=lines, settled=settled, converter=converter)
    found.left_out = _left_out(items, settled)
    by_symbol: dict[str, list[Booking]] = defaultdict(list)
    for item in items:
        if item.symbol and item.symbol not in found.left_out:
            by_symbol[item.symbol].append(item)
    for symbol, mine in by_symbol.items():
        flows = [_flow(item, converter) for item in mine if item.kind in _FLOWS]
        if known := [flow for flow in flows if flow is not None]:
            found.flows += known
            found.steps[symbol] = _steps(mine)
        if len(known) < len(flows):
            found.left_out[symbol] = "its trades have no exchange rate"
    found.symbols = tuple(sorted(found.steps))
    found.flows.sort(key=lambda flow: flow.day)
    found.leave_out(found.left_out)
    return found


def _left_out(items: Sequence[Booking], settled: Settled) -> dict[str, str]:
    found = dict(settled.unknown)
    for one in positions(items):
        if one.oversold:
            found.setdefault(one.symbol, "more was sold than bought: purchases before the first row, or sold short")
    return {symbol: found[symbol] for symbol in sorted(found)}


def _flow(item: Booking, converter: Converter) -> Flow | None:
    rate = converter.rate(item.currency, item.day)
    if rate is None:
        return None
    amount = Fraction(item.amount) * rate
    return Flow(
        day=item.day, symbol=item.symbol or "", paid=max(-amount, Fraction(0)), received=max(amount, Fraction(0))
    )


def _steps(mine: Sequence[Booking]) -> list[tuple[date, Fraction]]:
    """The units over all accounts from each day of a trade on, in the shares of the last day."""
    factors: dict[str, Fraction] = defaultdict(lambda: Fraction(1))
    moves: list[tuple[date, Fraction]] = []
    for item in reversed(mine):
        quantity = Fraction(item.quantity or 0)
        if item.kind == "split":
            factors[item.account] *= quantity
        elif item.kind in {"buy", "sell"}:
            moves.append((item.day, quantity * factors[item.account] * (1 if item.kind == "buy" else -1)))
    held, steps = Fraction(0), []
    for day, move in reversed(moves):
        held += move
        steps.append((day, held))
    return steps
