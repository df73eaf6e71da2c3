"""Whatever the code of a plugin's provider does, a run ends in time, with an error that names the plugin."""

from __future__ import annotations

import json
import signal

import pytest

from tests.e2e.harness import Finclaw, Ran
from tests.e2e.trusted import Trusted, module_source
from tests.plugins.faulty_provider import CHUNKS, ERRORS, STREAMS

ENV = {"FINCLAW_PLUGINS": "acme-provider"}
OWN_ERRORS = {"long-provider"}
END_IT_S = 25


@pytest.fixture
def faulty(own: Finclaw, trusted: Trusted) -> Finclaw:
    return trusted(own, "acme-provider", module_source("plugins/faulty_provider"))


def ask(faulty: Finclaw, mode: str, *options: str) -> Ran:
    arguments = ("run", "-o", "ndjson", "--events", "all", *options, "-m", f"acme:{mode}", "x")
    return faulty(*arguments, env=ENV, timeout=END_IT_S)


def assert_names_the_plugin(ran: Ran) -> None:
    error = ran.result["error"]
    assert (ran.code, error["code"]) == (4, "plugin_failed")
    assert '"acme"' in error["message"]
    assert "acme-provider" in error["message"]
    assert "bug in finclaw" not in ran.stderr
    assert "Traceback" not in ran.stderr
    assert len(ran.stderr) < 10_000
    assert len(error["message"]) < 5_000


@pytest.mark.parametrize("mode", ["first/swallows", "swallows", "last/swallows", "blocks", "large-flood"])
def test_a_provider_that_does_not_end_is_left_when_the_time_of_the_run_is_up(faulty: Finclaw, mode: str):
    ran = ask(faulty, mode, "--timeout", "1")
    assert (ran.code, ran.result["status"]) == (124, "timeout")
    assert [line["status"] for line in ran.of("budget.spent")] == ["interrupted"]
    (session,) = (faulty.home / "sessions").glob("*.jsonl")
    assert '"agent.result"' in session.read_text().splitlines()[-1]


def test_a_run_whose_default_executor_is_full_ends_with_its_result(faulty: Finclaw):
    ran = ask(faulty, "fills", "--timeout", "10")
    assert (ran.code, ran.result["text"]) == (0, "half")


def test_a_callback_that_raises_an_exit_does_not_end_the_event_loop(faulty: Finclaw):
    ran = ask(faulty, "raises-beside", "--timeout", "10")
    assert (ran.code, ran.result["text"]) == (0, "half")


@pytest.mark.parametrize("error", sorted(set(ERRORS) - OWN_ERRORS - {"slow"}))
def test_what_a_provider_raises_is_a_fault_of_its_plugin(faulty: Finclaw, error: str):
    assert_names_the_plugin(ask(faulty, error))


def test_an_exception_whose_text_takes_forever_does_not_outlive_the_run(faulty: Finclaw):
    ran = ask(faulty, "slow", "--timeout", "1")
    assert ran.code in {4, 124}
    assert ran.result["exit_code"] == ran.code


def test_an_error_of_a_provider_is_cut_to_a_bounded_length(faulty: Finclaw):
    ran = ask(faulty, "long-provider")
    assert (ran.code, ran.result["error"]["code"]) == (4, "bad_request")
    assert "50,000,000 characters" in ran.result["error"]["message"]
    assert len(ran.stderr) < 10_000
    assert len(ran.stdout) < 100_000


@pytest.mark.parametrize("chunk", sorted(CHUNKS))
def test_what_is_no_chunk_is_a_fault_of_the_plugin(faulty: Finclaw, chunk: str):
    assert_names_the_plugin(ask(faulty, chunk))


@pytest.mark.parametrize("stream", sorted([*STREAMS, "coroutine"]))
def test_what_is_no_stream_is_a_fault_of_the_plugin(faulty: Finclaw, stream: str):
    assert_names_the_plugin(ask(faulty, stream))


@pytest.mark.parametrize("error", sorted(set(ERRORS) - OWN_ERRORS - {"slow", "wrong-reason"}))
def test_a_provider_that_cannot_be_made_is_a_fault_of_its_plugin(faulty: Finclaw, error: str):
    assert_names_the_plugin(ask(faulty, "x", "--base-url", f"http://127.0.0.1:9/{error}"))


@pytest.mark.parametrize("mode", ["large-delta", "large-answer"])
def test_an_answer_that_is_too_large_is_refused(faulty: Finclaw, mode: str):
    ran = ask(faulty, mode)
    assert (ran.code, ran.result["error"]["code"]) == (4, "stream_oversized")
    assert "acme" in ran.result["error"]["message"]


@pytest.mark.parametrize("error", ["interrupt", "silent", "long"])
def test_another_model_asked_again_reports_the_fault_of_its_plugin(faulty: Finclaw, error: str):
    recorded = faulty("run", "-o", "ndjson", "--session", "one", "-m", faulty.script({"text": "ok"}), "x", env=ENV)
    assert recorded.code == 0
    ran = faulty("replay", "one", "-m", f"acme:{error}", env=ENV, timeout=END_IT_S)
    assert (ran.code, "acme-provider" in ran.stderr) == (4, True)
    assert len(ran.stderr) < 10_000


@pytest.mark.parametrize("mode", ["swallows", "fills"])
def test_another_model_asked_again_does_not_outlive_its_time(faulty: Finclaw, mode: str):
    assert faulty("run", "--session", "one", "-m", faulty.script({"text": "ok"}), "x", env=ENV).code == 0
    ran = faulty("replay", "one", "-m", f"acme:{mode}", env={**ENV, "FINCLAW_TIMEOUT": "2"}, timeout=END_IT_S)
    assert ran.code == (124 if mode == "swallows" else 0), ran.stderr


def test_a_plugin_whose_hook_no_longer_works_is_named(faulty: Finclaw):
    ran = faulty("run", "-o", "ndjson", "-m", "acme:x", "x", env={**ENV, "ACME_HOOK": "fails"}, timeout=END_IT_S)
    assert_names_the_plugin(ran)


def test_debug_shows_where_the_code_of_a_provider_failed(faulty: Finclaw):
    ran = ask(faulty, "value", "--debug")
    assert ran.code == 4
    assert "ValueError: no such thing" in ran.stderr
    assert "acme_provider.py" in ran.stderr


def test_debug_shows_no_more_of_a_long_error_than_fits_a_screen_or_two(faulty: Finclaw):
    assert len(ask(faulty, "long", "--debug").stderr) < 50_000


def test_one_signal_ends_a_run_whose_provider_ignores_its_cancellation(faulty: Finclaw):
    process = faulty.start("run", "-o", "ndjson", "-m", "acme:swallows", "x", env=ENV)
    assert process.stdout is not None
    lines = iter(process.stdout)
    assert any(json.loads(line)["type"] == "agent.delta" for line in lines)
    process.terminate()
    last = list(lines)[-1]
    assert json.loads(last)["status"] == "aborted"
    assert process.wait(END_IT_S) == -signal.SIGTERM
