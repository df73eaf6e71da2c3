from __future__ import annotations

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.sdk.render import plain_number, shortest_number
from finclaw_cli.sdk.tabular import BadCell, FileProblem, MarkVotes, parse_amount, parse_number, parse_volume

numbers = st.decimals(min_value=0, max_value=10**12, places=6, allow_nan=False, allow_infinity=False)


def decided(*cells: str, delimiter: str = ";") -> str:
    votes = MarkVotes()
    for line, cell in enumerate(cells, 2):
        votes.look(cell, line)
    return votes.decide(delimiter)[0]


@given(
    numbers, st.sampled_from([("", "."), (",", "."), (" ", "."), ("'", "."), (".", ","), ("\u00a0", ","), ("", ",")])
)
def test_a_number_survives_every_way_of_grouping_it(number: Decimal, style: tuple[str, str]) -> None:
    group, mark = style
    text = f"{number:,f}".replace(",", "\0").replace(".", mark).replace("\0", group)
    assert parse_number(text, mark) == number  # type: ignore[arg-type]


@given(numbers)
def test_the_stored_text_of_a_number_is_exact_and_the_only_one(number: Decimal) -> None:
    text = shortest_number(number)
    assert Decimal(text) == number
    assert shortest_number(Decimal(text + (".0" if "." not in text else "0"))) == text


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


@pytest.mark.parametrize(
    ("cell", "mark", "amount"),
    [
        ("1,234.56", ".", "1234.56"),
        ("1.234,56", ",", "1234.56"),
        ("-1.234,56 €", ",", "-1234.56"),
        ("1 234,56-", ",", "-1234.56"),
        ("(12.50)", ".", "-12.50"),
        ("−3", ".", "-3"),
        ("12,34,567.8", ".", "1234567.8"),
        ("5,500원", ".", "5500"),
        ("USD 1'000.00", ".", "1000.00"),
        (".5", ".", "0.5"),
    ],
)
def test_amounts_are_read_as_banks_write_them(cell: str, mark: str, amount: str) -> None:
    found = parse_amount(cell, mark)  # type: ignore[arg-type]
    assert found is not None
    assert plain_number(found) == amount


@pytest.mark.parametrize("cell", ["NaN", "1e5", "1,23", "1.2.3", "12abc", "1" * 20, "0." + "1" * 13, "--5", "٣"])
def test_what_is_no_amount_is_refused(cell: str) -> None:
    with pytest.raises(BadCell):
        parse_amount(cell, ".")


@given(st.decimals(min_value=-(10**12), max_value=10**12, places=2))
def test_every_amount_survives_both_ways_of_writing_it(amount: Decimal) -> None:
    written = f"{amount:,.2f}"
    assert parse_amount(written, ".") == amount
    assert parse_amount(written.translate(str.maketrans(",.", ".,")), ",") == amount


@given(st.text(st.sampled_from("0123456789.,'- ()€EURKM"), max_size=20))
def test_any_cell_shows_a_mark_or_none(cell: str) -> None:
    votes = MarkVotes()
    votes.look(cell, 2)
    with suppress(FileProblem):
        mark, evidence = votes.decide()
        assert mark in {".", ","}
        assert evidence
