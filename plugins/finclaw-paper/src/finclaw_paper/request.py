"""An order as it is asked for: checked, in one normal form, recognisable again."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from finclaw_paper.money import SHARE_DECIMALS, maybe_text
from finclaw_paper.problems import bad_input

Side = Literal["buy", "sell"]
OrderType = Literal["market", "limit"]
Tif = Literal["day", "gtc"]
Listed = Literal["all", "open", "closed"]
"""Which orders are listed."""

_LARGEST = Decimal(10) ** 12
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
# Alpaca's documentation has had 48 and 128; local books use the lower limit.
MAX_ID = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRequest:
    """One order; exactly one of `qty` (shares) and `notional` (money in the account's currency) is given."""

    symbol: str
    side: Side
    type: OrderType
    tif: Tif
    qty: Decimal | None = None
    notional: Decimal | None = None
    limit_price: Decimal | None = None

    @property
    def fingerprint(self) -> str:
        """The same for equal requests, different for any other: SHA-256 in hex."""
        parts = [self.symbol, self.side, self.type, self.tif, *map(maybe_text, self._numbers())]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _numbers(self) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
        return self.qty, self.notional, self.limit_price

    def same_trade(self, other: OrderRequest) -> bool:
        """Whether both ask for the same trade, for however long each is good."""
        mine, theirs = (self.symbol, self.side, self.type), (other.symbol, other.side, other.type)
        return mine == theirs and self._numbers() == other._numbers()


def order_request(
    symbol: str,
    side: Side,
    *,
    qty: Decimal | None,
    notional: Decimal | None,
    type: OrderType,  # noqa: A002 - the broker's word
    limit_price: Decimal | None,
    tif: Tif,
) -> OrderRequest:
    """The request in its normal form.

    Raises:
        ToolError: BAD_INPUT, naming what does not fit.
    """
    from finclaw_market.results import checked_symbol

    if (qty is None) == (notional is None):
        raise bad_input("give either qty (shares) or notional (money), and not both")
    if (type == "limit") != (limit_price is not None):
        raise bad_input("limit_price belongs to type=limit, and a limit order needs one")
    if type == "limit" and notional is not None:
        raise bad_input("a limit order takes qty, not notional")
    numbers = {"qty": qty, "notional": notional, "limit_price": limit_price}
    for name, number in numbers.items():
        _check(name, number)
    return OrderRequest(symbol=checked_symbol(symbol), side=side, type=type, tif=tif, **numbers)


def _check(name: str, number: Decimal | None) -> None:
    if number is None:
        return
    if not number.is_finite() or not 0 < number <= _LARGEST:
        raise bad_input(f"{name} must be above 0 and at most {_LARGEST:f}")
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -SHARE_DECIMALS:
        raise bad_input(f"{name} may have at most {SHARE_DECIMALS} decimals")


def order_id(key: str) -> str:
    """The client_order_id of a call, from its idempotency key: the same call always has the same id."""
    safe = f"fc-{key}"
    if _UNSAFE.search(safe) or len(safe) > MAX_ID:
        return f"fc-{hashlib.sha256(key.encode()).hexdigest()[:32]}"
    return safe
