"""A recorded session is made again with what is installed now: what has not changed is as recorded, to the record."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from finclaw_cli.core.json_text import dump_line
from finclaw_cli.transcript.lines import Line, encode
from finclaw_cli.transcript.reader import read_file
from tests.e2e.dialects import Anthropic, Chat, Dialect, Responses
from tests.e2e.harness import Finclaw, Ran, call
from tests.e2e.test_resume import PAY, cut_off
from tests.faults.test_pipes_and_signals import read_until
from tests.wire.server import Reply, threaded

pytestmark = pytest.mark.by_agent

LOOK = (
    {"text": "Let me look.", "delta_chars": 5, "tool_calls": [call("price", symbol="ACME")]},
    {"text": "So: {{price.close}}"},
)
ANYWHERE = {"TZ": "Pacific/Kiritimati", "LANG": "C"}


def run(own: Finclaw, *turns: dict[str, Any], options: tuple[str, ...] = ()) -> Ran:
    return own("run", "-o", "ndjson", "--session", "talk", *options, "-m", own.script(*turns), "What?")


def verified(own: Finclaw, *options: str, **env: str) -> Ran:
    return own("replay", "--verify", *options, "talk", env=env)


def rewritten(own: Finclaw, kind: str, **changes: object) -> None:
    """Change the records of one kind, as somebody would who writes valid ones."""
    path = own.home / "sessions" / "talk.jsonl"
    lines = [item for item in read_file(path) if isinstance(item, Line)]
    path.write_bytes(
        b"".join(
            encode(
                seq=line.seq,
                tag=line.tag,
                at=line.at,
                kind=line.type,
                run_id=line.run_id,
                data=dump_line({**line.data, **(changes if line.type == kind else {})}),  # type: ignore[dict-item]
            )
            for line in lines
        )
    )


SCENARIOS: dict[str, tuple[tuple[dict[str, Any], ...], tuple[str, ...]]] = {
    "an answer": (({"text": "Fine.", "usage": {"input": 7, "output": 2}},), ()),
    "a tool": (LOOK, ()),
    "thinking": (({"reasoning": "Hm, hm.", "text": "So."},), ()),
    "several tools at once": (
        ({"tool_calls": [call("sleepy", seconds=0.2), call("price", symbol="A"), call("loud")]}, {"text": "All."}),
        (),
    ),
    "a tool that fails": (({"tool_calls": [call("broken"), call("unavailable")]}, {"text": "No."}), ()),
    "a tool that takes too long": (({"tool_calls": [call("too_slow")]}, {"text": "No."}), ()),
    "a long result": (({"tool_calls": [call("big", chars=50_000)]}, {"text": "Long."}), ()),
    "strange text": (({"tool_calls": [call("strange")]}, {"text": "한국어 👋 \u2028"}), ()),
    "an unknown tool": (({"tool_calls": [call("nothing")]}, {"text": "No."}), ()),
    "invalid input": (({"tool_calls": [{"name": "price", "raw_input": '{"symbol": '}]}, {"text": "No."}), ()),
    "the same input twice": (({"tool_calls": [{"name": "price", "raw_input": '{"symbol":"A","symbol":"B"}'}]}, {"text": "No."}), ()),
    "a denied payment": (PAY, ()),
    "an approved payment": (PAY, ("--approve", "pay")),
    "a retry": (({"text": "One two three.", "delta_chars": 4, "fault": {"reason": "overloaded", "after_chars": 5}},), ()),
    "a pause, then a failure": (({"text": "A", "tool_calls": [call("price", symbol="A")], "fault": {"reason": "rate_limit"}}, {"text": "One", "fault": {"reason": "bad_request", "times": 9}}), ()),
    "no key, says the provider": (({"text": "", "fault": {"reason": "auth"}},), ()),
    "a schema": (({"text": "no"}, {"text": '{"n": 1}'}), ("--schema", "n:integer")),
    "a schema not met": (({"text": "no"}, {"text": "no"}), ("--schema", "n:integer")),
    "too many turns": ((LOOK[0], *[{"tool_calls": [call("price", symbol=s)]} for s in "BCD"]), ("--max-turns", "2")),
    "too many calls": (({"tool_calls": [call("price", symbol=s) for s in "ABC"]}, {"text": "x"}), ("--max-tool-calls", "2")),
    "a prompt of its own": (LOOK, ("--system", "Be brief.", "--temperature", "0.5", "--as-of", "2026-01-02")),
    "a time limit": (({"text": "Slowly now.", "delay_s": 9, "delta_chars": 6},), ("--timeout", "0.5")),
    "a repetition": (tuple({"tool_calls": [call("price", symbol="A")]} for _ in range(6)), ()),
    "nothing said": (({"text": ""},), ()),
    "cut off by its length": (({"text": "And so", "stop_reason": "max_tokens"},), ()),
    "text that goes on": (({"text": "One", "stop_reason": "pause"}, {"text": "Two"}), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_has_not_changed_is_as_recorded_also_elsewhere(own: Finclaw, name: str):
    turns, options = SCENARIOS[name]
    recorded = run(own, *turns, options=options)
    before = (own.home / "sessions" / "talk.jsonl").read_bytes()
    again = verified(own, **ANYWHERE)
    assert (again.code, again.text[:12]) == (0, "as recorded:"), (again.text, recorded.lines[-1])
    assert (own.home / "sessions" / "talk.jsonl").read_bytes() == before


def wired(dialect: Dialect) -> list[Reply]:
    first = dialect.thinking_then(("c1", "price", {"symbol": "A"})) if isinstance(dialect, Anthropic) else None
    return [first or dialect.calls(("c1", "price", {"symbol": "A"})), dialect.text("ok")]


@pytest.mark.parametrize("dialect", [Anthropic(), Chat(), Responses()], ids=["anthropic", "chat", "responses"])
def test_what_a_provider_said_is_verified_without_it(own: Finclaw, dialect: Dialect):
    with threaded(*wired(dialect)) as server:
        base = server.url if isinstance(dialect, Anthropic) else f"{server.url}/v1"
        options = ("-o", "ndjson", "--session", "talk", "-m", dialect.model, "--base-url", base)
        assert own("run", *options, "How?", env={dialect.key: "sk-test-0123456789"}).code == 0
    again = verified(own)
    assert (again.code, again.text[:20]) == (0, "as recorded: 1 run, "), again.text


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_runs_that_were_cut_off_and_taken_up_are_verified(own: Finclaw, by: int):
    model = own.script(*PAY)
    cut_off(own, model, "--approve", "pay", by=by)
    own("run", "-o", "ndjson", "--session", "talk", "--resume", "-m", model)
    own("run", "-o", "ndjson", "--session", "talk", "-m", own.script({"text": "Fine."}), "And now?")
    again = verified(own)
    assert (again.code, again.text[:21]) == (0, "as recorded: 3 runs, "), again.text


def test_a_run_that_was_interrupted_while_it_spoke_is_verified(own: Finclaw):
    model = own.script({"text": "One two three four.", "delay_s": 0.5, "delta_chars": 4})
    process = own.start("run", "-o", "ndjson", "--session", "talk", "-m", model, "x")
    read_until(process, b"agent.delta")
    process.send_signal(signal.SIGINT)
    process.communicate()
    again = verified(own)
    assert again.code == 0, again.text


def test_tools_that_do_something_never_run_again(own: Finclaw):
    run(own, *PAY, options=("--approve", "pay"))
    (own.home / "paid").unlink()
    assert verified(own, "--live-tools").code == 0
    assert own("replay", "--live-tools", "talk").code == 0
    assert not (own.home / "paid").exists()


def test_a_damaged_transcript_is_not_verified_beyond_the_damage(own: Finclaw):
    run(own, *LOOK)
    path = own.home / "sessions" / "talk.jsonl"
    path.write_bytes(path.read_bytes()[:-30])
    again = verified(own)
    assert again.code == 10
    assert all(words in again.stderr for words in ("damaged at byte", "finclaw sessions repair SESSION"))


def test_a_session_in_which_nothing_was_asked_cannot_be_verified(own: Finclaw):
    own("run", "--session", "talk", "-m", "nobody:nothing", "x")
    assert verified(own).code == 2


def test_stdin_and_files_are_verified_like_sessions(own: Finclaw):
    run(own, *LOOK)
    content = (own.home / "sessions" / "talk.jsonl").read_bytes()
    assert own("replay", "--verify", "-", stdin=content).code == 0
    (own.cwd / "other.jsonl").write_bytes(content)
    assert own("replay", "--verify", "other.jsonl").code == 0


def test_another_model_is_asked_the_same_and_no_tool_runs(own: Finclaw):
    run(own, *PAY, options=("--approve", "pay"))
    run(own, *LOOK)
    (own.home / "paid").unlink()
    other = own.script(
        {
            "tool_calls": [
                call("pay", to="Kim", amount="5"),
                call("price", symbol="ACME"),
                call("price", symbol="OTHER"),
            ]
        },
        {"text": "Mine: {{call_1_2.close}} {{call_1_3}}"},
        name="other.json",
    )
    ran = own("replay", "-m", other, "-o", "json", "talk")
    first, second = json.loads(ran.stdout)
    assert (first["question"], first["recorded"]["text"]) == ("What?", "Said: paid")
    assert second["now"]["text"].startswith("Mine: 42.10 NO_DATA: this call was not made in the recorded session")
    assert not (own.home / "paid").exists()
    text = own("replay", "-m", other, "talk").text
    assert "── recorded: scripted:" in text
    assert "── now: scripted:" in text


def test_verifying_sends_nothing_and_writes_nothing(own: Finclaw, tmp_path: Path):
    run(own, *LOOK)
    files = {path: path.stat().st_mtime_ns for path in own.home.rglob("*") if path.is_file()}
    assert verified(own, "-q", ANTHROPIC_API_KEY="x").code == 0
    assert {path: path.stat().st_mtime_ns for path in own.home.rglob("*") if path.is_file()} == files
    assert {path.name for path in own.cwd.iterdir()} == {"own-home", "script.json"}


@pytest.mark.parametrize(("then", "now"), [("sk-ant-0123456789abcdef", ""), ("", "sk-ant-0123456789abcdef")])
def test_keys_that_are_known_now_and_were_not_then_make_no_difference(own: Finclaw, then: str, now: str):
    model = own.script(
        {"text": "prices", "delta_chars": 3, "tool_calls": [call("price", symbol="A")]}, {"text": "ok s"}
    )
    assert own("run", "--session", "talk", "-m", model, "x", env={"ANTHROPIC_API_KEY": then}).code == 0
    again = verified(own, ANTHROPIC_API_KEY=now)
    assert again.code == 0, again.text


@pytest.mark.parametrize(
    "options", [("--verify", "-m", "demo"), ("--verify", "--from", "2"), ("-m", "demo", "--speed", "1")]
)
def test_options_that_exclude_each_other_are_a_usage_error(own: Finclaw, options: tuple[str, ...]):
    run(own, *LOOK)
    ran = own("replay", *options, "talk")
    assert (ran.code, ran.stdout) == (2, b"")
    assert "exclude each other" in ran.stderr


def test_a_run_record_that_makes_no_sense_is_a_difference_and_no_crash(own: Finclaw):
    run(own, *LOOK)
    rewritten(own, "run", now="garbage", as_of="garbage", markets="garbage", compaction=7)
    assert verified(own).code == 10


def test_a_call_that_moved_money_then_never_runs_whatever_its_plugin_says_now(own: Finclaw):
    run(own, *PAY, options=("--approve", "pay"))
    (own.home / "paid").unlink()
    ran = own("replay", "--live-tools", "talk", env={"KIT_PAY_LOOKS_HARMLESS": "1"})
    assert ran.code == 0
    assert not (own.home / "paid").exists()
