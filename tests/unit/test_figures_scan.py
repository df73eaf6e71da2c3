"""Which digits of a text are figures, and what they are worth."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.numbers.figure import Kind
from finclaw_cli.numbers.scan import BEYOND, figures


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("126.89 USD", "126.89", Kind.MONEY),
        ("$1,234.50", "1234.50", Kind.MONEY),
        ("US$1.2 billion", "1200000000", Kind.MONEY),
        ("$45.2B", "45200000000", Kind.MONEY),
        ("€5", "5", Kind.MONEY),
        ("USD 12k", "12000", Kind.MONEY),
        ("12 cents", "0.12", Kind.MONEY),
        ("36.05 %", "0.3605", Kind.PERCENT),
        ("12 percent", "0.12", Kind.PERCENT),
        ("3.5 percentage points", "0.035", Kind.PERCENT),
        ("25 bps", "0.0025", Kind.PERCENT),
        ("twenty-five percent", "0.25", Kind.PERCENT),
        ("two hundred million dollars", "200000000", Kind.MONEY),
        ("2.3x", "2.3", Kind.TIMES),
        ("a 3-for-1 split", "3", Kind.TIMES),
        ("1.5M shares", "1500000", Kind.SHARES),
        ("217 sessions", "217", Kind.DURATION),
        ("fifteen analysts", "15", Kind.PLAIN),
        ("a Sharpe ratio of 0.54", "0.54", Kind.PLAIN),
        ("71,000원", "71000", Kind.MONEY),
        ("약 1조 2,345억 원", "1234500000000", Kind.MONEY),
        ("3만5천원", "35000", Kind.MONEY),
        ("2억 3천만 원", "230000000", Kind.MONEY),
        ("오천만 원", "50000000", Kind.MONEY),
        ("삼십오 퍼센트", "0.35", Kind.PERCENT),
        ("1.25% 상승", "0.0125", Kind.PERCENT),
        ("2.5%p", "0.025", Kind.PERCENT),
        ("100주를", "100", Kind.SHARES),
        ("3개월", "3", Kind.DURATION),
        ("2.3배", "2.3", Kind.TIMES),
        ("150달러", "150", Kind.MONEY),
    ],
)
def test_a_figure_has_a_value_and_a_kind(text: str, value: str, kind: Kind) -> None:
    (figure,) = figures(text)
    assert (figure.value, figure.kind) == (Decimal(value), kind)


@pytest.mark.parametrize(
    "text",
    [
        "on 2026-10-30, at 09:30", "October 30, 2026", "30 Oct 2026", "10/30/2026", "in 2025", "2019–2024", "Q3 2026",
        "FY2025", "1H26", "3Q25", "2026년 10월 30일", "3분기", "the 10-K, Item 7", "Form 4", "Note 12", "the S&P 500",
        "KOSPI 200", "Russell 2000", "its 200-day moving average", "52-week high", "52주 최고가", "RSI(14)", "20일 이동평균선",
        "1. first\n2) second", "- (1) first", "as said [s1] [2]", "005930.KS", "0001234567-24-000123", "the 3rd time",
        "https://example.com/12/345", "rule 10b5-1", "401(k)", "the 10-year Treasury", "A1 and B2", "v1.2.3", "제3조",
    ],
)  # fmt: skip
def test_dates_names_and_places_in_lists_are_no_figures(text: str) -> None:
    assert [figure.text for figure in figures(text)] == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("10–12 %", ["0.10", "0.12"]),
        ("$1–2 billion", ["1000000000", "2000000000"]),
        ("93.27–126.89 USD", ["93.27", "126.89"]),
        ("rose -3.5% and −2 %", ["-0.035", "-0.02"]),
        ("Dow 40,123.50, KOSPI 2,650.12", ["40123.50", "2650.12"]),
        ("a resistance level of 120 and 2,024 shares", ["120", "2024"]),
    ],
)
def test_each_figure_of_a_text_is_found(text: str, values: list[str]) -> None:
    assert [figure.value for figure in figures(text)] == [Decimal(value) for value in values]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("36.1 %", "0.3605", "0.3615"),
        ("$1.2 billion", "1150000000", "1250000000"),
        ("about 1,200", "1150", "1250"),
        ("1,200", "1199.5", "1200.5"),
        ("over $126", "125.5", "127"),
        ("nearly 130", "120", "130.5"),
        ("약 1,200원", "1150", "1250"),
        ("100달러 이상", "99.5", "200"),
    ],
)
def test_a_figure_stands_for_all_that_would_be_shown_as_it(text: str, low: str, high: str) -> None:
    (figure,) = figures(text)
    assert (figure.low, figure.high) == (Decimal(low), Decimal(high))


@given(
    st.text(st.characters(codec="utf-8"), max_size=200)
    | st.text("0123456789.,%-$ 만억원천\n|()[]kKmB년월", max_size=80)
)
def test_any_text_has_figures_in_order_and_within_it(text: str) -> None:
    found = figures(text)
    assert all(0 <= figure.start < figure.end <= len(text) for figure in found)
    assert all(one.end <= two.start for one, two in pairwise(found))


@given(st.decimals(min_value=0, max_value=10**12, places=2))
def test_an_amount_is_read_as_it_was_written(amount: Decimal) -> None:
    (figure,) = figures(f"It is {amount:,} USD.")
    assert figure.value == amount


def test_a_number_has_its_value_up_to_fifty_digits() -> None:
    (found,) = figures("1" * 50)
    (beyond,) = figures("1" * 51)
    assert (found.value.adjusted(), beyond.value) == (49, BEYOND)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("two hundred dollars", 200),
        ("three thousand dollars", 3_000),
        ("five million dollars", 5_000_000),
        ("two billion dollars", 2_000_000_000),
        ("one trillion dollars", 1_000_000_000_000),
    ],
)
def test_a_scale_that_is_written_as_a_word_counts(words: str, value: int) -> None:
    assert [found.value for found in figures(f"It earned {words}.")] == [value]
