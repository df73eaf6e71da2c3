"""Investment statements of OFX: what trades, income and fees did to cash and holdings.

Aggregates: Open Financial Exchange Specification 2.3, 13.9.2.4 (transactions), 13.9.2.5 (positions), 13.8 (securities).
TOTAL is what the cash of the account has changed by; a reinvestment is income that has bought units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk.render import bounded
from finclaw_cli.sdk.tabular import BadCell
from finclaw_ledger.entries import Entry, Kind
from finclaw_ledger.numbers import EXACT, total
from finclaw_ledger.wording import cleaned

BUYS = {"BUYDEBT", "BUYMF", "BUYOPT", "BUYOTHER", "BUYSTOCK"}
SELLS = {"SELLDEBT", "SELLMF", "SELLOPT", "SELLOTHER", "SELLSTOCK"}
_CASH: dict[str, Kind] = {
    "INCOME": "dividend", "RETOFCAP": "dividend", "INVEXPENSE": "fee", "MARGININTEREST": "interest"
}  # fmt: skip
_NO_CASH = {"CLOSUREOPT", "JRNLFUND", "JRNLSEC", "TRANSFER"}
POSITIONS = {"POSDEBT", "POSMF", "POSOPT", "POSOTHER", "POSSTOCK"}
TRANSACTIONS = BUYS | SELLS | _CASH.keys() | _NO_CASH | {"REINVEST", "SPLIT"}
SECURITY = "SECINFO"
_FEES = ("COMMISSION", "FEES", "LOAD", "TAXES", "PENALTY", "WITHHOLDING", "STATEWITHHOLDING")
_SHOWN = 5

Number = Callable[[Mapping[str, str], str], Decimal]
"""The amount of a field; raises `BadCell` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What the bookings of one aggregate have in common."""

    line: int
    day: date
    account: str
    currency: str


@dataclass(slots=True)
class Investments:
    """What a file has of securities: their names, and what is not imported."""

    names: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Ticker and name by the id of a security."""
    left: Counter[str] = field(default_factory=Counter)
    positions: list[str] = field(default_factory=list)

    def security(self, fields: Mapping[str, str]) -> None:
        """Take the name of a security."""
        key = cleaned(fields.get("UNIQUEID", ""))
        if key:
            self.names[key] = cleaned(fields.get("TICKER", "")), cleaned(fields.get("SECNAME", ""))

    def position(self, fields: Mapping[str, str]) -> None:
        """Take a position, which is shown and not imported."""
        key, units = cleaned(fields.get("UNIQUEID", "")), cleaned(fields.get("UNITS", "?"))
        self.positions.append(f"{key}\n{units} at {cleaned(fields.get('UNITPRICE', '?'))}")

    def named(self, entry: Entry) -> Entry:
        """The booking with the ticker and the name of its security."""
        if entry.symbol is None:
            return entry
        ticker, name = self.names.get(entry.symbol, ("", ""))
        return replace(entry, symbol=(ticker or entry.symbol).upper(), payee=entry.payee or name)

    def notes(self) -> list[str]:
        """What is not imported, counted and named."""
        found = []
        if self.left:
            counts = ", ".join(f"{count} {name}" for name, count in sorted(self.left.items()))
            found.append(f"not imported: {counts}, which move no cash; holdings may differ by them")
        if self.positions:
            first = "; ".join(self._position(text) for text in self.positions[:_SHOWN])
            more = f"; {len(self.positions) - _SHOWN} more" if len(self.positions) > _SHOWN else ""
            found.append(f"not imported: {len(self.positions)} positions that the broker states ({first}{more})")
        return found

    def _position(self, text: str) -> str:
        key, _, rest = text.partition("\n")
        return bounded(f"{self.names.get(key, ('', ''))[0] or key} {rest}", 60)


def entries_of(name: str, fields: Mapping[str, str], place: Place, number: Number, found: Investments) -> list[Entry]:
    """The bookings of one aggregate: none where it moves no cash, two for a reinvestment.

    Raises:
        BadCell: a number that it needs is missing, or cannot be read.
    """
    if name in _NO_CASH:
        found.left[name] += 1
        return []
    reference = cleaned(fields.get("FITID", "")) or None
    base = Entry(
        line=place.line, day=place.day, account=place.account, currency=place.currency, amount=Decimal(0),
        memo=cleaned(fields.get("MEMO", "")), symbol=cleaned(fields.get("UNIQUEID", "")) or None, reference=reference,
    )  # fmt: skip
    if name == "SPLIT":
        parts = number(fields, "NUMERATOR"), number(fields, "DENOMINATOR")
        if not parts[0] or not parts[1]:
            raise BadCell("a split of or by zero")
        return [replace(base, kind="split", quantity=_ratio(*parts))]
    cash = number(fields, "TOTAL")
    if name in _CASH:
        kind: Kind = "interest" if fields.get("INCOMETYPE", "") == "INTEREST" else _CASH[name]
        is_expense = name == "INVEXPENSE"
        return [replace(base, kind=kind, amount=abs(cash).copy_negate() if is_expense else cash)]
    trade = replace(base, quantity=abs(number(fields, "UNITS")), price=_price(fields, number))
    if not trade.quantity:
        raise BadCell("a trade of zero units")
    if name == "REINVEST":
        income: Kind = "interest" if fields.get("INCOMETYPE", "") == "INTEREST" else "dividend"
        paid = abs(cash)
        bought = replace(trade, kind="buy", amount=paid.copy_negate(), reference=reference and f"{reference} units")
        return [replace(base, kind=income, amount=paid), bought]
    return [_trade(name, fields, trade, cash, number)]


def _trade(name: str, fields: Mapping[str, str], trade: Entry, cash: Decimal, number: Number) -> Entry:
    """A purchase or a sale; one with units of the other sign takes back an earlier one."""
    units = number(fields, "UNITS")
    is_purchase = (name in BUYS) == (units > 0 or name in SELLS)
    amount = cash
    if name in BUYS and units > 0:
        # Some employers' plans state what was contributed, which is money out for the units.
        amount = abs(cash).copy_negate()
    fees = total(number(fields, one) for one in _FEES if fields.get(one))
    return replace(trade, kind="buy" if is_purchase else "sell", amount=amount, fee=abs(fees) if fees else None)


def _ratio(numerator: Decimal, denominator: Decimal) -> Decimal:
    """The new units for each old one.

    Raises:
        BadCell: it has no exact decimal number, as 1 for 3.
    """
    ratio = numerator / denominator
    if EXACT.multiply(ratio, denominator) != numerator:
        raise BadCell(f"a split of {numerator} for {denominator} is no exact decimal number; book it by a CSV")
    return ratio


def _price(fields: Mapping[str, str], number: Number) -> Decimal | None:
    return abs(number(fields, "UNITPRICE")) if fields.get("UNITPRICE") else None
