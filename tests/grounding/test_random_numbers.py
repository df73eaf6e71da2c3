"""Numbers drawn at random pass as true in at most one case of twenty, whatever their class and the count of results."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from finclaw_cli.numbers.check import AnswerCheck
from tests.grounding.test_altered_answers import results_of

DRAWN, MOST = 60, 0.05
SENTENCES = ("The figure is {}.", "OSPR: {}.", "수치는 {}입니다.")
CLASSES: dict[str, Callable[[random.Random], str]] = {
    "whole percent": lambda drawn: f"{drawn.randint(1, 99)}%",
    "percent with one decimal": lambda drawn: f"{drawn.uniform(0.5, 99):.1f}%",
    "percent with two decimals": lambda drawn: f"{drawn.uniform(0.5, 99):.2f}%",
    "money": lambda drawn: f"${drawn.uniform(10, 5_000):,.2f}",
    "whole money": lambda drawn: f"${int(10 ** drawn.uniform(2, 5)):,}",
    "millions": lambda drawn: f"${drawn.uniform(1, 900):.1f} million",
    "count": lambda drawn: f"{drawn.randint(13, 1_800)} sessions",
    "ratio": lambda drawn: f"{drawn.uniform(0.2, 9):.2f}x",
    "ratio with one decimal": lambda drawn: f"{drawn.uniform(1, 40):.1f}x",
    "plain number": lambda drawn: f"{drawn.uniform(0.1, 4):.2f}",
}
RUNS = {
    1: ["perfall OSPR"],
    5: ["perfall OSPR", "perfall VLTA", "perf HANBIT", "month OSPR", "risk OSPR"],
    10: [
        "perf OSPR", "perf BRYN", "perf VLTA", "perf ACME", "perf GLOBEX", "month OSPR", "fin HZLW", "fin QRRY",
        "spend cat", "loan a",
    ],
}  # fmt: skip


@pytest.mark.parametrize("results", RUNS)
@pytest.mark.parametrize("name", CLASSES)
def test_random_numbers_are_ungrounded(name: str, results: int) -> None:
    drawn = random.Random(f"{name} {results}")
    texts = [SENTENCES[at % len(SENTENCES)].format(CLASSES[name](drawn)) for at in range(DRAWN)]
    known = [results_of("second")[one] for one in RUNS[results]]
    checked = [one for text in texts for one in AnswerCheck(text, [], known).checked]
    assert len(checked) == DRAWN
    passed = [(one.figure.text, one.how, one.paths) for one in checked if one.status != "ungrounded"]
    assert len(passed) <= MOST * DRAWN, passed
