"""Bookings as the books keep them, and what makes one the same when a file that overlaps is imported."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from json.encoder import encode_basestring_ascii

from finclaw_ledger.entries import Entry

FIELDS = (
    "identity, account, day, seq, amount, currency, payee, memo, kind, balance, symbol, quantity, price, fee, line, "
    "category"
)
Text = str | None
Stored = tuple[str, str, str, int, str, str, str, str, str, str, str, str, str, str, int, str]
"""The values of `FIELDS`; those that are absent are empty, since `sqlite3` takes long to bind None."""
_ABSENT = ("", "null")
_PRECISION = 28


class _Quoted(dict[Text, str]):
    """Texts as JSON, each made once: files repeat them."""

    def __missing__(self, text: Text) -> str:
        quoted = self[text] = "null" if text is None else encode_basestring_ascii(text)
        return quoted


def stored(entries: Sequence[Entry]) -> Iterator[Stored]:
    """Each booking as the books keep it, with its identity and its number among them.

    The bank's own reference decides where there is one; else account, date, amount, currency, payee, memo, balance
    and what was traded, and how many equal bookings stand before it in the file: two equal coffees on a day are two.
    """
    # Equal bookings are of one day: what was seen before it is no longer needed, where the days are in order.
    is_in_order = all(one.day <= other.day for one, other in pairwise(entries))
    seen: dict[str, int] = {}
    quoted, newest, day = _Quoted(), None, ""
    for number, entry in enumerate(entries):
        if entry.day != newest:
            newest, day = entry.day, entry.day.isoformat()
            seen = {} if is_in_order else seen
        amount, size = _written(entry.amount)
        balance, left = _ABSENT if entry.balance is None else _written(entry.balance)
        quantity, units = _ABSENT if entry.quantity is None else _written(entry.quantity)
        price, each = _ABSENT if entry.price is None else _written(entry.price)
        fee, _ = _ABSENT if entry.fee is None else _written(entry.fee)
        facts = _facts(entry, quoted, (day, size, left, units, each))
        seen[facts] = count = seen.get(facts, 0) + 1
        identity = hashlib.sha256(f"{facts}#{count}".encode()).hexdigest()
        yield (
            identity, entry.account, day, number, amount, entry.currency, entry.payee, entry.memo, entry.kind,
            balance, entry.symbol or "", quantity, price, fee, entry.line, entry.category or "",
        )  # fmt: skip


def _facts(entry: Entry, quoted: _Quoted, values: tuple[str, str, str, str, str]) -> str:
    """What makes a booking this one, as JSON."""
    day, amount, balance, quantity, price = values
    if entry.reference:
        # Some banks count their references anew each day, so the day and the amount belong to them.
        return f'["reference", {quoted[entry.account]}, {quoted[entry.reference]}, "{day}", {amount}]'
    texts = f"{quoted[entry.currency]}, {quoted[entry.payee]}, {quoted[entry.memo]}, {balance}"
    kind = quoted[entry.kind if entry.symbol else None]
    traded = f"{kind}, {quoted[entry.symbol]}, {quantity}, {price}"
    return f'["row", {quoted[entry.account]}, "{day}", {amount}, {texts}, {traded}]'


def _written(number: Decimal) -> tuple[str, str]:
    """A number with its own decimals, and in the shortest way as JSON; zero has no sign."""
    text = str(number or abs(number))
    if "E" in text:
        text = f"{number or abs(number):f}"
    if not number or len(text) > _PRECISION:
        return text, f'"{number.normalize() if number else Decimal(0):f}"'
    return text, f'"{text.rstrip("0").rstrip(".")}"' if "." in text else f'"{text}"'
