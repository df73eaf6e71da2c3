"""Where the figures of an answer come from."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.numbers.check import AnswerCheck, ToolAnswer

HISTORY = {
    "data": {
        "summary": {
            "first": {"date": "2025-12-31", "close": "93.27"},
            "last": {"date": "2026-10-30", "close": "126.89"},
            "change": "33.62",
            "change_fraction": 0.3604589,
            "max": {"date": "2026-09-23", "close": "130.5"},
            "n": 217,
        },
        "columns": ["date", "close", "volume"],
        "rows": [["2026-10-29", "125.51", 1200300], ["2026-10-30", "126.89", 1500000]],
    },
    "units": {"close": "USD/share", "change": "USD/share", "change_fraction": "1", "volume": "shares"},
}
MANY = {
    "data": {"columns": ["date", "close"], "rows": [[f"d{n}", f"{100 + n * 0.37:.2f}"] for n in range(200)]},
    "units": {"close": "USD/share"},
}
CONVERTED = {"amount": {"amount": "133527", "currency": "KRW"}, "from": {"amount": "100", "currency": "USD"}}


def statuses(answer: str, *results: object, given: str = "") -> list[str]:
    texts = [result if isinstance(result, str) else json.dumps(result) for result in results]
    told = [ToolAnswer(call_id=f"c{number}", tool="t", text=text) for number, text in enumerate(texts)]
    return [one.status for one in AnswerCheck(answer, [given], told).checked]


@pytest.mark.parametrize(
    "answer",
    [
        "It closed at 126.89 USD", "It closed at $126.9", "about $130", "up 36.05 %", "up 36%", "종가는 126.89달러",
        "1.2M shares", "150만 주", "it gained 33.62 USD", "over 217 sessions", "a change of 0.36", "| % |\n|---|\n| 36.05 |",
    ],
)  # fmt: skip
def test_a_number_of_a_result_is_found_at_the_precision_shown(answer: str) -> None:
    assert statuses(answer, HISTORY) == ["found"]


@pytest.mark.parametrize(("minor", "currency"), [("GBp", "GBP"), ("GBX", "GBP"), ("ZAc", "ZAR"), ("ILA", "ILS")])
def test_an_amount_in_a_minor_unit_is_not_one_of_its_currency(minor: str, currency: str) -> None:
    for result in (
        {"data": {"amount": {"amount": "125", "currency": minor}}},
        {"data": {"close": "125"}, "units": {"close": f"{minor}/share"}},
    ):
        assert statuses(f"It is 125 {minor}, which is 1.25 {currency}.", result) == ["found", "found"]
        assert statuses(f"It is 125 {currency}.", result) == ["ungrounded"]


@pytest.mark.parametrize(
    "answer",
    [
        "It closed at 126.90 USD", "126.89 KRW", "126.89 %", "up 37 %", "-36.05 %", "36.05 USD", "$45.2 billion",
        "12 analysts", "23.4x earnings", "목표가는 150달러", "시가총액 3조 2천억 원", "33.62 %", "+126.89 shares",
    ],
)  # fmt: skip
def test_a_number_that_no_result_has_is_ungrounded(answer: str) -> None:
    assert statuses(answer, HISTORY) == ["ungrounded"]


def test_a_round_number_near_one_of_many_rows_proves_nothing() -> None:
    assert statuses("a target of 140 USD", MANY) == ["ungrounded"]
    assert statuses("it closed at 137.74 USD", MANY) == ["found"]


def test_a_currency_beside_an_amount_is_its_unit() -> None:
    assert statuses("100 USD are 133,527원", CONVERTED) == ["found", "found"]
    assert statuses("133,527 USD", CONVERTED) == ["ungrounded"]


@pytest.mark.parametrize(
    ("answer", "status"), [("100 USD", "found"), ("200 USD", "ungrounded"), ("100 EUR", "ungrounded")]
)
def test_an_amount_that_a_call_gave_and_its_result_repeats_is_none_by_chance(answer: str, status: str) -> None:
    near = {"data": {f"close_{day}": {"amount": f"{80 + day * 3.17:.2f}", "currency": "USD"} for day in range(20)}}
    prices = ToolAnswer(call_id="c0", tool="get_prices", text=json.dumps(near))
    text, given = json.dumps(CONVERTED), {"amount": "100", "from_currency": "USD", "to_currency": "KRW"}
    converted = ToolAnswer(call_id="c1", tool="convert_currency", text=text, input=given)
    (checked,) = AnswerCheck(f"In won, {answer} were a lot.", [], [prices, converted]).checked
    assert checked.status == status
    assert statuses(f"In won, {answer} were a lot.", near, CONVERTED) == ["ungrounded"]


def test_the_numbers_of_a_command_need_no_source() -> None:
    assert (
        statuses('Next: `finclaw run "Buy ten shares of ACME"`, or `finclaw run --max-cost 0.5 "Sell 3 shares"`') == []
    )
    assert statuses("It closed at `126.89 USD`") == ["ungrounded"]


def test_a_figure_of_the_user_needs_no_source() -> None:
    assert statuses("For your 1,000 shares", given="I have 1000 shares") == ["given"]


def test_numbers_in_the_text_of_a_result_count() -> None:
    assert statuses("Revenue was $4.5 billion", {"text": "Revenue rose to $4.5 billion from $4.1 billion"}) == ["found"]
    assert statuses("Revenue was $4.5 billion", "Revenue rose to $4.5 billion") == ["found"]


def test_a_result_that_was_cut_short_is_read_as_text() -> None:
    assert statuses("It closed at 126.89", json.dumps(HISTORY)[:150]) == ["found"]


def test_the_length_of_a_list_is_a_number_of_the_result() -> None:
    assert statuses("12 candidates", {"candidates": [{"symbol": "A"}] * 12}) == ["found"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
        max_leaves=20,
    )
)
def test_any_result_can_be_read(content: object) -> None:
    assert statuses("It is 123.456 and 12 %", json.dumps(content)) is not None


@given(st.decimals(min_value="0.01", max_value=10**9, places=2), st.integers(0, 2))
def test_every_number_is_found_again_when_it_is_shown_rounded(number: object, places: int) -> None:
    assert statuses(f"It is {number:,.{places}f} USD.", {"price": str(number)}) == ["found"]


@pytest.mark.parametrize("between", [" ", ", ", "\n", "\t", " | "])
def test_a_long_list_of_invented_numbers_is_flagged_number_by_number(between: str) -> None:
    assert statuses(between.join(f"{1000 + n}.01" for n in range(100)), HISTORY) == ["ungrounded"] * 100


@pytest.mark.parametrize(
    "answer",
    [
        "9.999.999 EUR", "1.234.567,89 €", "9_999_999 shares", "1e999999 USD", "item 288.88", "Form 288.88", "5 Mrd. USD",
        "5 mio USD", "5 lakh", "8" * 100, "1." * 2, "7" * 1_000_000,
    ],
)  # fmt: skip
def test_a_number_in_an_odd_form_is_a_number_still(answer: str) -> None:
    assert "ungrounded" in statuses(answer, HISTORY)


def test_what_comes_after_more_than_anybody_reads_has_no_source() -> None:
    assert statuses("126.89 USD. " * 4_000, HISTORY)[-1] == "ungrounded"
    assert statuses("126.89 USD. " + "word " * 100_000, HISTORY)[-1] == "ungrounded"


@pytest.mark.parametrize("answer", ["52 bps", "0.524 %", "$0.52", "0.524 KRW", "0.5 shares", "0.524 sessions"])
def test_a_fraction_with_a_remark_in_its_unit_is_a_fraction(answer: str) -> None:
    result = {"data": {"total_return": 0.5240601828}, "units": {"total_return": "1, by the source's adjusted close"}}
    assert statuses(answer, result) == ["ungrounded"]
    assert statuses("52.4 %", result) == ["found"]


def test_arithmetic_needs_a_derivation() -> None:
    assert statuses("126.89 USD, +1.38 USD (+1.10 %) on the day", HISTORY) == ["found", "ungrounded", "ungrounded"]
