"""What steps of making room come to together."""

from __future__ import annotations

from decimal import Decimal

import pytest

from finclaw_cli.core.events.parts import Compactions
from finclaw_cli.core.usage import Usage

NONE = Compactions(count=2, summaries=0, usage=None, cost_usd=None)


def asked(cost: str | None) -> Compactions:
    return Compactions(count=1, summaries=3, usage=Usage(input=5), cost_usd=None if cost is None else Decimal(cost))


@pytest.mark.parametrize(
    ("one", "other", "cost"),
    [
        (asked("0.75"), asked("0.5"), Decimal("1.25")),
        (asked("0.75"), NONE, Decimal("0.75")),
        (NONE, asked("0.5"), Decimal("0.5")),
        (asked("0.75"), asked(None), None),
        (asked(None), asked("0.5"), None),
        (NONE, NONE, None),
    ],
)
def test_the_cost_of_summaries_is_added_and_unknown_where_one_is(
    one: Compactions, other: Compactions, cost: Decimal | None
) -> None:
    both = one + other
    assert both.cost_usd == cost
    assert (both.count, both.summaries) == (one.count + other.count, one.summaries + other.summaries)
