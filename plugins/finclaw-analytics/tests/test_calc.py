from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, cast

import pytest
from answers import Answer
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_analytics.calc import calc
from finclaw_cli.sdk import ToolError

Ask = Callable[..., Answer]


def result(ask: Ask, expression: str, **variables: Any) -> str:
    return str(ask("calc", expression=expression, variables=variables).data["result"])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("0.1 + 0.2", "0.3"),
        ("1/3*3", "1"),
        ("-2**2", "-4"),
        ("2**-1", "0.5"),
        ("1_000_000 * 1.05", "1050000"),
        ("12345678901234567890.12345678901234567890 + 1", "12345678901234567891.1234567890123456789"),
        ("sqrt(2.25)", "1.5"),
        ("round(2.675, 2)", "2.68"),
        ("round(2.5)", "2"),
        ("round(1250, -2)", "1200"),
        ("max(1, 3, 2) - min(1, 3, 2)", "2"),
        ("sum(0.1, 0.2, 0.3) / 3", "0.2"),
        ("mean(1, 2, 6)", "3"),
        ("abs(-1.50)", "1.5"),
        ("change(80, 92)", "0.15"),
        ("1.1 ** 10", "2.5937424601"),
        ("ln(1)", "0"),
    ],
)
def test_exact_results(expression: str, expected: str, ask: Ask) -> None:
    answer = ask("calc", expression=expression)
    assert (answer.data["result"], answer.data["exact"]) == (expected, True)


def test_a_result_without_an_end_is_rounded_and_given_as_a_fraction(ask: Ask) -> None:
    answer = ask("calc", expression="1/3")
    assert answer.data == {
        "result": "0.3333333333333333333333333333333333",
        "exact": False,
        "percent": "33.33333333333333333333333333333333",
        "fraction": "1/3",
    }
    assert "34 significant" in answer.convention


def test_a_rate_is_also_given_in_percent_and_an_amount_is_not(ask: Ask) -> None:
    assert ask("calc", expression="0.0525").data["percent"] == "5.25"
    assert "percent" not in ask("calc", expression="1234.5").data


@pytest.mark.parametrize(
    ("expression", "fraction"),
    [
        ("1 / 7", "1/7"),
        ("999999999998 / 999999999999", "999999999998/999999999999"),
        ("1 / 1000000000001", None),
        ("1 / 1000000000000", None),
        ("-1000000000000 / 17", None),
        ("-999999999999 / 17", "-999999999999/17"),
        ("14 / 7", None),
        ("sqrt(2) / 7", None),
    ],
)
def test_a_fraction_of_less_than_13_digits_is_given_too(expression: str, fraction: str | None, ask: Ask) -> None:
    assert ask("calc", expression=expression).data.get("fraction") == fraction


@pytest.mark.parametrize(("expression", "percent"), [("10", "1000"), ("-10", "-1000"), ("10.01", None)])
def test_a_number_up_to_10_is_given_in_percent_too(expression: str, percent: str | None, ask: Ask) -> None:
    assert ask("calc", expression=expression).data.get("percent") == percent


def test_functions_without_exact_values_agree_with_decimal(ask: Ask) -> None:
    wide = Context(prec=34)
    assert result(ask, "ln(2)") == str(wide.ln(Decimal(2)))
    assert result(ask, "exp(0.5)") == str(wide.exp(Decimal("0.5")))
    assert result(ask, "sqrt(2)") == str(wide.sqrt(Decimal(2)))
    assert ask("calc", expression="2 ** 0.5").data["exact"] is False


def test_a_long_compounding_stays_right_to_the_last_digit(ask: Ask) -> None:
    with_decimal = Context(prec=34).power(Decimal("1.0041666667"), 360)
    assert result(ask, "1.0041666667 ** 360") == str(with_decimal)


def test_variables(ask: Ask) -> None:
    assert result(ask, "(new - old) / old", old="80", new=92) == "0.15"


