"""Which numbers of results belong together, by the paths that they have."""

from __future__ import annotations

from decimal import Decimal

import pytest

from finclaw_cli.numbers.leaves import Leaf
from finclaw_cli.numbers.relation import may_be_part, related
from finclaw_cli.numbers.scan import figures
from finclaw_cli.numbers.steps import inverse


@pytest.mark.parametrize(
    ("one", "two", "are_related"),
    [
        ("rows.1.open", "rows.1.close", True),
        ("rows.1.open", "rows.2.close", False),
        ("rows.1.open", "rows.2.open", True),
        ("rows.1.open", "rows.3.open", False),
        ("rows.0.open", "rows.3.open", True),
        ("rows.1.open", "rows.1.day.open", False),
        ("year.open", "year.day.open", True),
        ("total", "rows.7.open", True),
        ("rows.7.open", "total", True),
        ("other.total", "rows.7.open", False),
    ],
)
def test_numbers_are_related_by_their_place(one: str, two: str, are_related: bool) -> None:
    assert related(Leaf(value=Decimal(1), path=one), Leaf(value=Decimal(2), path=two)) == are_related


@pytest.mark.parametrize(
    ("one", "two", "may"),
    [
        ("rows.1.cash", "rows.1.value", True),
        ("rows.1.cash", "rows.2.value", True),
        ("rows.1.cash", "rows.2.cash", False),
        ("rows.1.value", "rows.2.value", True),
        ("rows.1.count", "rows.1.value", False),
    ],
)
def test_a_share_is_of_a_number_of_the_same_row_or_of_another_name(one: str, two: str, may: bool) -> None:
    assert may_be_part(one, two) == may


@pytest.mark.parametrize(("path", "inverses"), [("fx.rate", [0.25]), ("fx.Rates.0", [0.25]), ("fx.price", [])])
def test_of_a_rate_the_inverse_is_tried(path: str, inverses: list[float]) -> None:
    assert [one.value for one in inverse(Leaf(value=Decimal(4), path=path))] == inverses


def test_a_number_with_endless_digits_is_one_figure_and_what_follows_keeps_its_place() -> None:
    text = "1" * 10_000 + " and 25 USD"
    first, last = figures(text)
    assert first.start == 0
    assert text[last.start : last.end].startswith("25")
