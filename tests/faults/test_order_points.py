"""What is promised about an order at each point where a run can end: the tests that `docs/explanation/orders.md` names."""

from __future__ import annotations

from pathlib import Path

import pytest

from finclaw_cli.core.events.parts import ENDED
from tests.faults.broker import Broker, Manner
from tests.faults.order_courses import NEEDS_HUMAN, Course, Trial
from tests.faults.points import Fault
from tests.faults.trials import Bench, Ended

RECONCILES, ALONE = (True, True, True), (True, False, True)
KILLED = -9


def course(bench: Bench, broker: Broker, flags: tuple[bool, bool, bool], manner: Manner, *faults: Fault) -> Course:
    return Course(bench, broker, Trial(flags, manner, faults, "resume", is_approved_again=False))


@pytest.fixture(scope="session")
def syncs(broking: Bench, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, int, int]:
    """The boundaries at which the approval, the intent and the outcome of an order are synced."""
    broker = Broker()
    it = course(broking.fresh(tmp_path_factory.mktemp("whole") / "home"), broker, RECONCILES, "accepts")
    assert it.begin().code == 0
    broker.close()
    found = [at for at, what in enumerate(it.bench.boundaries()) if what == "sync"]
    return found[0], found[1], found[2]


@pytest.fixture
def home(broking: Bench, tmp_path: Path) -> Bench:
    return broking.fresh(tmp_path / "home")


def ends_of(ended: Ended) -> list[str]:
    """How the calls of a run ended."""
    calls = [line for line in ended.lines if line["type"] == "agent.tool_call"]
    return [call["status"] for call in calls if call["status"] in ENDED]


def reported(ended: Ended) -> tuple[int, list[str]]:
    return ended.code, ended.lines[-1]["unknown"]


def before_the_intent(syncs: tuple[int, int, int]) -> Fault:
    return Fault(syncs[1] - 1, "killed before")


def before_the_request(syncs: tuple[int, int, int]) -> Fault:
    return Fault(syncs[1], "killed after")


def after_the_fill(syncs: tuple[int, int, int]) -> Fault:
    """Before the outcome is written: whatever the tool did, it did."""
    return Fault(syncs[2] - 1, "killed before")


def test_before_the_intent_nothing_is_sent_and_the_order_is_approved_anew(home: Bench, broker: Broker, syncs):
    it = course(home, broker, RECONCILES, "accepts", before_the_intent(syncs))
    assert it.begin().code == KILLED
    assert (it.resume().code, dict(broker.posts)) == (NEEDS_HUMAN, {})
    assert it.bench.recorded("agent.result")[-1]["denied"] == [it.trial.tool]


def test_an_intent_that_cannot_be_written_lets_nothing_be_sent(home: Bench, broker: Broker, syncs):
    it = course(home, broker, RECONCILES, "accepts", Fault(syncs[1] - 1, "disk full"))
    assert (it.begin().code, dict(broker.posts)) == (1, {})


def test_an_order_that_was_not_sent_is_found_not_to_exist_and_approved_anew(home: Bench, broker: Broker, syncs):
    it = course(home, broker, RECONCILES, "accepts", before_the_request(syncs))
    assert it.begin().code == KILLED
    resumed = it.resume("--approve", it.trial.tool)
    assert (resumed.code, ends_of(resumed), list(broker.fills.values())) == (0, ["completed"], [1])
    assert len({record["key"] for record in it.bench.recorded("tool_intent")}) == 1


def test_an_order_that_was_filled_is_recorded_without_being_approved_or_sent_again(home: Bench, broker: Broker, syncs):
    it = course(home, broker, RECONCILES, "accepts", after_the_fill(syncs))
    assert it.begin().code == KILLED
    resumed = it.resume()
    assert (resumed.code, ends_of(resumed), list(broker.posts.values())) == (0, ["recorded"], [1])


