"""A run from the prompt to the last line, over a scripted model and real tools."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, call, ended


def test_text_in_a_pipe_is_the_final_answer_alone(finclaw: Finclaw) -> None:
    model = finclaw.script(
        {"text": "Let me look.", "tool_calls": [call("price", symbol="ACME")]},
        {"text": "ACME closed at {{price.close}}."},
    )
    ran = finclaw("run", "-m", model, "How is ACME?")
    assert (ran.code, ran.text) == (0, "ACME closed at 42.10.\n")


def test_what_is_said_before_a_tool_call_goes_to_stderr(finclaw: Finclaw) -> None:
    model = finclaw.script({"text": "Let me look.", "tool_calls": [call("price", symbol="A")]}, {"text": "Done."})
    assert "Let me look." in finclaw("run", "-m", model, "x").stderr


def test_quiet_leaves_stderr_empty(finclaw: Finclaw) -> None:
    model = finclaw.script({"text": "Let me look.", "tool_calls": [call("price", symbol="A")]}, {"text": "Done."})
    ran = finclaw("run", "-q", "-m", model, "x")
    assert (ran.text, ran.stderr) == ("Done.\n", "")


def test_ndjson_starts_with_start_and_ends_with_the_result(finclaw: Finclaw) -> None:
    ran = finclaw("run", "-o", "ndjson", "-m", finclaw.script({"text": "Hello."}), "hi")
    assert ran.result["text"] == "Hello."
    assert ran.result["status"] == "completed"


def test_parallel_calls_are_answered_in_the_order_of_the_calls(finclaw: Finclaw) -> None:
    calls = [call("sleepy", seconds=0.4), call("price", symbol="B")]
    ran = finclaw("run", "-o", "ndjson", "-m", finclaw.script({"tool_calls": calls}, {"text": "ok"}), "x")
    live = [line["name"] for line in ran.of("agent.tool_call") if line["status"] == "completed"]
    assert live == ["price", "sleepy"]
    assert ended(ran.lines) == {"price": "completed", "sleepy": "completed"}


def test_each_way_a_tool_can_fail_is_told_to_the_model_and_spoils_nothing(finclaw: Finclaw) -> None:
    names = ["too_slow", "broken", "quits", "unavailable", "nonsense"]
    calls = [*(call(name) for name in names), call("price"), call("price", symbol="OK")]
    ran = finclaw("run", "-o", "ndjson", "-m", finclaw.script({"tool_calls": calls}, {"text": "ok"}), "x")
    results = [line["result"] for line in ran.of("agent.tool_call") if line["is_error"]]
    assert sorted(results) == [
        "Invalid tool input: symbol: required, but missing (the ticker.); got {}",
        "NO_DATA: nothing here. Report this as unavailable; do not estimate.",
        'Tool "too_slow" timed out after 0.2 s',
        "Tool execution error: it raised SystemExit: 3",
        "Tool execution error: the tool broke",
        "Unknown tool: nonsense.",
    ]
    assert ran.result["tool_calls"] == {"failed": 5, "timeout": 1, "completed": 1}
    assert ran.code == 0


def test_invalid_json_from_the_model_runs_nothing(finclaw: Finclaw) -> None:
    turn = {"tool_calls": [{"name": "price", "raw_input": '{"symbol":"A","symbol":"B"}'}]}
    ran = finclaw("run", "-o", "ndjson", "-m", finclaw.script(turn, {"text": "ok"}), "x")
    assert ended(ran.lines) == {"price": "failed"}
    assert not [line for line in ran.of("agent.tool_call") if line["status"] == "running"]


def test_a_transactional_tool_is_not_run_and_the_exit_code_says_so(finclaw: Finclaw, tmp_path: Path) -> None:
    model = finclaw.script({"tool_calls": [call("pay", to="bob", amount="100")]}, {"text": "I could not."})
    ran = finclaw("run", "-o", "ndjson", "-m", model, "pay bob")
    assert ran.result["denied"] == ["pay"]
    assert ran.code == 8
    assert not (finclaw.home / "paid").exists()


def test_a_denied_tool_can_be_gone_on_without(finclaw: Finclaw) -> None:
    model = finclaw.script({"tool_calls": [call("pay", to="bob", amount="1")]}, {"text": "fine"})
    assert finclaw("run", "--on-denied", "continue", "-m", model, "x").code == 0


def test_nothing_a_tool_prints_reaches_stdout(finclaw: Finclaw) -> None:
    ran = finclaw("run", "-o", "ndjson", "-m", finclaw.script({"tool_calls": [call("loud")]}, {"text": "ok"}), "x")
    assert ran.code == 0
    assert ran.result["tool_calls"] == {"completed": 1}
    assert "a raw write" in ran.stderr


def test_strange_text_and_numbers_come_out_as_valid_lines(finclaw: Finclaw) -> None:
    text = "한국어 👋 \ud83d \u2028 \x1b[31m end"
    model = finclaw.script({"text": text, "delta_chars": 1, "tool_calls": [call("strange")]}, {"text": text})
    ran = finclaw("run", "-o", "ndjson", "-m", model, "한국어 \u2028 👋")
    assert ran.result["text"] == "한국어 👋 \ufffd \u2028 \x1b[31m end"
    assert ran.result["tool_calls"] == {"failed": 1}  # NaN never leaves the program
    assert "is nan; a number that does not exist is None" in ran.of("agent.tool_call")[-1]["result"]


def test_a_result_of_exactly_the_limit_stays_whole_and_one_more_is_cut(finclaw: Finclaw) -> None:
    calls = [call("big", chars=10_000), call("big", chars=10_001)]
    ran = finclaw("run", "-o", "ndjson", "-m", finclaw.script({"tool_calls": calls}, {"text": "ok"}), "x")
    ends = [line for line in ran.of("agent.tool_call") if line["status"] == "completed"]
    whole, cut = sorted(ends, key=lambda line: line["truncated"])
    assert (len(whole["result"]), whole["bytes"]) == (10_000, None)
    assert cut["result"] == "x" * 10_000 + "\n... [truncated]"
    assert cut["bytes"] == 10_001


def test_the_turn_limit_ends_the_run_with_its_own_code(finclaw: Finclaw) -> None:
    turn = {"text": "again", "tool_calls": [call("price", symbol="A")]}
    ran = finclaw("run", "-o", "ndjson", "--max-turns", "2", "-m", finclaw.script(turn, turn, turn), "x")
    assert (ran.result["status"], ran.code, ran.result["turns"]) == ("max_turns", 5, 2)


def test_the_limit_of_tool_calls_refuses_the_calls_above_it(finclaw: Finclaw) -> None:
    calls = [call("price", symbol=str(n)) for n in range(3)]
    ran = finclaw("run", "-o", "ndjson", "--max-tool-calls", "2", "-m", finclaw.script({"tool_calls": calls}), "x")
    assert ran.result["tool_calls"] == {"completed": 2, "cancelled": 1}
    assert (ran.result["error"]["code"], ran.code) == ("max_tool_calls", 5)


def test_the_time_limit_ends_a_run_whose_tool_hangs(finclaw: Finclaw) -> None:
    model = finclaw.script({"tool_calls": [call("sleepy", seconds=30)]}, {"text": "never"})
    ran = finclaw("run", "-o", "ndjson", "--timeout", "0.5", "-m", model, "x", timeout=15)
    assert (ran.result["status"], ran.code) == ("timeout", 124)
    assert ended(ran.lines) == {"sleepy": "cancelled"}


def test_a_stalled_stream_is_a_provider_error_after_retries(finclaw: Finclaw) -> None:
    model = finclaw.script({"text": "slow words", "delta_chars": 4, "delay_s": 20})
    ran = finclaw("run", "-o", "ndjson", "--first-chunk-timeout", "0.1", "-m", model, "x")
    assert [line["code"] for line in ran.of("agent.retry")] == ["stream_stalled", "stream_stalled"]
    assert ran.code == 4


def test_a_retry_makes_the_deltas_before_it_void(finclaw: Finclaw) -> None:
    fault = {"reason": "overloaded", "after_chars": 6, "times": 1}
    model = finclaw.script({"text": "Hello there.", "delta_chars": 6, "fault": fault})
    ran = finclaw("run", "-o", "ndjson", "-m", model, "x")
    retry = ran.of("agent.retry")[0]
    kept = [d["text"] for d in ran.of("agent.delta") if d["attempt"] >= retry["attempt"]]
    assert "".join(kept) == ran.result["text"] == "Hello there."
    assert ran.code == 0


def test_streamed_text_that_cannot_be_taken_back_is_not_retried(finclaw: Finclaw) -> None:
    fault = {"reason": "overloaded", "after_chars": 6, "times": 1}
    model = finclaw.script({"text": "Hello there.", "delta_chars": 6, "fault": fault})
    ran = finclaw("run", "--stream", "-m", model, "x")
    assert (ran.code, ran.text) == (4, "Hello \n")


def test_the_next_model_takes_over_when_retries_are_used_up(finclaw: Finclaw) -> None:
    sick = finclaw.script({"text": "x", "fault": {"reason": "server_error", "times": 9}}, name="sick.json")
    well = finclaw.script({"text": "I am well."}, name="well.json")
    ran = finclaw("run", "-o", "ndjson", "-m", sick, "--fallback", well, "x")
    assert [line["model_to"] for line in ran.of("agent.failover")] == [well]
    assert (ran.result["text"], ran.result["model"], ran.code) == ("I am well.", well, 0)


def test_an_answer_that_fits_the_schema_is_given_parsed(finclaw: Finclaw) -> None:
    ran = finclaw(
        "run", "-o", "ndjson", "--schema", "close:number", "-m", finclaw.script({"text": '{"close": 4}'}), "x"
    )
    assert (ran.result["output"], ran.code) == ({"close": 4}, 0)


def test_an_answer_that_does_not_fit_is_asked_for_once_more(finclaw: Finclaw) -> None:
    model = finclaw.script({"text": "four"})
    script = json.loads(Path(model.partition(":")[2]).read_text())
    script["conversations"] = [{"match": "not valid against the schema", "turns": [{"text": '{"close": 4}'}]}]
    Path(model.partition(":")[2]).write_text(json.dumps(script))
    ran = finclaw("run", "-o", "ndjson", "--schema", "close:number", "-m", model, "x")
    assert (ran.result["output"], ran.result["turns"], ran.code) == ({"close": 4}, 2, 0)


def test_an_answer_that_never_fits_is_an_error(finclaw: Finclaw) -> None:
    ran = finclaw("run", "-o", "ndjson", "--schema", "close:number", "-m", finclaw.script({"text": "four"}), "x")
    assert (ran.result["status"], ran.result["error"]["code"], ran.code) == ("error", "schema_unsatisfied", 12)


def test_several_messages_are_answered_in_turn_in_one_conversation(finclaw: Finclaw) -> None:
    messages = b'{"type":"user","text":"one"}\n{"type":"user","text":"two"}\n'
    model = finclaw.script({"text": "answer"})
    ran = finclaw("run", "-o", "ndjson", "--input-format", "ndjson", "-m", model, stdin=messages)
    assert [line["text"] for line in ran.of("agent.result")] == ["answer", "answer"]
    assert len({line["session_id"] for line in ran.of("agent.start")}) == 1
    assert len({line["run_id"] for line in ran.of("agent.start")}) == 2


def test_a_bad_message_ends_the_conversation_with_a_usage_error(finclaw: Finclaw) -> None:
    messages = b'{"type":"user","text":"one"}\nnot json\n'
    model = finclaw.script({"text": "answer"})
    ran = finclaw("run", "-o", "ndjson", "--input-format", "ndjson", "-m", model, stdin=messages)
    assert (ran.result["error"]["code"], ran.code) == ("bad_message", 2)


def test_json_output_is_the_result_alone(finclaw: Finclaw) -> None:
    ran = finclaw("run", "-o", "json", "-m", finclaw.script({"text": "Hi."}), "x")
    assert json.loads(ran.stdout)["text"] == "Hi."


def test_a_last_message_for_a_pipe_that_nothing_reads_is_reported(finclaw: Finclaw) -> None:
    os.mkfifo(finclaw.cwd / "pipe")
    ran = finclaw("run", "--last-message", "pipe", "-m", finclaw.script({"text": "Hi."}), "x")
    assert ran.stdout == b"Hi.\n"
    assert "the last message cannot be written to pipe" in ran.stderr


def test_a_pipe_gets_the_last_message(finclaw: Finclaw) -> None:
    pipe, got = finclaw.cwd / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
    reader.start()
    finclaw("run", "--last-message", "pipe", "-m", finclaw.script({"text": "Hi."}), "x")
    reader.join(30)
    assert got == ["Hi."]


def test_the_last_message_can_be_written_beside_any_output(finclaw: Finclaw, tmp_path: Path) -> None:
    finclaw("run", "-o", "ndjson", "--last-message", "last.txt", "-m", finclaw.script({"text": "Hi."}), "x")
    assert (tmp_path / "last.txt").read_text() == "Hi."


def test_every_event_and_message_of_a_run_is_kept_in_a_private_file(finclaw: Finclaw, tmp_path: Path) -> None:
    finclaw = replace(finclaw, home=tmp_path / "new" / "home")
    ran = finclaw("run", "-o", "ndjson", "-m", finclaw.script({"text": "Hi."}), "x")
    path = finclaw.home / "sessions" / f"{ran.result['run_id']}.jsonl"
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["type"] for line in kept[:3]] == ["session", "run", "agent.start"]
    assert kept[-1]["type"] == "agent.result"
    assert [line["data"]["role"] for line in kept if line["type"] == "message"] == ["user", "assistant"]
    assert path.stat().st_mode & 0o777 == 0o600
    folders = (path.parent, finclaw.home, finclaw.home.parent, finclaw.home / "cache")
    assert {folder.stat().st_mode & 0o777 for folder in folders} == {0o700}


def test_stdin_and_files_are_put_after_the_argument(finclaw: Finclaw, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("a note")
    path = tmp_path / "echo.json"
    found = [
        {"match": r"question\n\n<stdin>\npiped\n</stdin>\n\n<file name=.notes.txt.>\na note", "turns": [{"text": "y"}]}
    ]
    path.write_text(json.dumps({"conversations": found, "turns": [{"text": "n"}]}))
    ran = finclaw("run", "-m", f"scripted:{path}", "-f", "notes.txt", "question", stdin=b"piped\n")
    assert ran.text == "y\n"


@pytest.mark.parametrize("output", ["ndjson", "json"])
def test_the_text_of_a_result_is_whole_however_long_it_is(finclaw: Finclaw, output: str) -> None:
    text = "A sentence of thirty letters.\n" * 12_000
    model = finclaw.script({"text": text, "delta_chars": 9_000})
    done = finclaw("run", "-o", output, "--no-deltas", "-m", model, "x")
    last = json.loads(done.stdout.splitlines()[-1])
    assert (last["text"] == text, "cut" in last) == (True, False)


def test_a_line_that_is_no_result_is_cut_at_its_limit(finclaw: Finclaw) -> None:
    model = finclaw.script({"text": "x" * 400_000, "delta_chars": 100_000})
    (turn,) = finclaw("run", "-o", "ndjson", "-m", model, "x").of("agent.turn_complete")
    assert turn["cut"]["/message/content/0/text"]["bytes"] == 400_000
