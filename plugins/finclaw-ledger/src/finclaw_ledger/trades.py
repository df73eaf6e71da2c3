"""What a broker's row did to cash and holdings, with one sign convention whatever the broker writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from finclaw_cli.sdk.render import plain_number
from finclaw_cli.sdk.tabular import BadCell
from finclaw_ledger.entries import Kind
from finclaw_ledger.numbers import EXACT, plus

_OUT = frozenset({"buy", "fee", "tax", "withdrawal"})
_IN = frozenset({"sell", "dividend", "deposit"})
# Amounts are rounded to the smallest coin.
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trade:
    """`cash` is negative for money that left; quantity and fee have no sign."""

    cash: Decimal
    symbol: str | None = None
    quantity: Decimal | None = None
    price: Decimal | None = None
    fee: Decimal | None = None
    note: str = ""


def settled(kind: Kind, symbol: str | None, numbers: Mapping[str, Decimal | None]) -> Trade:
    """The trade of a row with `quantity`, `price`, `fee` and `amount`, each of which may be missing.

    Raises:
        BadCell: too little is given, or what is given contradicts itself.
    """
    quantity, price, fee = (_unsigned(numbers[name]) for name in ("quantity", "price", "fee"))
    if kind == "split":
        if not quantity:
            raise BadCell("a split needs as quantity the new units for each old one, e.g. 4")
        return Trade(cash=Decimal(0), symbol=symbol, quantity=quantity)
    if kind in {"buy", "sell"}:
        if not quantity:
            raise BadCell(f"a {kind} without a quantity")
        gross = EXACT.multiply(quantity, price) if price is not None else None
        cash, note = _of_trade(kind, gross, fee, numbers["amount"])
        return Trade(cash=cash, symbol=symbol, quantity=quantity, price=price, fee=fee, note=note)
    if kind == "fee":
        return Trade(cash=_moved(kind, fee if numbers["amount"] is None else numbers["amount"]), symbol=symbol)
    return Trade(cash=_moved(kind, _amount(numbers["amount"], quantity, price)), symbol=symbol, fee=fee)


def _unsigned(number: Decimal | None) -> Decimal | None:
    return None if number is None else abs(number)


def _amount(stated: Decimal | None, quantity: Decimal | None, price: Decimal | None) -> Decimal | None:
    """The stated amount, or so much for each of so many units, as for a dividend."""
    if stated is None and quantity and price:
        return EXACT.multiply(quantity, price)
    return stated


def _moved(kind: Kind, amount: Decimal | None) -> Decimal:
    """The cash of a row that is no trade, in the direction of its kind."""
    if amount is None:
        raise BadCell(f"a {kind} without an amount")
    if kind in _OUT:
        return abs(amount).copy_negate()
    return abs(amount) if kind in _IN else amount


def _of_trade(kind: str, gross: Decimal | None, fee: Decimal | None, amount: Decimal | None) -> tuple[Decimal, str]:
    """The cash of a buy or a sale with its fee, and what is odd about it."""
    cost = fee or Decimal(0)
    signed_fee = cost if kind == "buy" else EXACT.minus(cost)
    net = None if gross is None else plus(gross, signed_fee)
    if amount is None:
        if net is None:
            raise BadCell(f"a {kind} without price and amount")
        return _signed(kind, net), ""
    stated = abs(amount)
    if net is None or gross is None or (_near(stated, net) and _away(stated, net) <= _away(stated, gross)):
        return _signed(kind, stated), ""
    if _near(stated, gross):
        # The amount is without the fee, which left the account beside it.
        return _signed(kind, plus(stated, signed_fee)), ""
    product = f"quantity × price ({plain_number(gross)})"
    note = f"amount {plain_number(stated)} is neither {product} nor that with the fee; taken as stated"
    return _signed(kind, stated), note


def _near(left: Decimal, right: Decimal) -> bool:
    return _away(left, right) <= _CENT


def _away(left: Decimal, right: Decimal) -> Decimal:
    return abs(EXACT.subtract(left, right))


def _signed(kind: str, cash: Decimal) -> Decimal:
    return EXACT.minus(cash) if kind == "buy" else cash
