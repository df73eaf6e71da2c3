"""An exception of a plugin, whatever its text does, is reported in few words and ends nothing else."""

from __future__ import annotations

import pytest

from tests.e2e.harness import Finclaw, Ran, call
from tests.e2e.trusted import Trusted, module_source

PLACES = ["tool", "preview", "plain-preview", "reconcile", "validate", "before", "after", "event"]
SHORT = 20_000


@pytest.fixture
def faulty(own: Finclaw, trusted: Trusted) -> Finclaw:
    return trusted(own, "acme-acts", module_source("plugins/faulty_tools"))


def act(faulty: Finclaw, place: str, fault: str, *options: str) -> Ran:
    env = {"FINCLAW_PLUGINS": "acme-acts", "ACME_FAULT": f"{place}:{fault}"}
    script = faulty.script({"tool_calls": [call("acts")]}, {"text": "on it goes"})
    words = ("run", "-o", "ndjson", "--events", "all", "-t", "acts", "--approve", "acts", *options, "-m", script, "x")
    return faulty(*words, env=env, timeout=30)


@pytest.mark.parametrize("fault", ["silent", "long", "exit"])
@pytest.mark.parametrize("place", PLACES)
def test_a_run_goes_on_after_a_fault_of_a_plugin(faulty: Finclaw, place: str, fault: str):
    ran = act(faulty, place, fault)
    if place == "reconcile":
        assert (ran.code, ran.result["exit_code"]) == (8, 8)
    else:
        assert (ran.code, ran.result["text"]) == (0, "on it goes")
    assert len(ran.stderr) < SHORT
    assert "Traceback" not in ran.stderr
    assert "bug in finclaw" not in ran.stderr
    long = [line["type"] for line in ran.lines if len(str(line)) > 2 * SHORT]
    assert long == []


@pytest.mark.parametrize("place", ["tool", "preview", "reconcile", "before"])
def test_an_exception_whose_text_takes_forever_does_not_outlive_its_time(faulty: Finclaw, place: str):
    ran = act(faulty, place, "slow", "--timeout", "3")
    assert ran.code in {0, 8, 124}
    assert ran.result["exit_code"] == ran.code


@pytest.mark.parametrize("place", ["tool", "preview"])
@pytest.mark.parametrize("fault", ["odd", "beside"])
def test_a_run_goes_on_after_an_exit_outside_of_the_call(faulty: Finclaw, place: str, fault: str):
    ran = act(faulty, place, fault)
    assert (ran.code, ran.result["text"]) == (0, "on it goes")


@pytest.mark.parametrize("fault", ["silent", "long", "exit", "beside"])
def test_a_call_by_hand_reports_a_fault_in_few_words(faulty: Finclaw, fault: str):
    env = {"FINCLAW_PLUGINS": "acme-acts", "ACME_FAULT": f"tool:{fault}"}
    ran = faulty("tools", "call", "acts", "--approve", "acts", env=env, timeout=30)
    assert ran.code == (0 if fault == "beside" else 1), ran.stderr
    assert len(ran.stderr) < SHORT
