"""An order is filled once at most, never without an intent, and never lost, wherever a run dies and however a broker fails."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from tests.faults.broker import MANNERS, Broker, Manner
from tests.faults.broking_plugin import COMBINATIONS
from tests.faults.points import Fault, faults
from tests.faults.trials import Bench, Ended, script

TRIALS = int(os.environ.get("FINCLAW_FAULT_TRIALS", "64"))
PARTS = 4  # so that several processes share the work
NEEDS_HUMAN = 8
SESSION = ("-o", "ndjson", "--session", "orders")


@dataclass(frozen=True)
class Trial:
    """One order: at which tool and broker, what goes wrong, and how the session goes on afterwards."""

    flags: tuple[bool, bool, bool]
    """`idempotent`, `reconcile`, `requires_approval`."""
    manner: Manner
    faults: tuple[Fault | None, ...]
    """What goes wrong in the first runs, one after another."""
    follow: Literal["resume", "question"]
    is_approved_again: bool

    @property
    def tool(self) -> str:
        flags = zip(("idempotent", "reconcile", "approval"), self.flags, strict=True)
        return "_".join(["order", *(name for name, is_set in flags if is_set)])

    def fault(self, run: int) -> Fault | None:
        return self.faults[run] if run < len(self.faults) else None


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


@pytest.fixture(scope="session")
def trusting(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench.trusting(tmp_path_factory.mktemp("broking"), plugin="broking")


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    broker = Broker()
    yield broker
    broker.close()


@dataclass(frozen=True)
class Course:
    """The runs of one trial."""

    bench: Bench
    broker: Broker
    trial: Trial

    def begin(self) -> Ended:
        return self._run("--approve", self.trial.tool, "Order.", fault=self.trial.fault(0))

    def go_on(self, run: int) -> Ended:
        """Go on with the session, or begin again where nothing of it was kept."""
        fault = self.trial.fault(run)
        if not self.bench.recorded("message"):
            return self._run("--approve", self.trial.tool, "Order.", fault=fault)
        approval = ("--approve", self.trial.tool) if self.trial.is_approved_again else ()
        if self.trial.follow == "resume":
            return self._run(*approval, "--resume", fault=fault)
        return self._asked("And now?", fault=fault)

    def ends(self) -> list[Ended]:
        """Run until there is an answer, and see what is told afterwards."""
        self.broker.begin(self.trial.manner, deduplicates=self.trial.flags[0])
        ends = [self.begin()]
        while ends[-1].code not in {0, NEEDS_HUMAN} and b"nothing_to_resume" not in ends[-1].stdout:
            assert len(ends) < 5, (self.trial, ends[-1])
            ends.append(self.go_on(len(ends)))
        self.broker.wait()
        return [*ends, self._asked("And afterwards?")]

    def _asked(self, question: str, fault: Fault | None = None) -> Ended:
        """Ask something that needs no tool."""
        return self._played({"text": "So it is."}, arguments=(question,), fault=fault)

    def _run(self, *arguments: str, fault: Fault | None = None) -> Ended:
        order = {"name": self.trial.tool, "input": {"symbol": "ACME"}}
        turns = ({"text": "", "tool_calls": [order]}, {"text": "It is done."})
        return self._played(*turns, arguments=arguments, fault=fault)

    def _played(self, *turns: dict[str, object], arguments: tuple[str, ...], fault: Fault | None) -> Ended:
        model = script(self.bench.home, *turns)
        return self.bench.run(
            "run", *SESSION, "-m", model, *arguments, fault=fault, env={"BROKER_URL": self.broker.url}
        )


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
    reports = [end for end in ends if end.code == NEEDS_HUMAN and end.lines[-1]["unknown"]]
    assert len(reports) == len(unknown), (trial, [(end.code, end.stdout[-400:]) for end in ends])
    assert ends[-1].code == (NEEDS_HUMAN if ends[-1] in reports else 0), (trial, ends[-1])
    assert not bench.damage(), trial


@pytest.mark.parametrize("part", range(PARTS))
def test_an_order_is_filled_once_with_an_intent_and_reported(
    trusting: Bench, broker: Broker, tmp_path: Path, part: int
):
    whole = Course(trusting.fresh(tmp_path / "whole"), broker, Trial((False,) * 3, "accepts", (), "resume", True))
    whole.broker.begin("accepts", deduplicates=False)
    assert whole.begin().code == 0
    boundaries = whole.bench.boundaries()
    for number, trial in enumerate(chosen(boundaries, 7)[part::PARTS]):
        course = Course(trusting.fresh(tmp_path / str(number)), broker, trial)
        check(course, course.ends())
