"""One booking, whatever kind of file it is from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

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