def test_an_order_whose_tool_cannot_be_asked_is_unknown_and_not_sent_again(home: Bench, broker: Broker, syncs):
    it = course(home, broker, ALONE, "accepts", after_the_fill(syncs))
    assert it.begin().code == KILLED
    resumed = it.resume("--approve", it.trial.tool)
    assert (reported(resumed), ends_of(resumed)) == ((NEEDS_HUMAN, [it.trial.tool]), ["unknown"])
    assert "is unknown" in it.bench.recorded("message")[-2]["content"][0]["content"]
    assert list(broker.posts.values()) == [1]


def test_a_new_question_runs_nothing_and_reports_the_order_as_unknown(home: Bench, broker: Broker, syncs):
    it = course(home, broker, RECONCILES, "accepts", after_the_fill(syncs))
    assert it.begin().code == KILLED
    assert reported(it.ask()) == (NEEDS_HUMAN, [it.trial.tool])
    assert "is unknown" in it.bench.recorded("message")[2]["content"][0]["content"]
    assert list(broker.posts.values()) == [1]


def test_an_unknown_outcome_is_reported_once(home: Bench, broker: Broker, syncs):
    it = course(home, broker, ALONE, "accepts", after_the_fill(syncs))
    it.begin()
    it.resume()
    assert reported(it.ask()) == (0, [])


@pytest.mark.parametrize("follow", ["ask", "resume"])
def test_a_report_that_was_cut_off_is_made_again(home: Bench, broker: Broker, syncs, follow: str):
    it = course(home, broker, ALONE, "accepts", after_the_fill(syncs))
    it.begin()
    whole = it.resume()
    assert whole.code == NEEDS_HUMAN
    writes = len(it.bench.boundaries())
    again = course(
        home.fresh(home.home.parent / "again"), broker, ALONE, "accepts", after_the_fill(syncs),
        Fault(writes - 1, "killed before"),
    )  # fmt: skip
    again.begin()
    assert again.go_on(1).code == KILLED
    assert again.bench.recorded("agent.result")[-1]["unknown"] == [again.trial.tool]
    assert reported(again.resume() if follow == "resume" else again.ask()) == (NEEDS_HUMAN, [again.trial.tool])
    assert again.resume().code == 2


def test_an_outcome_that_was_recorded_is_used_again(home: Bench, broker: Broker, syncs):
    it = course(home, broker, ALONE, "accepts", Fault(syncs[2], "killed after"))
    assert it.begin().code == KILLED
    resumed = it.resume()
    assert (resumed.code, ends_of(resumed), list(broker.posts.values())) == (0, ["recorded"], [1])


def test_an_answer_that_was_lost_is_found_out_in_the_same_run(home: Bench, broker: Broker):
    it = course(home, broker, RECONCILES, "drops the answer")
    ended = it.begin()
    assert (ended.code, ends_of(ended), list(broker.posts.values())) == (0, ["recorded"], [1])


def test_an_order_that_becomes_known_late_is_waited_for(home: Bench, broker: Broker):
    it = course(home, broker, RECONCILES, "fills late")
    ended = it.begin()
    assert (ended.code, ends_of(ended), list(broker.fills.values())) == (0, ["recorded"], [1])


def test_an_order_that_got_lost_did_nothing(home: Bench, broker: Broker):
    it = course(home, broker, RECONCILES, "drops the order")
    ended = it.begin()
    assert (ended.code, ends_of(ended), dict(broker.fills)) == (0, ["failed"], {})


def test_a_lost_answer_of_a_tool_that_cannot_be_asked_is_unknown(home: Bench, broker: Broker):
    it = course(home, broker, ALONE, "drops the answer")
    assert reported(it.begin()) == (NEEDS_HUMAN, [it.trial.tool])


def test_an_order_under_way_when_the_time_of_the_run_is_up_is_unknown_and_found_out_later(home: Bench, broker: Broker):
    it = course(home, broker, RECONCILES, "hangs")
    ended = it.begin("--timeout", "2", BROKER_ANSWER_S="60")
    assert (ended.code, ends_of(ended), ended.lines[-1]["unknown"]) == (124, ["unknown"], [it.trial.tool])
    resumed = it.resume()
    assert (reported(resumed), ends_of(resumed), list(broker.posts.values())) == ((0, []), ["recorded"], [1])
