"""A run that fails before its first request leaves no session, and what continues a conversation passes it over."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.e2e.harness import Finclaw, Ran, call
from tests.e2e.test_sessions import asked, conversation
from tests.faults.test_pipes_and_signals import read_until

pytestmark = pytest.mark.by_agent

FAILING = {
    "no key": (("-m", "anthropic:claude-sonnet-5-5"), 3),
    "no such model": (("-m", "nosuch:x"), 2),
    "a schema that is none": (("-m", "scripted:script.json", "--schema", "{"), 2),
    "no prompt": (("-m", "scripted:script.json", ""), 2),
}


def sessions(own: Finclaw) -> list[str]:
    return [path.name for path in (own.home / "sessions").glob("*.jsonl")]


@pytest.mark.parametrize("case", FAILING)
def test_a_run_that_fails_to_start_is_no_session(own: Finclaw, case: str):
    options, code = FAILING[case]
    own.script({"text": "Fine."})
    ran = own("run", "-o", "ndjson", *options, *(() if case == "no prompt" else ("x",)))
    assert (ran.result["exit_code"], sessions(own)) == (code, [])
    assert json.loads(own("sessions", "list", "--json").stdout) == []


def test_the_last_conversation_goes_on_after_a_run_that_failed_to_start(own: Finclaw):
    ran = asked(own, "One?")
    assert own("run", "-m", "nosuch:x", "Two?").code == 2
    assert asked(own, "Three?", "-c").code == 0
    assert conversation(own, ran.result["session_id"]) == ["One?", "Fine.", "Three?", "Fine."]


def test_a_run_that_failed_to_start_leaves_the_conversation_that_it_continued_as_it_was(own: Finclaw):
    asked(own, "One?", "--session", "talk")
    before = (own.home / "sessions" / "talk.jsonl").read_bytes()
    assert asked(own, "Two?", "--session", "talk", "--schema", "{").code == 2
    assert (own.home / "sessions" / "talk.jsonl").read_bytes() == before


def test_a_run_that_is_out_of_money_before_its_first_request_is_no_session(own: Finclaw):
    model = "anthropic:claude-sonnet-5-5"
    ran = own("run", "-o", "ndjson", "-m", model, "--max-cost", "0.0000001", "x", env={"ANTHROPIC_API_KEY": "sk-1" * 9})
    assert (ran.result["exit_code"], sessions(own)) == (7, [])


@pytest.mark.parametrize("command", [("context", "show"), ("run", "-c", "Two?")])
def test_sessions_without_a_conversation_that_an_earlier_version_wrote_are_passed_over(
    own: Finclaw, command: tuple[str, ...]
):
    ran = asked(own, "One?", "--session", "talk")
    path = own.home / "sessions" / "talk.jsonl"
    failed = b"".join(line for line in path.read_bytes().splitlines(keepends=True)[:2])
    path.with_name("failed.jsonl").write_bytes(failed)
    path.with_name("empty.jsonl").touch()
    done = own(*command, "-m", own.script({"text": "Fine."}))
    assert (ran.code, done.code) == (0, 0), done.stderr
    assert "Fine" in done.text or done.text.startswith("talk")
    assert not path.with_name("failed.jsonl").read_bytes()[len(failed) :]


def test_a_resumed_run_asks_the_model_that_was_asked(own: Finclaw):
    model = own.script({"tool_calls": [call("sleepy", seconds=60)]}, {"text": "Good morning."})
    process = own.start("run", "-o", "ndjson", "--session", "talk", "-m", model, "x")
    read_until(process, b'"running"')
    process.send_signal(signal.SIGKILL)
    process.communicate()
    ran = own(
        "run", "-o", "ndjson", "--session", "talk", "--resume", env={"KIT_AWAKE": "1", "FINCLAW_MODEL": "nosuch:x"}
    )
    assert (ran.code, ran.result["text"]) == (0, "Good morning.")
    assert ran.lines[0]["models"] == [model]


def test_a_resumed_run_can_ask_another_model(own: Finclaw):
    model = own.script({"tool_calls": [call("sleepy", seconds=60)]}, {"text": "Good morning."})
    process = own.start("run", "-o", "ndjson", "--session", "talk", "-m", model, "x")
    read_until(process, b'"running"')
    process.send_signal(signal.SIGKILL)
    process.communicate()
    other = own.script({"text": "never"}, {"text": "Hello."}, name="other.json")
    ran = own("run", "-o", "ndjson", "--session", "talk", "--resume", "-m", other, env={"KIT_AWAKE": "1"})
    assert (ran.code, ran.lines[0]["models"]) == (0, [other])


def test_a_resumed_run_asks_the_server_that_was_asked(own: Finclaw):
    def answered(*options: str) -> Ran:
        return own("run", "-o", "ndjson", "--session", "talk", "--retry-attempts", "1", *options)

    with closed_port() as port:  # with the vendor, there would be no key
        first = answered("-m", "llama3.3", "--base-url", f"http://127.0.0.1:{port}/v1", "x")
        again = answered("--resume")
    assert again.result["error"] == first.result["error"]
    assert "Connection refused" in again.result["error"]["message"]


@contextmanager
def closed_port() -> Iterator[int]:
    """A port that nobody else can listen on, and that refuses connections."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]
