"""JSON in and out."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.json_text import (
    InvalidJson,
    canonical,
    dump_line,
    jsonable,
    parse_object,
    parse_value,
    plain,
    well_formed,
)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.decimals() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
    max_leaves=20,
)


@given(anything)
def test_whatever_is_made_plain_is_one_valid_ascii_line(value: object) -> None:
    line = dump_line(plain(value))
    assert line.isascii()
    assert "\n" not in line
    json.loads(line, parse_constant=pytest.fail)


@given(anything)
def test_whatever_is_made_jsonable_is_one_valid_ascii_line(value: object) -> None:
    json.loads(dump_line(jsonable(value)), parse_constant=pytest.fail)


@given(
    st.dictionaries(st.text(), st.integers() | st.text() | st.decimals(allow_nan=False, allow_infinity=False, places=6))
)
def test_equal_inputs_have_one_canonical_form(value: dict[str, object]) -> None:
    assert canonical(value) == canonical(dict(reversed(value.items())))


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=Decimal("-1e300"), max_value=Decimal("1e300")))
def test_a_number_in_is_the_same_number_out(number: Decimal) -> None:
    try:
        value = parse_object(f'{{"n": {number}}}')["n"]
    except InvalidJson:
        assert abs(number.adjusted()) > 300
        return
    assert Decimal(str(value)) == number
    assert Decimal(json.loads(canonical({"n": value}), parse_float=Decimal)["n"]) == number
    assert Decimal(str(plain(value))) == number


def test_money_is_a_string() -> None:
    assert jsonable({"cost": Decimal("0.10")}) == {"cost": "0.10"}


def test_nan_is_null() -> None:
    assert jsonable([float("nan"), Decimal("NaN"), float("inf")]) == [None, None, None]


def test_a_number_that_would_be_a_gigabyte_of_digits_is_refused() -> None:
    with pytest.raises(InvalidJson, match="out of range"):
        parse_object('{"n": 1e999999999}')


@given(st.text(st.characters()))
def test_well_formed_text_can_be_encoded_and_stays_itself(text: str) -> None:
    once = well_formed(text)
    once.encode("utf-8")
    assert well_formed(once) == once


@pytest.mark.parametrize("text", ["1e400", "[-1E+999]", '{"n": [1e309]}', "1" * 400 + ".0"])
def test_a_number_out_of_range_is_no_value(text: str) -> None:
    with pytest.raises(InvalidJson, match="out of range"):
        parse_value(text)


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"n": -Infinity}', '{"n": 1, "n": 2}', "1 2", "[1,]"])
def test_what_is_no_strict_json_is_no_value(text: str) -> None:
    with pytest.raises(InvalidJson):
        parse_value(text)


def test_text_that_looks_like_a_large_number_is_a_value() -> None:
    assert parse_value('["1e400", 1e308]') == ["1e400", 1e308]
