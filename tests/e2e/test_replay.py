"""What was recorded is streamed again: the same bytes, with no model, no tool and no network."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, Ran, call

TURNS = ({"text": "Let me look.", "tool_calls": [call("price", symbol="ACME")]}, {"text": "It is 12.34.\n\n한국어 🎉"})


def recorded(own: Finclaw, *arguments: str, turns: tuple[dict[str, object], ...] = TURNS) -> tuple[Ran, Path]:
    ran = own("run", "-o", "ndjson", "-m", own.script(*turns), *arguments, "What is ACME worth?")
    return ran, own.home / "sessions" / f"{ran.result['session_id']}.jsonl"


@pytest.mark.parametrize("options", [(), ("--events", "all"), ("--no-deltas",), ("--events", "all", "--no-deltas")])
def test_ndjson_is_the_same_to_the_byte(own: Finclaw, options: tuple[str, ...]):
    ran, path = recorded(own, *options)
    again = own("replay", "-o", "ndjson", *options, path.stem)
    assert again.stdout == ran.stdout
    assert again.code == 0


@pytest.mark.parametrize("options", [(), ("--stream",)])
def test_text_is_the_same_to_the_byte(own: Finclaw, options: tuple[str, ...]):
    model = own.script(*TURNS)
    ran = own("run", *options, "-m", model, "What is ACME worth?")
    (path,) = (own.home / "sessions").glob("*.jsonl")
    assert own("replay", *options, path.stem).stdout == ran.stdout


def test_that_tools_run_is_written_of_a_run_and_not_of_a_replay(own: Finclaw):
    ran, path = recorded(own)
    assert "are scripted; its tools really run" in ran.stderr
    for command in (("replay", path.stem), ("replay", "-m", own.script(*TURNS), path.stem)):
        again = own(*command)
        assert (again.code, "really run" in again.stderr) == (0, False)


def test_a_failed_run_is_replayed_as_it_failed(own: Finclaw):
    ran, path = recorded(own, turns=({"error": "overloaded"},))
    assert ran.code != 0
    again = own("replay", "-o", "ndjson", path.stem)
    assert (again.stdout, again.code) == (ran.stdout, 0)


def test_a_session_is_found_by_the_beginning_of_its_name_by_its_file_and_on_stdin(own: Finclaw):
    ran, path = recorded(own)
    for session, stdin in ((path.stem[:12], None), (str(path), None), ("-", path.read_bytes())):
        assert own("replay", "-o", "ndjson", session, stdin=stdin).stdout == ran.stdout


def test_only_some_turns_are_streamed_where_they_are_asked_for(own: Finclaw):
    _, path = recorded(own)
    again = own("replay", "-o", "ndjson", "--from", "2", path.stem)
    lines = [json.loads(line) for line in again.stdout.splitlines()]
    assert {line["turn"] for line in lines} == {2}
    assert lines[-1]["type"] == "agent.turn_complete"
    assert again.code == 0


def test_a_session_that_is_not_there_is_a_usage_error(own: Finclaw):
    ran = own("replay", "nothing")
    assert (ran.code, ran.stdout) == (2, b"")
    assert "no session 'nothing'" in ran.stderr
    assert "finclaw sessions list" in ran.stderr


@pytest.mark.parametrize("name", ["../../etc/passwd", "", ".hidden", "a/b"])
def test_a_name_never_leads_out_of_the_folder(own: Finclaw, name: str):
    ran = own("replay", name)
    assert ran.code == 2
    assert "no session can be called" in ran.stderr


def test_a_damaged_transcript_is_replayed_up_to_the_damage(own: Finclaw):
    ran, path = recorded(own)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"It is 12.34", b"It is 99.99", 1))
    again = own("replay", "-o", "ndjson", path.stem)
    assert again.code == 10
    assert ran.stdout.startswith(again.stdout)
    assert b"99.99" not in again.stdout
    assert "damaged at byte" in again.stderr
    assert "finclaw sessions repair SESSION" in again.stderr
    assert "its checksum does not fit" in again.stderr


def test_a_transcript_without_an_end_says_so(own: Finclaw):
    _, path = recorded(own)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    again = own("replay", path.stem)
    assert again.code == 10
    assert "has no end" in again.stderr


@pytest.mark.parametrize("speed", ["0", "-1", "fast", "nan", "inf"])
def test_a_speed_that_is_none_is_a_usage_error(own: Finclaw, speed: str):
    _, path = recorded(own)
    assert own("replay", f"--speed={speed}", path.stem).code == 2


def test_sessions_are_listed_with_what_was_asked(own: Finclaw):
    _, path = recorded(own)
    listed = own("sessions", "list")
    assert path.stem in listed.text
    assert "What is ACME worth?" in listed.text
    (facts,) = json.loads(own("sessions", "list", "--json").stdout)
    assert (facts["name"], facts["status"], facts["path"]) == (path.stem, "completed", str(path))


def test_a_sessions_conversation_is_shown(own: Finclaw):
    _, path = recorded(own)
    shown = own("sessions", "show", path.stem).text
    assert "> What is ACME worth?" in shown
    assert '→ price {"symbol":"ACME"}' in shown
    assert "It is 12.34." in shown
    roles = [message["role"] for message in json.loads(own("sessions", "show", "--json", path.stem).stdout)]
    assert roles == ["user", "assistant", "tool", "assistant"]


def test_without_sessions_the_list_says_how_to_get_one(own: Finclaw):
    assert "No sessions yet" in own("sessions", "list").text
    assert json.loads(own("sessions", "list", "--json").stdout) == []


@pytest.mark.parametrize(
    "options",
    [("--from", "0"), ("--from", "3", "--to", "2"), ("--to", "-1"), ("--from", "99"), ("--to", "1", "-o", "json")],
)
def test_turns_that_there_cannot_be_are_a_usage_error(own: Finclaw, options: tuple[str, ...]):
    _, path = recorded(own)
    ran = own("replay", *options, path.stem)
    assert (ran.code, ran.stdout) == (2, b"")
    assert ran.stderr


def test_what_is_no_regular_file_is_never_waited_for(own: Finclaw):
    recorded(own)
    pipe = own.home / "sessions" / "pipe.jsonl"
    os.mkfifo(pipe)
    (own.home / "sessions" / "link.jsonl").symlink_to("/dev/zero")
    for name in ("pipe", "link"):
        ran = own("run", "-o", "ndjson", "--session", name, "-m", own.script({"text": "x"}), "x")
        assert (ran.code, ran.result["error"]["code"]) == (2, "bad_session")
    assert "is no regular file" in own("replay", str(pipe)).stderr
    assert own("sessions", "list").code == 0


@pytest.mark.parametrize("options", [("--verify",), ("--live-tools",)])
def test_what_was_found_is_a_line_of_json_where_lines_are_asked_for(own: Finclaw, options: tuple[str, ...]):
    assert own("run", "--session", "talk", "-m", own.script({"text": "Fine."}), "How?").code == 0
    (line,) = own("replay", "talk", *options, "-o", "ndjson").stdout.splitlines()
    assert isinstance(json.loads(line), dict)
