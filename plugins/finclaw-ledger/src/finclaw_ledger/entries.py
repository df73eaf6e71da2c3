"""One booking, whatever kind of file it is from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal

from finclaw_cli.sdk.tabular import Rejection

Kind = Literal[
    "payment", "transfer", "interest", "dividend", "fee", "tax", "deposit", "withdrawal", "buy", "sell", "split"
]
KINDS: tuple[Kind, ...] = (
    "payment", "transfer", "interest", "dividend", "fee", "tax", "deposit", "withdrawal", "buy", "sell", "split",
)  # fmt: skip
TRADES = frozenset({"buy", "sell", "split"})


@dataclass(slots=True, kw_only=True)  # not frozen: that makes it three times as slow to create
class Entry:
    """A booking, which is not changed. `amount` is what it did to the account's cash: negative for money that left."""

    line: int
    day: date
    amount: Decimal
    currency: str
    account: str
    """The key of the account: its number, or the name it was given. Private; see `wording.alias`."""
    payee: str = ""
    memo: str = ""
    category: str | None = None
    kind: Kind = "payment"
    balance: Decimal | None = None
    """The account's balance after this booking, where the file has it."""
    symbol: str | None = None
    quantity: Decimal | None = None
    """Without sign; for a split the new units for each old one."""
    price: Decimal | None = None
    fee: Decimal | None = None
    reference: str | None = None
    """The bank's own id of the booking, unique within the account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """The balance of an account at the end of a day, from a file."""

    line: int
    account: str
    currency: str
    day: date
    amount: Decimal


@dataclass(slots=True, kw_only=True)
class Statement:
    """All that was read of one file, bookings from the oldest to the newest."""

    entries: list[Entry] = field(default_factory=list)
    rejected: list[Rejection] = field(default_factory=list)
    balances: list[Balance] = field(default_factory=list)
    spans: list[tuple[str, date, date]] = field(default_factory=list)
    """Account, first and last day, where the file itself has its period."""
    warnings: list[str] = field(default_factory=list)
    profile_problems: list[str] = field(default_factory=list)
    """What is wrong with profiles of the user's, which is nothing of the file; each names the profile's file."""
    notes: list[str] = field(default_factory=list)
    """How the file was read, and why so."""
    how: str = ""
    """The profile or format."""
    shown_only: str = ""
    """Why the bookings are shown and not written; empty where they are written."""
