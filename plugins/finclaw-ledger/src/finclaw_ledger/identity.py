"""What makes a booking the same one when a file, or an overlapping one, is imported again."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from json.encoder import encode_basestring_ascii as _quoted

from finclaw_ledger.entries import Entry


def identified(entries: Iterable[Entry]) -> Iterator[tuple[str, Entry]]:
    """Each booking with its identity.

    The bank's own reference decides where there is one; else account, date, amount, currency, payee, memo, balance
    and what was traded, and how many equal bookings stand before it in the file: two equal coffees on a day are two.
    """
    seen: Counter[str] = Counter()
    for entry in entries:
        facts = f"[{', '.join(_facts(entry))}]"
        seen[facts] += 1
        yield hashlib.sha256(f"{facts}#{seen[facts]}".encode()).hexdigest(), entry


def _facts(entry: Entry) -> tuple[str, ...]:
    """What makes a booking this one, as JSON."""
    day, amount = f'"{entry.day.isoformat()}"', _number(entry.amount)
    if entry.reference:
        # Some banks count their references anew each day, so the day and the amount belong to them.
        return '"reference"', _text(entry.account), _text(entry.reference), day, amount
    return (
        '"row"', _text(entry.account), day, amount, _text(entry.currency), _text(entry.payee), _text(entry.memo),
        _number(entry.balance), _text(entry.kind if entry.symbol else None), _text(entry.symbol),
        _number(entry.quantity), _number(entry.price),
    )  # fmt: skip


def _text(text: str | None) -> str:
    return "null" if text is None else _quoted(text)


def _number(number: Decimal | None) -> str:
    return "null" if number is None else f'"{number.normalize() if number else Decimal(0):f}"'
