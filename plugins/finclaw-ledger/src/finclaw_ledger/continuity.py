"""Whether running balances agree with the amounts of bookings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from decimal import Decimal
from typing import Protocol, TypeVar

from finclaw_ledger.numbers import plus


class Balanced(Protocol):
    """A booking with its amount and, where the file has it, the balance after it."""

    @property
    def amount(self) -> Decimal: ...

    @property
    def balance(self) -> Decimal | None: ...


R = TypeVar("R", bound=Balanced)


def breaks(rows: Iterable[R], key: Callable[[R], Hashable]) -> Iterator[tuple[R, Decimal, Decimal]]:
    """The rows whose balance is not the one before plus their amount: each row, its balance and the one before.

    Args:
        rows: in their order.
        key: rows with the same key have one running balance.
    """
    last: dict[Hashable, Decimal] = {}
    for row in rows:
        if row.balance is None and not last:
            continue
        account = key(row)
        before = last.get(account)
        if row.balance is not None:
            if before is not None and plus(before, row.amount) != row.balance:
                yield row, row.balance, before
            last[account] = row.balance
        elif before is not None:
            # Without a balance of its own a booking still changes the next one.
            last[account] = plus(before, row.amount)
