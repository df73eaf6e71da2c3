"""Figures beside the name of a metric or an entity: the number has to be that one."""

from __future__ import annotations

import json

import pytest

from finclaw_cli.numbers.check import AnswerCheck, ToolAnswer

UNITS = {"total_return": "1 (fraction)", "volatility": "1 (fraction)", "depth": "1 (fraction)", "sharpe": "1"}


def performance(symbol: str, name: str, *numbers: float) -> dict[str, object]:
    total_return, volatility, sharpe, depth = numbers
    data = {
        "total_return": total_return, "volatility": volatility, "sharpe": sharpe, "max_drawdown": {"depth": depth}
    }  # fmt: skip
    return {"data": data, "instrument": {"symbol": symbol, "name": name}, "units": UNITS}


KESTREL = performance("KSTL", "Kestrel Robotics Inc.", 0.2359901, 0.2564941, 0.8874266, -0.182707)
NORVIA = performance("NRVA", "Norvia Energie SA", -0.0679317, 0.2112003, -0.2009361, -0.3149502)


def revenue(name: str, *values: int) -> dict[str, object]:
    rows = [{"value": str(value), "unit": "USD", "end": f"{2025 - n}-12-31"} for n, value in enumerate(values)]
    return {"data": {"name": name, "revenue": rows, "operating_income": [{"value": "158500000", "unit": "USD"}]}}


def statuses(answer: str, *results: object, given: str = "") -> list[str]:
    results_of_tools = [
        ToolAnswer(call_id=f"c{n}", tool="t", text=json.dumps(result)) for n, result in enumerate(results)
    ]
    return [one.status for one in AnswerCheck(answer, [given], results_of_tools).checked]


@pytest.mark.parametrize(
    "answer",
    [
        "Kestrel has a Sharpe ratio of 0.89.", "Kestrel: a drawdown of 18.3%.", "케스트렐(KSTL)의 샤프지수는 0.89입니다.",
        "| | Kestrel | Norvia |\n|---|---|---|\n| Volatility | 25.6% | 21.1% |", "Volatility is 25.6% for Kestrel.",
    ],
)  # fmt: skip
def test_a_number_of_the_metric_and_entity_beside_it_is_found(answer: str) -> None:
    assert set(statuses(answer, KESTREL, NORVIA)) == {"found"}


@pytest.mark.parametrize(
    "answer",
    [
        "Kestrel has a Sharpe ratio of 0.26.", "Kestrel's drawdown was 25.6%.", "KSTL의 샤프지수는 0.24입니다.",
        "Kestrel: volatility 18.3%.",
    ],
)  # fmt: skip
def test_a_number_of_another_metric_is_ungrounded(answer: str) -> None:
    assert statuses(answer, KESTREL) == ["ungrounded"]


def test_a_number_of_another_entity_is_ungrounded() -> None:
    assert statuses("Kestrel's volatility was 21.1%.", KESTREL, NORVIA) == ["ungrounded"]
    assert statuses("| | Kestrel |\n|---|---|\n| Volatility | 21.1% |", KESTREL, NORVIA) == ["ungrounded"]
    both = revenue("Microsoft Corp", 281_700_000_000), revenue("Snowflake Inc.", 3_626_000_000)
    assert statuses("Microsoft had revenue of $3.63 billion.", *both) == ["ungrounded"]
    assert statuses("Microsoft had revenue of $281.7 billion.", *both) == ["found"]


def test_a_whole_percentage_needs_its_name_where_many_numbers_are_in_play() -> None:
    many = [performance(f"S{n}X", f"Stock{n}", 0.05 * n + 0.11, 0.2 + 0.01 * n, 1.0, -0.03 * n) for n in range(1, 8)]
    assert statuses("It is 26%.", *many) == ["ungrounded"]
    assert statuses("S3X returned 26%.", *many) == ["found"]


def test_an_amount_that_the_answer_assumes_is_given() -> None:
    risk = {"data": {"var": -0.0257555}, "units": {"var": "1 (fraction)"}}
    assert statuses("On a $50,000 position the VaR is 2.6%.", risk) == ["given", "found"]
    assert statuses("It costs $50,000.", risk) == ["ungrounded"]
