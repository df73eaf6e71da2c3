from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_market.bars import exact_text
from finclaw_market.numbers import MarkVotes, parse_number, parse_volume
from finclaw_market.problems import BadCell, FileProblem

numbers = st.decimals(min_value=0, max_value=10**12, places=6, allow_nan=False, allow_infinity=False)


def decided(*cells: str, delimiter: str = ";") -> str:
    votes = MarkVotes()
    for line, cell in enumerate(cells, 2):
        votes.look(cell, line)
    return votes.decide(delimiter)


@given(
    numbers, st.sampled_from([("", "."), (",", "."), (" ", "."), ("'", "."), (".", ","), ("\u00a0", ","), ("", ",")])
)
def test_a_number_survives_every_way_of_grouping_it(number: Decimal, style: tuple[str, str]) -> None:
    group, mark = style
    text = f"{number:,f}".replace(",", "\0").replace(".", mark).replace("\0", group)
    assert parse_number(text, mark) == number  # type: ignore[arg-type]


@given(numbers)
def test_the_stored_text_of_a_number_is_exact_and_the_only_one(number: Decimal) -> None:
    text = exact_text(number)
    assert text is not None
    assert Decimal(text) == number
    assert exact_text(Decimal(text + (".0" if "." not in text else "0"))) == text


@given(st.text(max_size=30))
def test_any_text_is_a_finite_number_or_nothing_or_refused(text: str) -> None:
    try:
        number = parse_volume(text, ",")
    except BadCell:
        return
    assert number is None or number.is_finite()


@pytest.mark.parametrize(
    "text", ["nan", "NaN", "-inf", "Infinity", "1e999", "1,23,4", "1,2345", "12..3", "٣", "0x1f", "--1"]
)
def test_what_is_no_finite_number_is_refused(text: str) -> None:
    with pytest.raises(BadCell):
        parse_number(text)


@pytest.mark.parametrize("text", ["", " ", "-", "N/A", "null"])
def test_what_says_that_there_is_no_value_is_none(text: str) -> None:
    assert parse_number(text) is None


def test_currency_signs_exponents_and_abbreviated_volumes_are_read() -> None:
    assert parse_number("$1,234.50") == Decimal("1234.50")
    assert parse_number("7.078E+05") == 707_800
    assert parse_volume("1.5M") == 1_500_000
    assert parse_number("12,34,567.8") == Decimal("1234567.8")


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["1.234,56"], ","),
        (["1,234.56"], "."),
        (["1,5", "1.234"], ","),
        (["1.234.567"], ","),
        (["0,125"], ","),
        (["1234,567"], ","),
        (["37.12", "37.125"], "."),
        (["100", "200"], "."),
    ],
)
def test_one_cell_that_can_only_be_read_one_way_decides_for_the_file(cells: list[str], mark: str) -> None:
    assert decided(*cells) == mark


@pytest.mark.parametrize("cells", [["1,234"], ["1.234", "2.345"], ["1.234", "1,234"]])
def test_a_file_that_shows_nothing_certain_is_asked_about(cells: list[str]) -> None:
    with pytest.raises(FileProblem, match="--decimal"):
        decided(*cells)


def test_points_are_decimals_where_commas_separate_the_columns() -> None:
    assert decided("1.234", delimiter=",") == "."


def test_cells_that_contradict_each_other_are_both_named() -> None:
    with pytest.raises(FileProblem, match=r"line 3 has '1\.5'.*line 2 has '1,5'"):
        decided("1,5", "1.5")
