"""Whether the running balance of a file agrees with its amounts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from finclaw_cli.sdk.render import plain_number
from finclaw_ledger.entries import Entry
from finclaw_ledger.numbers import plus
from finclaw_ledger.wording import alias

_MOST = 10


def balance_breaks(entries: Sequence[Entry]) -> list[str]:
    """One line for each booking whose balance is not the one before plus its amount; the first ten and a count."""
    found = list(_breaks(entries))
    more = [f"{len(found) - _MOST} more balances do not agree with their amounts"] if len(found) > _MOST else []
    return found[:_MOST] + more


def _breaks(entries: Sequence[Entry]) -> Iterator[str]:
    last: dict[tuple[str, str], Decimal] = {}
    for entry in entries:
        key = entry.account, entry.currency
        before = last.get(key)
        if entry.balance is None:
            # Without a balance of its own a booking still moves the next one.
            if before is not None:
                last[key] = plus(before, entry.amount)
            continue
        last[key] = entry.balance
        if before is not None and plus(before, entry.amount) != entry.balance:
            yield (
                f"line {entry.line}: balance {plain_number(entry.balance)} of {alias(entry.account)} is not "
                f"{plain_number(before)} before plus {plain_number(entry.amount)} = "
                f"{plain_number(plus(before, entry.amount))}"
            )
