"""Money that moved between the user's own accounts is neither spent nor earned."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

from finclaw_ledger.books import Booking
from finclaw_ledger.entries import TRADES

CONVENTION = (
    "transfers between own accounts are left out: same amount out of one and into another within 3 days, "
    "or named transfer, deposit or withdrawal by the file"
)
_AWAY = tuple(timedelta(days=days) for days in (0, 1, -1, 2, -2, 3, -3))
_Key = tuple[str, Decimal, date]
_MAY_BE = frozenset({"payment", "transfer", "deposit", "withdrawal"})
_MOVES = frozenset({"transfer", "deposit", "withdrawal"})


def matched(bookings: Sequence[Booking]) -> list[tuple[Booking, Booking]]:
    """Pairs of bookings, out and in, each used once, the nearest days first."""
    incoming: dict[_Key, dict[str, deque[Booking]]] = defaultdict(dict)
    outgoing: list[Booking] = []
    for item in bookings:
        if item.kind not in _MAY_BE or not item.amount:
            continue
        if item.amount > 0:
            incoming[item.currency, item.amount, item.day].setdefault(item.account, deque()).append(item)
        else:
            outgoing.append(item)
    # Most amounts never come back; looking at seven days for each of those would be for nothing.
    sizes = {(currency, amount) for currency, amount, _ in incoming}
    outgoing = [out for out in outgoing if (out.currency, -out.amount) in sizes]
    pairs = []
    for away in _AWAY:
        left = []
        for out in outgoing:
            waiting = incoming.get((out.currency, -out.amount, out.day + away), {})
            account = next((name for name, items in waiting.items() if name != out.account and items), None)
            if account is None:
                left.append(out)
            else:
                pairs.append((out, waiting[account].popleft()))
        outgoing = left
    return pairs


def without_transfers(bookings: Sequence[Booking]) -> tuple[list[Booking], int, int]:
    """What is left when transfers and trades are taken out, the number of pairs, and of moves without a known side."""
    pairs = matched(bookings)
    used = {id(item) for pair in pairs for item in pair}
    rest = [item for item in bookings if id(item) not in used and item.kind not in TRADES]
    moves = sum(item.kind in _MOVES for item in rest)
    return [item for item in rest if item.kind not in _MOVES], len(pairs), moves
