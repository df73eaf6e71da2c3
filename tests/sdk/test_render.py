"""Text and numbers for messages, tables and JSON."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.sdk import no_data
from finclaw_cli.sdk.render import (
    bounded,
    clean,
    echo_json,
    error_text,
    file_name,
    one_line,
    plain_number,
    quoted,
    shortest_number,
    table_lines,
    width,
)

numbers = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**20), max_value=10**20)


@given(st.text(max_size=100), st.integers(0, 20))
def test_text_from_outside_is_one_printable_line_and_bounded(text: str, limit: int) -> None:
    assert one_line(text).isprintable()
    assert len(one_line(text)) == len(text)
    assert len(bounded(text, limit)) <= limit + 1
    assert quoted(text).isprintable()


@given(numbers)
def test_the_text_of_a_number_is_exact_and_has_no_exponent(number: Decimal) -> None:
    for text in (plain_number(number), shortest_number(number)):
        assert Decimal(text) == number
        assert "e" not in text.lower()
        assert text not in {"-0", "-0.0"}


@given(numbers, st.integers(0, 5))
def test_equal_numbers_have_the_same_shortest_text(number: Decimal, zeros: int) -> None:
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    same = number.quantize(Decimal(1).scaleb(exponent - zeros)) if abs(number) < 10**6 and exponent > -15 else number
    assert shortest_number(same) == shortest_number(number)


def test_a_plain_number_keeps_its_decimals() -> None:
    assert (plain_number(Decimal("1.50")), plain_number(Decimal("-0.00"))) == ("1.50", "0.00")
    assert (shortest_number(Decimal("1.50")), shortest_number(Decimal("-0.00"))) == ("1.5", "0")


def test_a_file_without_a_name_is_shown_by_its_path() -> None:
    assert (file_name(Path("a/b\n.csv")), file_name(Path())) == ("b .csv", ".")


def test_the_error_of_a_tool_is_shown_to_a_user_without_the_advice_for_models() -> None:
    assert error_text(no_data("there is none")) == "NO_DATA: there is none."


def test_json_is_one_ascii_line(capsys: pytest.CaptureFixture[str]) -> None:
    echo_json({"day": date(2026, 1, 2), "amount": Decimal("1.50"), "name": "é"})
    out = capsys.readouterr().out
    assert out.isascii()
    assert json.loads(out) == {"day": "2026-01-02", "amount": "1.50", "name": "é"}
    with pytest.raises(ValueError, match="JSON"):
        echo_json(float("nan"))


def test_a_table_fits_its_room_and_aligns_wide_characters() -> None:
    rows = [["삼성전자", "a long description of it"], ["ACME", "-"]]
    assert table_lines(["NAME", "WHAT"], rows)[2] == "ACME      -"
    assert max(map(width, table_lines(["NAME", "WHAT"], rows, 26))) <= 26


def test_escape_sequences_do_not_reach_a_terminal() -> None:
    assert clean("a\x1b[31mb") == "ab"
