"""True answers and altered copies of them, over real results of finclaw's own tools."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.numbers.check import AnswerCheck, ToolAnswer

FOLDER = Path(__file__).parent / "traced"
# Figures that were changed, and figures that were replaced by another one of the answer.
CHANGED, REPLACED = ("digit", "swap"), "other"
# What is computed, as a ratio or a sum, needs a derivation.
MOST_UNGROUNDED = 0.33


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").split("\n") if line]


@cache
def results_of(name: str) -> dict[str, ToolAnswer]:
    return {
        one["name"]: ToolAnswer(
            call_id=one["name"], tool=one["tool"], text=json.dumps(one["result"], ensure_ascii=False)
        )
        for one in lines(f"{name}_results.jsonl")
    }


def check(name: str, case: dict[str, Any], answer: str) -> AnswerCheck:
    return AnswerCheck(answer, [case["question"]], [results_of(name)[one] for one in case["results"]])


def altered_ones(name: str, kinds: Collection[str]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Every second answer with its altered copies of some kinds: the others show nothing else."""
    for case in lines(f"{name}_answers.jsonl")[::2]:
        yield from ((case, altered) for altered in case["altered"] if altered["kind"] in kinds)


def caught(name: str) -> tuple[Counter[str], Counter[str]]:
    """How many altered figures of each kind are flagged, and how many there are."""
    flagged, all_of_them = Counter[str](), Counter[str]()
    for case, altered in altered_ones(name, CHANGED):
        start, end = altered["at"]
        found = [one.figure for one in check(name, case, altered["answer"]).checked if one.status == "ungrounded"]
        flagged[altered["kind"]] += any(figure.start < end and start < figure.end for figure in found)
        all_of_them[altered["kind"]] += 1
    return flagged, all_of_them


NAMES = ("first", "second", "third")


@pytest.mark.parametrize("name", NAMES)
def test_changed_figures_are_flagged_by_rules_alone(name: str) -> None:
    flagged, all_of_them = caught(name)
    assert sum(flagged[kind] for kind in CHANGED) == sum(all_of_them[kind] for kind in CHANGED)


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_in_the_place_of_another_one_needs_a_derivation(name: str) -> None:
    asked, all_of_them = 0, 0
    for case, altered in altered_ones(name, {REPLACED}):
        start, end = altered["at"]
        unproved = check(name, case, altered["answer"]).unproved.values()
        asked += any(figure.start < end and start < figure.end for figure in unproved)
        all_of_them += 1
    assert asked >= 0.98 * all_of_them


@pytest.mark.parametrize("name", NAMES)
def test_most_figures_of_true_answers_need_no_derivation(name: str) -> None:
    checks = [check(name, case, case["answer"]) for case in lines(f"{name}_answers.jsonl")]
    ungrounded = sum(one.status == "ungrounded" for one in chain.from_iterable(each.checked for each in checks))
    assert ungrounded <= MOST_UNGROUNDED * sum(len(each.checked) for each in checks)
