"""A figure is derived where the derivation that a model gives has its value, at the precision and with the unit shown."""

from __future__ import annotations

import json

import pytest

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.numbers.check import AnswerCheck, Checked, ToolAnswer

ACME = {
    "data": {"return": 0.3036, "first": "93.27", "last": "112.26", "margin_pct": 8.99, "sharpe": 0.83, "n": 217},
    "units": {"return": "1 (fraction)", "first": "USD/share", "last": "USD/share"},
    "instrument": {"symbol": "ACME"},
}
GLOBEX = {
    "data": {"return": -0.0684, "revenue": [{"value": "4986.5"}, {"value": "4512.0"}], "won": "5000", "rate": "1335.3"},
    "units": {"return": "1 (fraction)", "value": "USD million", "won": "KRW", "rate": "KRW per USD"},
    "instrument": {"symbol": "GLOBEX"},
}


def checked(answer: str, expression: str, given: str = "I have 1,200 shares.") -> Checked:
    """The last figure of an answer, of which the expression is given as the source."""
    results = [
        ToolAnswer(call_id=f"c{n}", tool="performance", text=json.dumps(one)) for n, one in enumerate((ACME, GLOBEX))
    ]
    check = AnswerCheck(answer, [given], results)
    asked: list[JsonObject] = [{"figure": number, "expression": expression} for number in check.unproved]
    return check.with_reply(json.dumps({"sources": asked}))[-1]


@pytest.mark.parametrize(
    ("answer", "expression"),
    [
        ("It is ahead by 37.2 points.", "r1.data.return - r2.data.return"),
        ("It is ahead by 37.2 percentage points.", "r1.data.return - r2.data.return"),
        ("37.2%p 높습니다.", "r1.data.return - r2.data.return"),
        ("It rose 20%.", "r1.last / r1.first - 1"), ("It fell 17%.", "r1.first / r1.last - 1"),
        ("That is 20.4 %.", "(r1.last / r1.first - 1) * 100"), ("It is 18.99 USD more.", "r1.last - r1.first"),
        ("Your shares are worth $134,712.", "q1 * r1.last"), ("주식은 134,712달러입니다.", "q1 * r1.last"),
        ("Sales rose by $474.5 million.", "r2.data.revenue[0].value - r2.data.revenue[1].value"),
        ("Sales rose by $474.5 million.", "(r2.revenue[0].value - r2.revenue[1].value) * 1000000"),
        ("The margin would be 18.0 %.", "r1.margin_pct * 2"), ("The margin would be 18.0 %.", "r1.margin_pct / 100 * 2"),
        ("That is $3.74.", "r2.won / r2.rate"), ("It is 1.2x of it.", "r1.last / r1.first"),
        ("It has 2.7 values.", "r1.n / 10 ** 2 + 6 / 10 - 1 / 10"),
    ],
)  # fmt: skip
def test_a_figure_with_a_derivation_of_its_value_is_derived(answer: str, expression: str) -> None:
    found = checked(answer, expression)
    assert (found.status, found.how, found.expression) == ("derived", "expression", expression)


@pytest.mark.parametrize(
    "answer", ["If rates rise 50 bps, it falls.", "주가가 1,000원 오르면 내립니다.", "For $15,000 it is so."]
)
def test_a_round_figure_that_is_supposed_needs_no_source(answer: str) -> None:
    assert checked(answer, "assumed").status == "given"


@pytest.mark.parametrize("answer", ["If rates rise 51.5 bps, it falls.", "주가가 1,234원 오르면 내립니다."])
def test_a_figure_of_more_digits_cannot_be_supposed(answer: str) -> None:
    assert checked(answer, "assumed").status == "ungrounded"


def test_a_count_may_be_rounded_up_or_down_where_that_is_meant() -> None:
    assert checked("It takes 3 months.", "ceil(r1.n / 100)").status == "derived"
    assert checked("It takes 21 months.", "floor(r1.n / 10)").status == "derived"


@pytest.mark.parametrize(
    ("answer", "expression"),
    [
        ("It is ahead by 37.3 points.", "r1.data.return - r2.data.return"), ("It is ahead by 27 USD.", "r1.none"),
        ("It gained 17%.", "r1.first / r1.last - 1"), ("It is at -20.4%.", "r1.last / r1.first - 1"),
        ("It is 3,036 %.", "r1.data.return"), ("It is 18.99 KRW more.", "r1.last - r1.first"),
        ("It is 12.", "12"), ("It is 1.2 billion.", "1200000000"), ("It is 4.", "not one"), ("It is 24.", "12 * 2"),
        ("The Sharpe ratio is 217.", "r1.data.n"), ("It returned 8.99 KRW.", "r1.last"), ("It is 0.86.", ""),
    ],
)  # fmt: skip
def test_a_figure_without_one_is_ungrounded(answer: str, expression: str) -> None:
    assert checked(answer, expression).status == "ungrounded"


def test_the_paths_of_several_calls_begin_with_them() -> None:
    found = checked("It is ahead by 37.2 points.", "r1.data.return - r2.data.return")
    assert (found.call_id, found.paths) == ("c1", ("c0:data.return", "c1:data.return"))
    assert checked("It is 18.99 USD more.", "r1.last - r1.first").paths == ("data.last", "data.first")


def test_a_figure_in_the_place_of_another_one_needs_a_derivation() -> None:
    answer = "It went from 112.26 USD to 112.26 USD."
    results = [ToolAnswer(call_id="c", tool="t", text=json.dumps(ACME))]
    check = AnswerCheck(answer, [], results)
    reply = {"sources": [{"figure": 1, "expression": "r1.first"}, {"figure": 2, "expression": "r1.last"}]}
    assert [one.status for one in check.with_reply(json.dumps(reply))] == ["ungrounded", "found"]
    assert [one.status for one in check.with_reply("")] == ["found", "found"]


def test_an_amount_that_the_answer_assumes_twice_needs_none() -> None:
    results = [ToolAnswer(call_id="c", tool="t", text=json.dumps(ACME))]
    assert not AnswerCheck("On a $50,000 position; with a $50,000 position.", [], results).unproved


@pytest.mark.parametrize(
    "reply",
    ["", "no", "{", "[]", '{"sources": 1}', '{"sources": [1, {}, {"figure": "1", "expression": "r1.n"}]}', "{" * 10_000,
     '{"sources": [{"figure": 1, "expression": 7}]}', '{"sources": [{"figure": true, "expression": "r1.n"}]}'],
)  # fmt: skip
def test_a_reply_of_another_form_gives_no_source(reply: str) -> None:
    check = AnswerCheck("It is 999 USD.", [], [ToolAnswer(call_id="c", tool="t", text=json.dumps(ACME))])
    assert [one.status for one in check.with_reply(reply)] == ["ungrounded"]


def test_the_question_names_the_figures_the_results_and_the_figures_of_the_user() -> None:
    results = [ToolAnswer(call_id="c", tool="performance", input={"symbol": "ACME"}, text=json.dumps(ACME))]
    table = "| name | gain |\n|---|---|\n| ACME | 18.99 USD |"
    question = AnswerCheck(f"First. It is 77 USD up. Last.\n\n{table}", ["I have 1,200 shares."], results).question()
    assert 'r1: performance {"symbol":"ACME"}' in question
    assert "q1 = 1200" in question
    assert "1. 77 USD in: It is [[77 USD]] up." in question
    assert "2. 18.99 USD in: | name | gain | | ACME | [[18.99 USD]] |" in question