@pytest.mark.parametrize("name", ["sqrt", "__class__.x", "a b", "1a", "x" * 33, ""])
def test_names_that_cannot_be_variables_are_refused(name: str, ask: Ask) -> None:
    assert ask("calc", expression="1", variables={name: 1}).code == "BAD_INPUT"


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9",
        "9**9**9**9",
        "2**1e9",
        "0.5**1e9",
        "1e300*1e300",
        "1e999",
        "exp(1000)",
        "exp(-1000)",
        "(" * 100_000 + "1" + ")" * 100_000,
        "(" * 90 + "1" + ")" * 90,
        "-" * 1_900 + "1",
        "+".join(["1"] * 900),
        "9" * 101,
        "__import__('os').system('true')",
        "().__class__.__bases__",
        "x.real",
        "[1, 2][0]",
        "'a' * 10",
        "lambda: 1",
        "1 if 2 else 3",
        "1 < 2",
        "True",
        "None",
        "a := 1",
        "sqrt",
        "sqrt + 1",
        "unknown + 1",
        "unknown(1)",
        "max()",
        "mean()",
        "sqrt(1, 2)",
        "sqrt(-1)",
        "ln(0)",
        "(-8) ** (1/3)",
        "0 ** 0",
        "0 ** -1",
        "1 / 0",
        "1 // 2",
        "7 % 3",
        "5%",
        "2 ^ 3",
        "1,000",
        "0x10",
        "1j",
        "1__0",
        "",
        "   ",
        "1 2",
        "round(1, 0.5)",
        "round(1, 1000)",
        "$5",
        "１＋１",
        "*args",
        "max(*x)",
    ],
    ids=lambda text: f"{text[:20]} {len(text)}",
)
def test_whatever_is_not_plain_bounded_arithmetic_is_refused(expression: str, ask: Ask) -> None:
    assert ask("calc", expression=expression).code == "BAD_INPUT"


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("7//2", "an operator in it is not read: only numbers, names, + - * / **"),
        ("nan", "'nan' has no value: give it in variables"),
        ("1,000", "write 1000, not 1,000"),
        ("mean()", "mean() needs at least one number"),
        ("min()", "min() needs at least one number"),
        ("change(1)", "change() does not take 1 numbers"),
        ("power(2, 3)", "'power' is not a function here; there are abs, change"),
        ("2(3)", "multiply with *"),
        ("sqrt + 1", "sqrt is a function and needs its numbers in parentheses"),
        ("1 if 2 else 3", "it is not plain arithmetic"),
        ("max(*x)", "without names or stars"),
        ("round(1, places=2)", "only numbers, names, + - * / ** ( ) and commas are read"),
    ],
)
def test_a_refusal_says_in_plain_words_what_is_wrong(expression: str, said: str, ask: Ask) -> None:
    answer = ask("calc", expression=expression)
    assert answer.code == "BAD_INPUT"
    assert said in answer.text


@pytest.mark.parametrize("value", ["1e400", "9" * 101, "1e-400"])
def test_variables_beyond_the_bounds_are_refused(value: str, ask: Ask) -> None:
    assert ask("calc", expression="x", variables={"x": value}).failed


NUMBERS = st.decimals(min_value=-(10**12), max_value=10**12, places=6, allow_nan=False)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_sums_and_products_are_those_of_exact_decimals(one: Decimal, two: Decimal, three: Decimal) -> None:
    found = calc("a * b - c", variables={"a": one, "b": two, "c": three})
    exact = Context(prec=80)
    text = cast("dict[str, str]", found.data)["result"]
    assert Decimal(text) == exact.subtract(exact.multiply(one, two), three)


@given(NUMBERS, NUMBERS.filter(lambda number: number != 0))
def test_quotients_are_right_to_34_digits(one: Decimal, two: Decimal) -> None:
    text = cast("dict[str, str]", calc("a / b", variables={"a": one, "b": two}).data)["result"]
    error = abs(Fraction(text) - Fraction(one) / Fraction(two))
    assert error <= abs(Fraction(one) / Fraction(two)) / 10**33


def test_very_long_fractions_are_written_rounded(ask: Ask) -> None:
    assert result(ask, "*".join(["1.0000001**99"] * 50)) == str(Context(prec=34).power(Decimal("1.0000001"), 4950))


def combined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    calls = st.tuples(st.sampled_from(["sqrt", "ln", "exp", "abs", "round", "mean", "change"]), parts, parts)
    pairs = st.tuples(parts, st.sampled_from(["+", "-", "*", "/", "**"]), parts)
    return pairs.map(lambda given: "({}{}{})".format(*given)) | calls.map(lambda given: "{}({},{})".format(*given))


EXPRESSIONS = st.recursive(st.sampled_from(["1", "0", "9.99", "1e299", "1e-299", "-3", "123456.789", "x"]), combined)


@settings(max_examples=200)
@given(EXPRESSIONS)
def test_every_expression_has_a_number_or_a_reason(expression: str) -> None:
    try:
        found = calc(expression, variables={"x": Decimal("1.0000001")}).to_json()
    except ToolError as error:
        assert str(error).startswith("BAD_INPUT")  # noqa: PT017 - a result is as good
    else:
        assert Decimal(cast("dict[str, str]", found["data"])["result"]).is_finite()


@given(st.text(max_size=60))
def test_no_text_crashes_it(text: str) -> None:
    try:
        calc(text)
    except ToolError as error:
        assert str(error).startswith("BAD_INPUT")  # noqa: PT017 - a result is as good
