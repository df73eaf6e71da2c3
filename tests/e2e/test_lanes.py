"""Lanes across processes: one run of an agent at a time, in whatever process it is."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import Any

import pytest

from tests.e2e.harness import Finclaw, Ran, call
from tests.faults.test_pipes_and_signals import finish, read_until

pytestmark = pytest.mark.by_agent

RUN = ("run", "-o", "ndjson", "--events", "all", "-m")
LONG = {"tool_calls": [call("sleepy", seconds=60)]}
ACQUIRED = b'"step":"acquired"'
QUEUED = b'"step":"queued"'


def under_way(finclaw: Finclaw, *options: str) -> subprocess.Popen[bytes]:
    """A run whose tool takes a minute, which has its slot."""
    process = finclaw.start(*RUN, finclaw.script(LONG, name="long.json"), *options, "x")
    read_until(process, b'"type":"tool.execute_start"')
    return process


def waiting(finclaw: Finclaw, *options: str) -> subprocess.Popen[bytes]:
    process = finclaw.start(*RUN, short(finclaw), *options, "x")
    read_until(process, QUEUED)
    return process


def short(finclaw: Finclaw) -> str:
    return finclaw.script({"text": "done"}, name="short.json")


def status(finclaw: Finclaw) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(finclaw("agents", "status", "--json").stdout)
    return found


def steps(ran: Ran) -> list[str]:
    return [line["step"] for line in ran.of("execution.lane")]


@pytest.mark.parametrize("saved", [(), ("--no-save",)], ids=["saved", "no-save"])
def test_a_second_process_waits_until_the_first_is_killed(finclaw: Finclaw, saved: tuple[str, ...]) -> None:
    first = under_way(finclaw, "--agent", "A", *saved)
    second = finclaw.start(*RUN, short(finclaw), "--agent", "A", *saved, "x")
    seen = read_until(second, QUEUED)
    first.send_signal(signal.SIGKILL)
    ran = finish(second, seen)
    assert (ran.code, steps(ran)) == (0, ["queued", "acquired", "released"])
    assert finclaw("agents", "status").text == "No run of an agent is under way.\n"


def test_the_status_shows_which_runs_are_under_way_and_which_wait(finclaw: Finclaw) -> None:
    first = under_way(finclaw, "--agent", "A", "--session", "one")
    second = waiting(finclaw, "--agent", "A", "--session", "two")
    (lane,) = status(finclaw)
    assert [lane[name] for name in ("agent", "max", "active", "queued")] == ["A", 1, 1, 1]
    assert [(run["state"], run["session"]) for run in lane["runs"]] == [("running", "one"), ("waiting", "two")]
    assert all(run["pid"] and run["host"] and run["since"] for run in lane["runs"])
    rows = [line.split() for line in finclaw("agents", "status").text.splitlines()]
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        ("AGENT", "STATE", "SESSION"),
        ("A", "running", "one"),
        ("A", "waiting", "two"),
    ]
    for process in (first, second):
        process.kill()


def test_a_run_that_waits_too_long_ends_with_its_exit_code(finclaw: Finclaw) -> None:
    under_way(finclaw, "--agent", "A")
    ran = finclaw(*RUN, short(finclaw), "--agent", "A", "x", env={"FINCLAW_LANE_WAIT": "0.1"})
    assert (ran.code, ran.result["error"]["code"], steps(ran)) == (11, "lane_timeout", ["queued"])
    assert "finclaw agents status" in ran.result["error"]["hint"]
    assert [run["state"] for run in status(finclaw)[0]["runs"]] == ["running"]


def test_a_full_queue_refuses_at_once(finclaw: Finclaw) -> None:
    under_way(finclaw, "--agent", "A")
    waiting(finclaw, "--agent", "A")
    ran = finclaw(*RUN, short(finclaw), "--agent", "A", "x", env={"FINCLAW_LANE_MAX_QUEUED": "1"})
    assert (ran.code, ran.result["error"]["code"], steps(ran)) == (11, "lane_full", [])


def test_a_signal_ends_the_wait(finclaw: Finclaw) -> None:
    under_way(finclaw, "--agent", "A")
    second = finclaw.start(*RUN, short(finclaw), "--agent", "A", "x")
    seen = read_until(second, QUEUED)
    second.send_signal(signal.SIGINT)
    assert finish(second, seen).result["exit_code"] == 130
    assert [lane["queued"] for lane in status(finclaw)] == [0]


def test_runs_of_other_agents_and_of_none_do_not_wait(finclaw: Finclaw) -> None:
    under_way(finclaw, "--agent", "A")
    under_way(finclaw)
    for options in (("--agent", "B"), ()):
        ran = finclaw(*RUN, short(finclaw), *options, "x", env={"FINCLAW_LANE_WAIT": "0.1"})
        assert (ran.code, steps(ran)) == (0, ["acquired", "released"])


def test_runs_without_an_agent_wait_where_the_setting_asks_for_it(finclaw: Finclaw) -> None:
    env = {"FINCLAW_LANE_UNNAMED": "1", "FINCLAW_LANE_WAIT": "0.1"}
    first = finclaw.start(*RUN, finclaw.script(LONG, name="long.json"), "x", env=env)
    read_until(first, ACQUIRED)
    assert [lane["agent"] for lane in status(finclaw)] == ["default"]
    ran = finclaw(*RUN, short(finclaw), "x", env=env)
    assert (ran.code, ran.result["error"]["code"]) == (11, "lane_timeout")


def test_a_lane_that_cannot_be_kept_is_an_error(own: Finclaw) -> None:
    (own.home / "lanes").write_text("")
    ran = own(*RUN, short(own), "--agent", "A", "x")
    assert (ran.code, ran.result["error"]["code"]) == (2, "lane_unusable")
    assert own(*RUN, short(own), "x").code == 0
    shown = own("agents", "status")
    assert (shown.code, "lanes: cannot be read: Not a directory" in shown.stderr) == (2, True)


def test_a_verification_touches_no_lane(finclaw: Finclaw) -> None:
    assert finclaw(*RUN, short(finclaw), "--agent", "A", "--session", "s", "x").code == 0
    under_way(finclaw, "--agent", "A")
    ran = finclaw("replay", "--verify", "s", env={"FINCLAW_LANE_WAIT": "0.1"})
    assert (ran.code, ran.text.partition(":")[0]) == (0, "as recorded")


def test_the_list_of_sessions_marks_those_in_use(own: Finclaw) -> None:
    assert own("run", "--session", "free", "-m", short(own), "x").code == 0
    first = under_way(own, "--session", "busy")
    found = {session["name"]: session for session in json.loads(own("sessions", "list", "--json").stdout)}
    assert {name: session["in_use"] for name, session in found.items()} == {"busy": True, "free": False}
    assert found["free"]["holder"] is None
    assert set(found["busy"]["holder"]) == {"pid", "host", "since", "started"}
    rows = {line.split()[0]: line for line in own("sessions", "list").text.splitlines()}
    assert ("in use" in rows["busy"], "completed" in rows["free"], "in use" in rows["free"]) == (True, True, False)
    first.kill()
    first.wait()
    assert "no end" in next(line for line in own("sessions", "list").text.splitlines() if "busy" in line)
