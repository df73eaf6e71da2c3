"""Splits: each counts once for each account, also where an account has no row of one that the price store records."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

from finclaw_cli.sdk import ToolContext
from finclaw_ledger.books import Booking
from finclaw_ledger.lots import repeated_notes, repeated_splits
from finclaw_portfolio.prices import Line, Ratios, line_of, stored_splits

METHOD = (
    "a split counts once for each account; where an account has no row of a known one, it is applied if the account's "
    "prices before it are of old shares"
)
_NEAR = timedelta(days=7)
Known = Mapping[str, Ratios]


@dataclass(slots=True, kw_only=True)
class Settled:
    """Rows in which each account has the splits that apply to it, once, on the first day with the new shares."""

    items: list[Booking]
    ratios: dict[str, list[tuple[date, Fraction]]]
    """All splits of each symbol, for its prices."""
    notes: list[str] = field(default_factory=list)
    unknown: dict[str, str] = field(default_factory=dict)
    """Symbols whose quantities are not known, each with the reason."""


def settled_by_store(items: Sequence[Booking], ctx: ToolContext, cap: date) -> Settled:
    """Settle which splits apply to which account, with the splits and closes of the price store up to a day."""
    symbols = {item.symbol for item in items if item.symbol}
    stored = {symbol: stored_splits(symbol, ctx, cap) for symbol in symbols}
    split = {item.symbol for item in items if item.kind == "split" and item.symbol}
    lines = {symbol: line_of(symbol, ctx, cap) for symbol in symbols if stored[symbol] or symbol in split}
    return settled(items, stored, lines)


def settled(items: Sequence[Booking], stored: Known, lines: Mapping[str, Line]) -> Settled:
    """Settle which splits apply to which account.

    Args:
        items: the rows, the earliest first.
        stored: the splits that the price store records, by symbol.
        lines: the closes, which show whether the price of a purchase is of old or new shares.
    """
    repeated = {id(item) for item in repeated_splits(items)}
    own = [_on_its_day(item, stored) for item in items if id(item) not in repeated]
    found = Settled(items=own, ratios=_all_known(own, stored), notes=list(repeated_notes(items)))
    found.unknown = _contradicted(own, found.ratios)
    added: list[Booking] = []
    traded: dict[tuple[str, str], list[Booking]] = {}
    for item in own:
        if item.symbol:
            traded.setdefault((item.account, item.symbol), []).append(item)
    for (_, symbol), mine in traded.items():
        for day, ratio in found.ratios.get(symbol, ()):
            if _held_before(mine, day) and not any(_is_split_near(item, day) for item in mine):
                added += _missing(mine, (day, ratio), lines.get(symbol), found)
    # The sort is stable: of one day, splits come first.
    first = sorted(own, key=lambda item: (item.day, item.kind != "split"))
    found.items = sorted([*added, *first], key=lambda item: item.day)
    return found


def _on_its_day(item: Booking, stored: Known) -> Booking:
    """A row of a split on the day of the recorded one: brokers book it some days later, or earlier."""
    if item.kind != "split":
        return item
    near = [day for day, ratio in stored.get(item.symbol or "", ()) if abs(day - item.day) <= _NEAR]
    return replace(item, day=near[0]) if near else item


def _all_known(items: Iterable[Booking], stored: Known) -> dict[str, list[tuple[date, Fraction]]]:
    found = {symbol: list(ratios) for symbol, ratios in stored.items()}
    for item in items:
        if item.kind == "split" and item.symbol and item.quantity not in {None, Decimal(1)}:
            known = found.setdefault(item.symbol, [])
            if not any(abs(day - item.day) <= _NEAR for day, _ in known):
                known.append((item.day, Fraction(item.quantity or 1)))
    return {symbol: sorted(ratios) for symbol, ratios in found.items()}


def _contradicted(items: Iterable[Booking], ratios: Known) -> dict[str, str]:
    """Securities of which a row has another ratio than the price store, or than another account, for the same split."""
    found: dict[str, str] = {}
    for item in items:
        if item.kind != "split" or item.quantity in {None, Decimal(1)}:
            continue
        for day, ratio in ratios.get(item.symbol or "", ()):
            if abs(day - item.day) <= _NEAR and ratio != Fraction(item.quantity or 1):
                other = f"{item.symbol} was split {float(ratio):g}:1 on {day}"
                found[item.symbol or ""] = f"{item.account} has a split of {item.quantity} on {item.day}, but {other}"
    return found


def _held_before(mine: Iterable[Booking], day: date) -> bool:
    units = Fraction(0)
    for item in mine:
        if item.day < day and item.quantity is not None:
            units += {"buy": 1, "sell": -1}.get(item.kind, 0) * Fraction(item.quantity)
            units *= Fraction(item.quantity) if item.kind == "split" else 1
    return units != 0


def _is_split_near(item: Booking, day: date) -> bool:
    return item.kind == "split" and abs(item.day - day) <= _NEAR


def _missing(mine: list[Booking], split: tuple[date, Fraction], line: Line | None, found: Settled) -> list[Booking]:
    """The row of a split that an account has none of, where its prices before are of old shares."""
    day, ratio = split
    before = [item for item in mine if item.kind in {"buy", "sell"} and item.day < day]
    symbol, account = before[0].symbol or "", before[0].account
    shares = {_shares_of(item, ratio, line) for item in before}
    what = f"{symbol} was split {float(ratio):g}:1 on {day}, and {account} has no row of it"
    if shares == {"old"}:
        found.notes.append(f"{what}: applied, since its prices before are of old shares")
        return [replace(before[0], kind="split", day=day, quantity=Decimal(f"{float(ratio)!r}"), line=0)]
    if shares == {"new"}:
        found.notes.append(f"{what}: not applied, since its quantities before are in new shares already")
    else:
        found.unknown[symbol] = f"{what}; import one (with a quantity of 1 where quantities are in new shares already)"
    return []


def _shares_of(item: Booking, ratio: Fraction, line: Line | None) -> str | None:
    """Whether the price of a trade is that of an old share or of a new one, by the close of its day; None: neither."""
    close = line.last(item.day) if line is not None else None
    price = item.price or (abs(item.amount) / item.quantity if item.quantity else None)
    if close is None or not price or (item.day - close[0]) > _NEAR:
        return None
    away = math.log(float(price) / float(close[1]))
    step = math.log(float(ratio))
    if abs(away) < abs(step) / 3:
        return "old"
    return "new" if abs(away + step) < abs(step) / 3 else None
