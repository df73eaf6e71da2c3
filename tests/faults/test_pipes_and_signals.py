"""Streams, signals and pipes: the last line and the exit code agree, whatever happens to the process."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, Ran, call, ended

PROMPTLY_S = 20
SLOW = {"text": "word " * 400, "delta_chars": 5, "delay_s": 0.05}


def finish(process: subprocess.Popen[bytes], before: bytes = b"") -> Ran:
    stdout, stderr = process.communicate(timeout=PROMPTLY_S)
    return Ran(process.returncode, before + stdout, stderr.decode())


def read_until(process: subprocess.Popen[bytes], mark: bytes) -> bytes:
    assert process.stdout is not None
    seen = b""
    while mark not in seen:
        line = process.stdout.readline()
        assert line, "\n".join(seen.decode().splitlines()[-8:])  # whole: a long repr would be cut in its middle
        seen += line
    return seen


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["INT", "TERM", "HUP"]
)
def test_a_signal_to_the_process_alone_ends_the_run_with_its_result(
    finclaw: Finclaw, number: signal.Signals, code: int
) -> None:
    process = finclaw.start("run", "-o", "ndjson", "-m", finclaw.script(SLOW), "x")
    before = read_until(process, b'"agent.delta"')
    process.send_signal(number)
    ran = finish(process, before)
    assert (ran.result["status"], ran.result["exit_code"], ran.code) == ("aborted", code, -number)
    assert ran.result["text"].startswith("word ")


def test_a_signal_while_a_tool_runs_gives_its_call_an_end(finclaw: Finclaw) -> None:
    model = finclaw.script({"tool_calls": [call("sleepy", seconds=60)]}, {"text": "never"})
    process = finclaw.start("run", "-o", "ndjson", "-m", model, "x")
    before = read_until(process, b'"running"')
    process.send_signal(signal.SIGINT)
    ran = finish(process, before)
    assert ended(ran.lines) == {"sleepy": "cancelled"}
    assert ran.result["exit_code"] == 130


def test_a_signal_before_there_is_a_prompt_still_gives_a_result(finclaw: Finclaw) -> None:
    process = finclaw.start("run", "-o", "ndjson", "-m", finclaw.script(SLOW), "-", stdin=subprocess.PIPE)
    waiting = Path(f"/proc/{process.pid}/wchan")
    while "pipe" not in waiting.read_text() and process.poll() is None:  # until it reads its stdin
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    ran = finish(process)
    assert (ran.result["status"], ran.result["turns"], ran.result["exit_code"]) == ("aborted", 0, 143)


def test_a_text_run_that_is_interrupted_keeps_what_was_said(finclaw: Finclaw) -> None:
    process = finclaw.start("run", "--stream", "-m", finclaw.script(SLOW), "x")
    assert process.stdout is not None
    first = process.stdout.read(5)
    process.send_signal(signal.SIGINT)
    ran = finish(process, first)
    assert ran.code == -signal.SIGINT
    assert ran.text.startswith("word ")
    assert ran.text.endswith("\n")


def test_a_second_signal_ends_the_process_at_once(finclaw: Finclaw) -> None:
    read_end, write_end = os.pipe()
    process = finclaw.start("run", "-o", "ndjson", "-m", finclaw.script({**SLOW, "delay_s": 0}), "x", stdout=write_end)
    os.close(write_end)
    assert os.read(read_end, 10)  # and then no more: the run waits for us
    process.send_signal(signal.SIGTERM)
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PROMPTLY_S) == -signal.SIGTERM
    os.close(read_end)


def test_a_reader_that_leaves_ends_the_run_quietly(finclaw: Finclaw) -> None:
    process = finclaw.start("run", "-o", "ndjson", "-m", finclaw.script(SLOW), "x")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(PROMPTLY_S) == -signal.SIGPIPE
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()


def test_head_ends_a_pipeline_with_141(finclaw: Finclaw) -> None:
    command = f"$FINCLAW run -o ndjson -m {finclaw.script(SLOW)} x | head -1; exit ${{PIPESTATUS[0]}}"
    done = finclaw.shell(command)
    assert done.returncode == 141
    assert done.stdout.count(b"\n") == 1


def test_a_reader_that_leaves_is_noticed_while_the_model_is_silent(finclaw: Finclaw) -> None:
    silent = {"text": "late", "delay_s": 60}
    process = finclaw.start("run", "-o", "ndjson", "-m", finclaw.script(silent), "x")
    read_until(process, b'"agent.turn_start"')
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(PROMPTLY_S) == -signal.SIGPIPE


@pytest.mark.parametrize("output", ["text", "ndjson", "json"])
def test_a_full_disk_is_an_error(finclaw: Finclaw, output: str) -> None:
    with Path("/dev/full").open("wb") as full:
        process = finclaw.start("run", "-o", output, "-m", finclaw.script({"text": "Hi."}), "x", stdout=full)
        _, stderr = process.communicate(timeout=PROMPTLY_S)
    assert process.returncode == 1
    assert b"No space left" in stderr


def test_a_stdout_that_is_closed_from_the_start_is_an_error(finclaw: Finclaw) -> None:
    command = f"$FINCLAW run -m {finclaw.script({'text': 'Hi.'})} x >&-"
    done = finclaw.shell(command)
    assert done.returncode == 1
    assert b"stdout is closed" in done.stderr


def test_a_reader_that_stalls_loses_nothing(finclaw: Finclaw) -> None:
    text = "0123456789" * 20_000
    process = finclaw.start("run", "-o", "ndjson", "-m", finclaw.script({"text": text, "delta_chars": 100}), "x")
    time.sleep(4)  # longer than the stall that made a peer lose its tail
    ran = finish(process)
    assert "".join(line["text"] for line in ran.of("agent.delta")) == text == ran.result["text"]


def test_an_open_but_silent_stdin_is_waited_for_only_so_long(finclaw: Finclaw) -> None:
    process = finclaw.start(
        "run",
        "-o",
        "ndjson",
        "--stdin-timeout",
        "0.2",
        "-m",
        finclaw.script({"text": "Hi."}),
        "x",
        stdin=subprocess.PIPE,
    )
    assert process.stdout is not None
    stdout = process.stdout.read()
    ran = Ran(process.wait(PROMPTLY_S), stdout, "")
    assert [line["code"] for line in ran.of("agent.warning")] == ["stdin_timeout"]
    assert ran.code == 0


def test_a_closed_stdin_is_no_prompt_and_no_problem(finclaw: Finclaw) -> None:
    command = f"$FINCLAW run -m {finclaw.script({'text': 'Hi.'})} x <&-"
    done = finclaw.shell(command)
    assert (done.returncode, done.stdout) == (0, b"Hi.\n")


def test_a_slow_reader_does_not_make_the_provider_look_slow(finclaw: Finclaw) -> None:
    model = finclaw.script({"text": "x" * 200_000, "delta_chars": 50})
    process = finclaw.start("run", "-o", "ndjson", "--idle-timeout", "0.5", "-m", model, "x")
    time.sleep(2)
    ran = finish(process)
    assert (ran.code, ran.of("agent.retry")) == (0, [])


def test_a_run_that_cannot_be_recorded_says_so(finclaw: Finclaw, tmp_path: Path) -> None:
    (tmp_path / "no-folder").write_text("a file")
    ran = finclaw(
        "run",
        "-o",
        "ndjson",
        "-m",
        finclaw.script({"text": "Hi."}),
        "x",
        env={"FINCLAW_HOME": str(tmp_path / "no-folder")},
    )
    assert (ran.result["status"], ran.result["error"]["code"], ran.code) == ("error", "record_failed", 1)


def test_twenty_thousand_deltas_pass_in_flat_memory(finclaw: Finclaw) -> None:
    model = finclaw.script({"text": "abcdefgh" * 20_000, "delta_chars": 8})
    small = finclaw.script({"text": "abcdefgh" * 200, "delta_chars": 8}, name="small.json")
    assert peak_kib(finclaw, model) - peak_kib(finclaw, small) < 8 * 1024


def peak_kib(finclaw: Finclaw, model: str) -> int:
    process = finclaw.start_cold("run", "-o", "ndjson", "-m", model, "x")
    assert process.stdout is not None
    counted = threading.Thread(target=process.stdout.read)
    counted.start()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    counted.join()
    assert process.returncode == 0
    return usage.ru_maxrss


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-"])
def test_closed_streams_beside_stdout_are_no_problem(finclaw: Finclaw, closed: str) -> None:
    done = finclaw.shell(f"$FINCLAW run -o ndjson -m {finclaw.script({'text': 'Hi.'})} x {closed}")
    assert Ran(done.returncode, done.stdout, "").result["text"] == "Hi."


@pytest.mark.parametrize("command", ["tools list", "--help", "--version", "config show", "tools call price symbol=A"])
@pytest.mark.parametrize("stdout", [">/dev/full", ">&-"])
def test_no_command_succeeds_when_its_words_cannot_be_written(finclaw: Finclaw, command: str, stdout: str) -> None:
    done = finclaw.shell(f"$FINCLAW {command} {stdout}")
    assert done.returncode == 1
    assert b"stdout" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_folder_that_is_gone_is_one_clear_error(finclaw: Finclaw) -> None:
    done = finclaw.shell("mkdir gone && cd gone && rmdir ../gone && $FINCLAW tools list")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"no longer exists" in done.stderr


@pytest.mark.parametrize("more", ["-f pipe x", "--schema pipe x", "x < pipe"])
def test_the_time_limit_also_ends_a_wait_for_input(finclaw: Finclaw, more: str) -> None:
    done = finclaw.shell(
        f"mkfifo pipe; exec 9<>pipe; printf a >&9; $FINCLAW run -o ndjson --timeout 0.5 -m {finclaw.script({'text': 'x'})} {more}"
    )
    assert Ran(done.returncode, done.stdout, "").result["status"] == "timeout"


def test_a_listing_whose_reader_leaves_ends_as_any_command_does(finclaw: Finclaw) -> None:
    done = finclaw.shell("(sleep 1; $FINCLAW events schema) | true; exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_terminal_that_hangs_up_ends_the_run_as_its_record_says(finclaw: Finclaw) -> None:
    for mode in ((), ("--plain",), ("-o", "ndjson")):
        leader, follower = pty.openpty()
        process = finclaw.start("run", *mode, "-m", finclaw.script(SLOW), "x", stdout=follower, stderr=follower)
        os.close(follower)
        seen = b""
        while b"word" not in seen:
            seen += os.read(leader, 65_536)
        os.close(leader)
        assert process.wait(PROMPTLY_S) == -signal.SIGHUP


def test_a_signal_in_the_first_moments_still_gives_a_result(finclaw: Finclaw) -> None:
    process = finclaw.start("run", "-o", "ndjson", "-m", finclaw.script(SLOW), "x")
    time.sleep(0.15)  # somewhere in its imports
    process.send_signal(signal.SIGTERM)
    ran = finish(process)
    assert (ran.result["status"], ran.code) == ("aborted", -signal.SIGTERM)
