"""Make tests/golden.json: what other programs say about the cases of tests/cases.py.

    python -m venv /tmp/oracles && /tmp/oracles/bin/pip install pyxirr beancount
    /tmp/oracles/bin/python tests/oracles/make.py

beancount is under the GPL: it is run here, by hand, and by nothing of finclaw.
"""

from __future__ import annotations

import json
import sys
from datetime import date
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyxirr  # type: ignore[import-not-found]
from beancount import loader  # type: ignore[import-not-found]

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from cases import FLOWS, LOTS, NAMED  # noqa: E402


def unit_cost(units: str, price: str, fee: str) -> Decimal:
    """With the fee of the purchase, which is in the cost."""
    return (Decimal(units) * Decimal(price) + Decimal(fee)) / Decimal(units)


def gains(booking: str) -> dict[str, str]:
    """What beancount books as the gain of each sale, by its day, with the method of booking."""
    lines = [
        f'2022-01-01 open Assets:Shares ACME "{booking}"',
        "2022-01-01 open Assets:Cash",
        "2022-01-01 open Income:Gain",
    ]
    costs = {day: unit_cost(units, price, fee) for day, side, units, price, fee in LOTS if side == "buy"}
    for day, side, units, price, fee in LOTS:
        lines.append(f'{day} * "{side}"')
        if side == "buy":
            lines += [f"  Assets:Shares  {units} ACME {{{costs[day]} USD}}", "  Assets:Cash"]
            continue
        proceeds = Decimal(units) * Decimal(price) - Decimal(fee)
        taken = NAMED[day] if booking == "STRICT" else ((None, units),)
        lines += [
            f"  Assets:Shares  -{count} ACME {{{costs[lot]} USD, {lot}}}"
            if lot
            else f"  Assets:Shares  -{count} ACME {{}}"
            for lot, count in taken
        ]
        lines += [f"  Assets:Cash  {proceeds} USD", "  Income:Gain"]
    entries, errors, _ = loader.load_string("\n".join(lines) + "\n")
    assert not errors, errors
    return {str(entry.date): str(-gain(entry)) for entry in entries if getattr(entry, "narration", "") == "sell"}


def gain(entry: Any) -> Decimal:
    return next(Decimal(posting.units.number) for posting in entry.postings if posting.account == "Income:Gain")


def main() -> None:
    days, amounts = zip(*((date.fromisoformat(day), float(amount)) for day, amount in FLOWS), strict=True)
    golden = {
        "xirr": {"source": f"pyxirr {version('pyxirr')}", "value": pyxirr.xirr(days, amounts)},
        "gains": {
            "source": f"beancount {version('beancount')}",
            **{name: gains(booking) for name, booking in (("fifo", "FIFO"), ("lifo", "LIFO"), ("specific", "STRICT"))},
        },
    }
    (TESTS / "golden.json").write_text(json.dumps(golden, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
