from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from finclaw_market.adjust import CannotAdjust, adjusted
from finclaw_market.bars import Bar, Basis, Wanted

BARE = [Bar(day=date(2024, 1, day), close=Decimal(9)) for day in (2, 3)]


@pytest.mark.parametrize(
    ("basis", "wanted", "why"),
    [
        ("none", "split", "its file has unadjusted prices and no column of splits; ask for adjustment none"),
        (
            "none",
            "total",
            (
                "its file has unadjusted prices and no column of adjusted closes, nor both dividends and splits for "
                "every bar; ask for adjustment none"
            ),
        ),
        ("split", "none", "its file's prices are already adjusted; ask for adjustment split"),
        (
            "unstated",
            "split",
            "it was imported without saying how its prices are adjusted (finclaw data import --adjustment)",
        ),
    ],
)
def test_why_an_adjustment_is_not_available_is_named(basis: Basis, wanted: Wanted, why: str) -> None:
    with pytest.raises(CannotAdjust) as raised:
        adjusted(BARE, [basis], wanted)
    assert str(raised.value) == f"adjustment {wanted} is not available: {why}"
