"""An order is filled once at most, never without an intent, and never lost, wherever a run dies and however a broker fails."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from tests.faults.broker import MANNERS, Broker
from tests.faults.broking_plugin import COMBINATIONS
from tests.faults.order_courses import NEEDS_HUMAN, Course, Trial
from tests.faults.points import Fault, faults
from tests.faults.trials import Bench, Ended

TRIALS = int(os.environ.get("FINCLAW_FAULT_TRIALS", "32"))
PARTS = 4  # so that several processes share the work


def around_the_order(boundaries: list[str]) -> list[Fault]:
    """The faults between the sync of the approval and that of the outcome: where most can go wrong."""
    syncs = [at for at, what in enumerate(boundaries) if what == "sync"]
    return [fault for fault in faults(boundaries) if syncs[0] <= fault.at <= syncs[2]]


def chosen(boundaries: list[str], seed: int) -> list[Trial]:
    """Trials in which each combination of flags meets each manner of the broker in turn; all else is drawn."""
    chance = random.Random(seed)
    all_faults, near = faults(boundaries), around_the_order(boundaries)
    pairs = [(flags, manner) for manner in MANNERS for flags in COMBINATIONS]
    chance.shuffle(pairs)
    drawn: list[Trial] = []
    for number in range(TRIALS):
        flags, manner = pairs[number % len(pairs)]
        first = chance.choice(near if chance.random() < 0.7 else [*all_faults, None])
        second = chance.choice([*all_faults, None])
        follow = chance.choice(["resume", "question"])
        drawn.append(Trial(flags, manner, (first, second), follow, chance.random() < 0.5))  # type: ignore[arg-type]
    return drawn


def reports_unknown(end: Ended) -> bool:
    """Whether the run has said, before it ended or was killed, that an outcome is unknown, with the exit code for it."""
    last = end.stdout.splitlines()[-1:]
    if not last or not last[0].startswith(b'{"v":1,"type":"agent.result"'):
        return False
    result = json.loads(last[0])
    return result["exit_code"] == NEEDS_HUMAN and bool(result["unknown"])


def check(course: Course, ends: list[Ended]) -> None:
    bench, broker, trial = course.bench, course.broker, course.trial
    intents = {record["key"] for record in bench.recorded("tool_intent")}
    outcomes = [record for record in bench.recorded("tool_outcome") if not record.get("unknown")]
    unknown = intents - {record["key"] for record in outcomes}
    assert broker.fills.total() <= 1, (trial, broker.fills)
    assert {*broker.posts, *broker.fills} <= intents, trial
    # What was filled is known with its result, or reported as unknown: never as failed, denied or cancelled.
    is_known = any("filled" in record["content"] for record in outcomes)
    assert not broker.fills or is_known or unknown, (trial, outcomes)
    reports = [number for number, end in enumerate(ends) if reports_unknown(end)]
    # Once; and again only where a fault hit the record of the report itself.
    recorded, hit = len(bench.recorded("reported")), [number for number in reports if trial.fault(number)]
    assert recorded == len(unknown), (trial, [(end.code, end.stdout[-400:]) for end in ends])
    assert recorded <= len(reports) <= recorded + len(hit), (trial, [(end.code, end.stdout[-400:]) for end in ends])
    assert ends[-1].code == (NEEDS_HUMAN if reports_unknown(ends[-1]) else 0), (trial, ends[-1])
    assert not bench.damage(), trial


@pytest.mark.parametrize("part", range(PARTS))
def test_an_order_is_filled_once_with_an_intent_and_reported(broking: Bench, broker: Broker, tmp_path: Path, part: int):
    whole = Course(broking.fresh(tmp_path / "whole"), broker, Trial((False,) * 3, "accepts", (), "resume", True))
    assert whole.begin().code == 0
    boundaries = whole.bench.boundaries()
    for number, trial in enumerate(chosen(boundaries, 7)[part::PARTS]):
        course = Course(broking.fresh(tmp_path / str(number)), broker, trial)
        check(course, course.ends())
