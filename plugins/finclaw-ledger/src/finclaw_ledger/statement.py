"""What was read of one file: its bookings, balances, and the notes and warnings about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk.tabular import Rejection
from finclaw_ledger.packed import Entries


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
    """All that was read of one file."""

    entries: Entries = field(default_factory=Entries)
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
