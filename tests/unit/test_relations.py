"""Which numbers of results belong together, by the paths that they have."""

from __future__ import annotations

from decimal import Decimal

import pytest

from finclaw_cli.numbers.figure import Kind
from finclaw_cli.numbers.leaves import Leaf
from finclaw_cli.numbers.relation import may_be_part, related
from finclaw_cli.numbers.scan import figures
from finclaw_cli.numbers.steps import STEPS, inverse


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


def derived(kind: Kind, first: str, second: str) -> dict[str, tuple[float, bool | None]]:
    """What can be computed of two numbers of one row, by how: the value, and whether it falls."""
    one, two = Leaf(value=Decimal(first), path="row.one"), Leaf(value=Decimal(second), path="row.two")
    return {each.how: (each.value, each.falls) for each in STEPS[kind](one, two)}


@pytest.mark.parametrize(("first", "second", "share"), [("1", "4", 0.25), ("4", "1", 0.25), ("-3", "4", 0.75)])
def test_a_share_is_of_the_larger_of_two_numbers(first: str, second: str, share: float) -> None:
    assert derived(Kind.PERCENT, first, second)["ratio"][0] == share


@pytest.mark.parametrize("kind", [Kind.PERCENT, Kind.TIMES])
@pytest.mark.parametrize(("first", "falls"), [("2", False), ("-2", True)])
def test_a_ratio_of_numbers_with_different_signs_is_below_zero(kind: Kind, first: str, falls: bool) -> None:
    assert derived(kind, first, "0.25")["ratio"][1] == falls
