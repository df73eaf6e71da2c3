"""A gain is not a loss, and a scale that stands in one place holds for all."""

from __future__ import annotations

import json

import pytest

from finclaw_cli.numbers.check import AnswerCheck, ToolAnswer
from finclaw_cli.numbers.scales import multiple

POSITION = {"unrealised": "217.50", "change_fraction": -0.12, "loss": 0.03}


def status(answer: str, result: object) -> str:
    (one,) = AnswerCheck(
        answer, [], [ToolAnswer(call_id="c", tool="t", text=json.dumps(result, ensure_ascii=False))]
    ).checked
    return one.status


@pytest.mark.parametrize(
    "answer", ["a gain of $217.50", "217.50달러 이익", "it fell by 12 %", "a loss of 3 %", "it lost 3 %"]
)
def test_what_is_called_as_it_is_has_a_source(answer: str) -> None:
    assert status(answer, POSITION) == "found"


@pytest.mark.parametrize("answer", ["a loss of $217.50", "217.50달러 손실", "it rose by 12 %", "12 % 상승"])
def test_a_gain_that_is_called_a_loss_has_none(answer: str) -> None:
    assert status(answer, POSITION) == "ungrounded"


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ("Revenue was $1.36 billion", {"scale": "thousands", "currency": "USD", "revenue": 1357510}),
        ("매출은 6,123억 원", {"unit": "백만원", "segments": [{"sales": 612345}]}),
        ("수출은 398.2억 달러", {"unit": "million USD", "total": 39820}),
        ("(억 원)\n| 매출 |\n|---|\n| 6,123 |", {"unit": "백만원", "sales": 612345}),
        ("순매수는 2,467억 원", {"data": {"foreign": 2467}, "units": {"foreign": "억원"}}),
    ],
)
def test_a_scale_that_stands_in_one_place_holds_for_all_amounts(answer: str, result: object) -> None:
    assert status(answer, result) == "found"


def test_an_amount_without_its_scale_has_no_source() -> None:
    assert (
        status("Revenue was $1.36 million", {"scale": "thousands", "currency": "USD", "revenue": 1357510})
        == "ungrounded"
    )


@pytest.mark.parametrize(
    ("unit", "value"),
    [("USD", 1), ("USD million", 10**6), ("thousand persons", 1000), ("백만원", 10**6), ("억원", 10**8), ("조 원", 10**12), ("KRW bn", 10**9), ("원", 1), ("shares", 1)],
)  # fmt: skip
def test_a_unit_says_its_multiple(unit: str, value: int) -> None:
    assert multiple(unit) == value


@pytest.mark.parametrize("answer", ["alpha was -0.0 %", "alpha was -0.03 %"])
def test_a_loss_that_is_rounded_to_zero_has_its_source(answer: str) -> None:
    assert status(answer, {"alpha": -0.0003}) == "found"


@pytest.mark.parametrize("answer", ["alpha was +0.03 %", "alpha was -0.3 %"])
def test_a_sign_or_a_size_that_differs_has_none(answer: str) -> None:
    assert status(answer, {"alpha": -0.0003}) == "ungrounded"
