"""Derivations are parsed within limits and computed exactly, and whatever else is given has no value."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.numbers.derivation import Derivations
from finclaw_cli.numbers.evaluate import Operands, evaluate
from finclaw_cli.numbers.expression import NoDerivation, Path, parse
from finclaw_cli.numbers.lookup import Lookup
from finclaw_cli.numbers.scan import figures

ROWS = {
    "data": {
        "columns": ["date", "category", "amount"],
        "rows": [
            ["2026-01-05", "Food", "-12.50"], ["2026-01-09", "Rent", "-800"], ["2026-02-03", "Food", "-7.25"],
            ["2026-02-11", "Pay", "2400"],
        ],
        "total": {"Net income": 1580.25, "매출": "3"},
        "years": {"2025": 7, "2024": 5},
        "accounts": [{"owner": {"name": "Kim"}, "balance": 9}, {"owner": {"name": "Lee"}, "balance": 8}],
    },
}  # fmt: skip


def value(text: str, result: object = ROWS) -> Decimal:
    lookup = Lookup(json.dumps(result, ensure_ascii=False))

    def read(path: Path) -> list[Decimal | str]:
        return [found.raw for found in lookup.at(path.steps)]

    return evaluate(parse(text), Operands(read, lambda path, quote: Decimal(0), lambda text: text in lookup.text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r1.data.rows[0].amount", "-12.50"), ("r1.rows[-1].amount", "2400"), ("r1.data.rows.3.amount", "2400"),
        ("sum(r1.data.rows[*].amount)", "1580.25"), ('sum(r1.data.rows[category="Food"].amount)', "-19.75"),
        ('r1.data.rows[category="Rent"].amount', "-800"), ("count(r1.data.rows[amount<0])", "3"),
        ('-sum(r1.rows[category="Food"][date>="2026-02-01"].amount)', "7.25"), ("count(r1.data.rows)", "4"),
        ("max(r1.data.rows[*].amount)", "2400"), ("min(r1.data.rows[1:3].amount)", "-800"),
        ("mean(r1.data.rows[:2].amount)", "-406.25"), ('r1.data.total["Net income"] / 100', "15.8025"),
        ("r1.data.total.매출 ** 2 - 1", "8"), ("sqrt(r1.data.total.매출 * 12)", "6"), ("2 ** 3 ** 2 * 1", "512"),
        ("abs(-(r1.rows[0].amount))", "12.50"),
        ("sum(r1.rows[category='Food'].amount)", "-19.75"), ("avg(r1.rows[:2].amount)", "-406.25"), ("1e6 × 2", "2000000"),
        ("r1.data.years.2025 - r1.data.years['2024']", "2"), ("len(r1.data.rows[*])", "4"),
        ("r1.data.accounts[owner.name='Kim'].balance", "9"), ("days(r1.rows[0].date, r1.rows[1].date)", "4"),
        ('days(r1.rows[0].date, "2026-02-03")', "29"), ("sum(r1.rows[*].amount * r1.rows[*].amount)", "6400208.8125"),
        ("sum(abs(r1.rows[0:2].amount))", "812.50"),
    ],
)  # fmt: skip
def test_a_derivation_has_its_value(text: str, expected: str) -> None:
    assert value(text) == Decimal(expected)


def test_rows_of_csv_have_the_names_of_the_first_line() -> None:
    table = (
        'date,payee,amount\n2026-10-03,GREENLEAF,-84.12\n2026-10-05,"METRO, INC",-96.00\n2026-10-28,GREENLEAF,-71.35\n'
    )
    derivations = Derivations([table], [], "")
    for figure in figures("It came to $155.47."):
        assert derivations.of(figure, "-sum(r1.rows[payee='GREENLEAF'].amount)") is not None
        assert derivations.of(figure, "-sum(r1.rows[*].amount)") is None


@pytest.mark.parametrize(
    ("quote", "is_there"),
    [("34.9%", True), ("60 basis points", True), ("4.9%", False), ("214.6", True), ("$214.6 million", True), ("14.6", False),
     ("864.0", False), ("2,864", False), ("no number", False), ("41 stores and closed 12", False)],
)  # fmt: skip
def test_a_quoted_number_counts_where_it_is_written_so(quote: str, is_there: bool) -> None:
    text = (
        "Sales rose $214.6 million to $2,864.0 million. Margin fell 60 basis points to 34.9%; 41 stores and closed 12."
    )
    number = (figures(quote) or figures("1"))[0]
    found = Derivations([text], [], "").of(number, f"text(r1, '{quote}')")
    assert (found is not None) == is_there


@pytest.mark.parametrize(
    "text",
    [
        "", "r1", "r1.", "r1.data.none", "r1.rows[9].amount", "r1.rows[*].amount", "r1.data.rows[0].category + 1", "1 +",
        "17 * r1.rows[0].amount", "r1.rows[0].amount / 0", "1 / (r1.rows[0].amount - r1.rows[0].amount)", "sqrt(-4)",
        "r1.rows[3].amount ** 365", "10 ** 10 ** 10", "(-2) ** 0.1", "days(r1.rows[0].date, \"2020-01-01\")", "abs(1, 2)",
        "days(r1.rows[0].category, r1.rows[1].date)", "r1.rows[0:2].amount - r1.rows[0:3].amount", "exec(1)", "r1.rows()",
        "__import__(\"os\")", "r1.data.__class__", "lambda: 1", "1 if 1 else 2", "1" * 400, "+".join("1" * 14), "(" * 200,
        "-" * 300 + "1", "1;2", "r1.rows[amount<]", "r0.data", "r1 r1", "r1" + ".a" * 17, "text(r1, 5)", "1_000", "0x1F",
    ],
)  # fmt: skip
def test_what_has_no_value_is_refused(text: str) -> None:
    with pytest.raises(NoDerivation):
        value(text)


NUMBERS = st.sampled_from([1, 2, 7, 12, 100, 365]).map(lambda number: (str(number), Fraction(number)))
AMOUNTS = st.decimals(-(10**9), 10**9, places=4)


def grown(inner: st.SearchStrategy[tuple[str, Fraction]]) -> st.SearchStrategy[tuple[str, Fraction]]:
    def combined(operator: str, one: tuple[str, Fraction], two: tuple[str, Fraction]) -> tuple[str, Fraction]:
        made = {"+": one[1] + two[1], "-": one[1] - two[1], "*": one[1] * two[1]}
        quotient = one[1] / two[1] if two[1] else Fraction(0)
        return f"({one[0]} {operator if two[1] or operator != '/' else '*'} {two[0]})", made.get(operator, quotient)

    return st.builds(combined, st.sampled_from("+-*/"), inner, inner)


@given(st.recursive(NUMBERS, grown, max_leaves=6), AMOUNTS)
def test_arithmetic_is_that_of_fractions(made: tuple[str, Fraction], amount: Decimal) -> None:
    text, exact = made
    computed = Fraction(value(f"{text} + r1.amount", {"amount": str(amount)}))
    assert abs(computed - exact - Fraction(amount)) <= Fraction(1, 10**30) * max(1, abs(exact))


@given(st.text(alphabet="r1q.[]()*/+-<>=\"', datrowsum0129%", max_size=60) | st.text(max_size=40))
def test_any_text_has_a_value_or_none(text: str) -> None:
    figure = figures("It is 12 %.")[0]
    assert Derivations([json.dumps(ROWS)], [], "").of(figure, text) is None or "r1" in text
