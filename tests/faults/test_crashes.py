"""Nothing is lost and nothing runs twice, wherever a run is cut off and however: and it goes on afterwards."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from finclaw_cli.tools.resumed_calls import GIVEN_UP
from tests.faults.points import Fault, faults
from tests.faults.trials import Bench, Ended, script

TURNS = (
    {"text": "I look and pay.", "delta_chars": 8, "tool_calls": [
        {"name": "look", "input": {}}, {"name": "pay", "input": {"amount": 5}},
    ]},
    {"text": "", "tool_calls": [{"name": "order", "input": {"symbol": "ACME"}}]},
    {"text": "It is done."},
)  # fmt: skip
COMMON = ("-o", "ndjson", "--session", "talk", "--approve", "pay", "--approve", "order")
TRIALS = int(os.environ.get("FINCLAW_FAULT_TRIALS", "16"))
NEEDS_HUMAN = 8
PARTS = 4  # so that several processes share the work


@pytest.fixture(scope="session")
def trusting(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench.trusting(tmp_path_factory.mktemp("trusting"))


def asked(bench: Bench, fault: Fault | None = None) -> Ended:
    return bench.run("run", *COMMON, "-m", script(bench.home, *TURNS), "Go.", fault=fault)


def taken_up(bench: Bench, fault: Fault | None = None) -> Ended:
    """The session goes on: with its question, or, where not even that was kept, from the beginning."""
    if not bench.recorded("message"):
        return asked(bench, fault)
    return bench.run("run", *COMMON, "-m", script(bench.home, *TURNS), "--resume", fault=fault)


def has_ended(ended: Ended) -> bool:
    return ended.code in {0, NEEDS_HUMAN} or b"nothing_to_resume" in ended.stdout


def every_fault(bench: Bench) -> list[Fault]:
    assert asked(bench).code == 0
    return faults(bench.boundaries())


def check(bench: Bench, ends: list[Ended], trial: object) -> None:
    """What must be true of any run that was cut off and taken up until it had ended."""
    paid, ordered = bench.marks("paid"), bench.marks("ordered")
    intents = {record["key"] for record in bench.recorded("tool_intent")}
    outcomes = {record["key"] for record in bench.recorded("tool_outcome")}
    # An order that was found not to have run, in a run that was cut off before it made it: the model is told so.
    given_up = any(record["content"] == GIVEN_UP for record in bench.recorded("tool_outcome"))
    assert len(paid) <= 1, trial
    assert len(ordered) == 1 or (not ordered and given_up), trial
    assert {*paid, *ordered} <= intents, trial
    unknown = len(intents - outcomes)
    told = [end.lines[-1]["unknown"] for end in ends if end.code == NEEDS_HUMAN]
    assert told == [["pay"]] * unknown, trial
    assert unknown <= 1, trial
    assert len(paid) == 1 or unknown, trial
    assert not bench.damage(), trial
    assert bench.recorded("agent.result")[-1]["text"] == "It is done.", trial
    spent = bench.spent()
    assert bench.run("cost", "rebuild").code == 0, trial
    assert bench.spent() == spent, trial


def cut_off(bench: Bench, trial: tuple[Fault, ...]) -> list[Ended]:
    """Run until there is an answer; each fault hits one run, the first one first."""
    due = list(trial)
    ends = [asked(bench, due.pop(0))]
    while not has_ended(ends[-1]):
        assert len(ends) < len(trial) + 2, (trial, ends[-1])
        ends.append(taken_up(bench, due.pop(0) if due else None))
    return ends


@pytest.mark.parametrize("part", range(PARTS))
def test_wherever_a_run_is_cut_off_nothing_is_lost_and_nothing_runs_twice(trusting: Bench, tmp_path: Path, part: int):
    trials = chosen(every_fault(trusting.fresh(tmp_path / "whole")))
    for number, trial in enumerate(trials[part::PARTS]):
        bench = trusting.fresh(tmp_path / str(number))
        check(bench, cut_off(bench, trial), trial)


def chosen(all_faults: list[Fault]) -> list[tuple[Fault, ...]]:
    """Each fault alone, in an order of chance; then two, of which the second hits the run that takes up."""
    chance = random.Random(4)
    alone = [(fault,) for fault in chance.sample(all_faults, len(all_faults))]
    return [*alone, *((chance.choice(all_faults), chance.choice(all_faults)) for _ in range(TRIALS))][:TRIALS]


def test_a_run_that_was_cut_off_is_replayed_with_its_taking_up(trusting: Bench, tmp_path: Path):
    bench = trusting.fresh(tmp_path / "cut")
    cut_off(bench, (Fault(30, "killed after"),))
    replayed = bench.run("replay", "-o", "ndjson", "talk")
    assert replayed.code == 0
    assert replayed.stdout.count(b'"agent.result"') == 1
    assert replayed.stdout.count(b'"agent.start"') == 2
