"""Bookings as the books keep them, and what makes one the same when a file that overlaps is imported."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from decimal import Decimal
from json.encoder import encode_basestring_ascii

from finclaw_ledger.packed import Entries, Row

FIELDS = (
    "identity, seq, day, account, currency, payee, memo, kind, amount, balance, symbol, quantity, price, fee, line, "
    "category"
)
Stored = tuple[str, int, str, str, str, str, str, str, str, str, str, str, str, str, int, str]
"""The values of `FIELDS`; those that are absent are empty, since `sqlite3` takes long to bind None."""
_PRECISION = 28
_MOST = 10_000


class _Quoted(dict[str, str]):
    """Texts as JSON, most of them made once: files repeat them."""

    def __missing__(self, text: str) -> str:
        if len(self) >= _MOST:
            self.clear()
        quoted = self[text] = encode_basestring_ascii(text)
        return quoted


def stored(entries: Entries) -> Iterator[Stored]:
    """Each booking as the books keep it, with its identity and its number among them.

    The bank's own reference decides where there is one; else account, date, amount, currency, payee, memo, balance
    and what was traded, and how many equal bookings stand before it in the file: two equal coffees on a day are two.
    """
    seen: dict[str, int] = {}
    quoted, newest = _Quoted(), ""
    for number, row in enumerate(entries.rows()):
        if row[1] != newest:
            newest, seen = row[1], {}  # equal bookings are of one day
        facts = _facts(row, quoted)
        seen[facts] = count = seen.get(facts, 0) + 1
        yield hashlib.sha256(f"{facts}#{count}".encode()).hexdigest(), number, *row[1:]


def _facts(row: Row, quoted: _Quoted) -> str:
    """What makes a booking this one, as JSON."""
    reference, day, account, currency, payee, memo, kind, amount, balance, symbol, quantity, price, *_ = row
    if reference:
        # Some banks count their references anew each day, so the day and the amount belong to them.
        return f'["reference", {quoted[account]}, {quoted[reference]}, "{day}", {_size(amount)}]'
    texts = f"{quoted[currency]}, {quoted[payee]}, {quoted[memo]}, {_size(balance) if balance else 'null'}"
    traded = "null, null, null, null"
    if symbol or quantity or price:
        named = f"{quoted[kind]}, {quoted[symbol]}" if symbol else "null, null"
        traded = f"{named}, {_size(quantity)}, {_size(price)}"
    return f'["row", {quoted[account]}, "{day}", {_size(amount)}, {texts}, {traded}]'


def _size(number: str) -> str:
    """A number in the shortest way, as JSON."""
    if not number:
        return "null"
    if len(number) > _PRECISION:
        return f'"{Decimal(number).normalize():f}"'
    return f'"{number.rstrip("0").rstrip(".")}"' if "." in number else f'"{number}"'
