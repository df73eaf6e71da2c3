"""What makes a booking the same one when a file, or an overlapping one, is imported again."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal

from finclaw_ledger.entries import Entry


def identified(entries: Iterable[Entry]) -> Iterator[tuple[str, Entry]]:
    """Each booking with its identity.

    The bank's own reference decides where there is one; else account, date, amount, currency, payee, memo, balance
    and what was traded, and how many equal bookings stand before it in the file: two equal coffees on a day are two.
    """
    seen: Counter[str] = Counter()
    for entry in entries:
        facts = json.dumps(_facts(entry), ensure_ascii=True)
        seen[facts] += 1
        yield hashlib.sha256(f"{facts}#{seen[facts]}".encode()).hexdigest(), entry


def _facts(entry: Entry) -> list[str | None]:
    if entry.reference:
        # Some banks count their references anew each day, so the day and the amount belong to them.
        return ["reference", entry.account, entry.reference, entry.day.isoformat(), _text(entry.amount)]
    return [
        "row", entry.account, entry.day.isoformat(), _text(entry.amount), entry.currency, entry.payee, entry.memo,
        _text(entry.balance), entry.kind if entry.symbol else None, entry.symbol, _text(entry.quantity),
        _text(entry.price),
    ]  # fmt: skip


def _text(number: Decimal | None) -> str | None:
    return None if number is None else format(number.normalize() if number else Decimal(0), "f")
