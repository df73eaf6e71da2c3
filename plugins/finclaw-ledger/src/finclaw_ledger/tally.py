"""What the bookings of a file come to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from finclaw_ledger.entries import Entry
from finclaw_ledger.numbers import plus, total

_NOTHING = (Decimal(0), Decimal(0))


@dataclass(frozen=True, slots=True)
class Span:
    """The first and the last day of bookings, and how many they are."""

    first: date
    last: date
    count: int

    def with_(self, other: Span) -> Span:
        """Both as one."""
        return Span(min(self.first, other.first), max(self.last, other.last), self.count + other.count)


@dataclass(slots=True)
class Tally:
    """Exact sums by currency, and days by account."""

    sums: dict[str, tuple[Decimal, Decimal]] = field(default_factory=dict)
    """Money in and money out, which is negative."""
    spans: dict[str, Span] = field(default_factory=dict)
    has_balances: bool = False

    def add(self, entries: Sequence[Entry]) -> None:
        """Count some bookings."""
        amounts: defaultdict[tuple[str, bool], list[Decimal]] = defaultdict(list)
        days: defaultdict[str, list[date]] = defaultdict(list)
        for entry in entries:
            amounts[entry.currency, entry.amount.is_signed()].append(entry.amount)
            days[entry.account].append(entry.day)
        for (currency, is_out), mine in amounts.items():
            came, went = self.sums.get(currency, _NOTHING)
            self.sums[currency] = (came, plus(went, total(mine))) if is_out else (plus(came, total(mine)), went)
        for account, booked in days.items():
            span = Span(min(booked), max(booked), len(booked))
            self.spans[account] = self.spans[account].with_(span) if account in self.spans else span
        self.has_balances = self.has_balances or any(entry.balance is not None for entry in entries)
