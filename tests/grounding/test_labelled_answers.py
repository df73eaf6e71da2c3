"""Answers whose invented numbers are known, English and Korean, written by people who had not seen the checker.

`dev` was there while the rules were made; the others came later and were measured before anything was changed for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.numbers.check import AnswerCheck, Checked, ToolAnswer

FOLDER = Path(__file__).parent
# What is computed, as a ratio or a sum, needs a derivation.
MOST_UNGROUNDED = 0.2


@cache
def labelled(name: str) -> list[dict[str, Any]]:
    texts = [path.read_text("utf-8") for path in sorted(FOLDER.glob(f"{name}_*.jsonl"))]
    return [json.loads(line) for text in texts for line in text.split("\n") if line]


def checked(case: dict[str, Any]) -> list[Checked]:
    if "checked" not in case:
        case["checked"] = AnswerCheck(case["answer"], [case["question"]], told_by_tools(case)).checked
    return case["checked"]  # type: ignore[no-any-return]


def told_by_tools(case: dict[str, Any]) -> list[ToolAnswer]:
    return [
        ToolAnswer(
            call_id=f"c{number}",
            tool=given["tool"],
            text=given["result"]
            if isinstance(given["result"], str)
            else json.dumps(given["result"], ensure_ascii=False),
        )
        for number, given in enumerate(case["results"])
    ]


def places(case: dict[str, Any]) -> list[tuple[int, int]]:
    """Where the invented numbers stand."""
    starts = [(case["answer"].index(text), text) for text in case["invented"]]
    return [(start, start + len(text)) for start, text in starts]


def within(one: Checked, place: tuple[int, int]) -> bool:
    return place[0] < one.figure.end and one.figure.start < place[1]


def unflagged(case: dict[str, Any]) -> Iterator[str]:
    flagged = [one for one in checked(case) if one.status == "ungrounded"]
    for place, text in zip(places(case), case["invented"], strict=True):
        if not any(within(one, place) for one in flagged):
            yield f"{case['id']}: {text}"


@pytest.mark.parametrize("name", ["dev", "held", "final"])
def test_every_invented_number_is_flagged(name: str) -> None:
    assert [missed for case in labelled(name) for missed in unflagged(case)] == []


@pytest.mark.parametrize("name", ["dev", "held", "final"])
def test_most_true_numbers_need_no_derivation(name: str) -> None:
    true = [
        one.status
        for case in labelled(name)
        for one in checked(case)
        if not any(within(one, place) for place in places(case))
    ]
    assert true.count("ungrounded") <= MOST_UNGROUNDED * len(true)


def test_there_are_enough_answers_in_both_languages() -> None:
    cases = [case for name in ("dev", "held", "final") for case in labelled(name)]
    korean = sum(any("가" <= sign <= "힣" for sign in case["answer"]) for case in cases)
    assert len(cases) >= 250
    assert 0.4 < korean / len(cases) < 0.65
