"""`finclaw run` against a loopback server, in each of the three dialects, by either transport."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.by_agent import by_agent
from tests.e2e.dialects import Anthropic, Chat, Dialect, Responses
from tests.e2e.harness import Finclaw, Ran, ended
from tests.e2e.over import over
from tests.wire.server import Ending, Reply, threaded
from tests.wire.transports import TRANSPORTS

DIALECTS = [Anthropic(), Chat(), Responses()]
each_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=["anthropic", "chat", "responses"])
CANARY = "sk-canary-0123456789abcdef"


@pytest.fixture(params=TRANSPORTS)
def finclaw(request: pytest.FixtureRequest, finclaw: Finclaw) -> Finclaw:
    return over(request.param, by_agent(finclaw))


def ask(finclaw: Finclaw, dialect: Dialect, url: str, *more: str) -> Ran:
    base = url if isinstance(dialect, Anthropic) else f"{url}/v1"
    arguments = ("run", "-o", "ndjson", "-m", dialect.model, "--base-url", base, *more, "How is ACME?")
    ran = finclaw(*arguments, env={dialect.key: CANARY})
    assert CANARY not in ran.stdout.decode() + ran.stderr
    return ran


@each_dialect
def test_text(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(dialect.text("ACME is fine. 한국어 👋")) as server:
        ran = ask(finclaw, dialect, server.url)
    assert (ran.result["text"], ran.code) == ("ACME is fine. 한국어 👋", 0)
    assert (ran.result["usage"]["input"], ran.result["usage"]["output"]) == (10, 7)


@each_dialect
def test_every_byte_in_a_packet_of_its_own(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(replace(dialect.text("한국어 👋"), split="bytes")) as server:
        assert ask(finclaw, dialect, server.url).result["text"] == "한국어 👋"


@each_dialect
def test_one_tool(finclaw: Finclaw, dialect: Dialect) -> None:
    replies = (dialect.calls(("call_1", "price", {"symbol": "ACME"})), dialect.text("42.10"))
    with threaded(*replies) as server:
        ran = ask(finclaw, dialect, server.url)
        sent = dialect.results(server.bodies[1])
    assert [json.loads(result)["close"] for result in sent] == ["42.10"]
    assert (ended(ran.lines), ran.code) == ({"price": "completed"}, 0)


@each_dialect
@pytest.mark.parametrize("interleaved", [False, True], ids=["in turn", "interleaved"])
def test_two_parallel_tools(finclaw: Finclaw, dialect: Dialect, interleaved: bool) -> None:
    calls = (("call_1", "sleepy", {"seconds": 0.3}), ("call_2", "price", {"symbol": "B"}))
    with threaded(dialect.calls(*calls, interleaved=interleaved), dialect.text("ok")) as server:
        ran = ask(finclaw, dialect, server.url)
        sent = dialect.results(server.bodies[1])
    assert [result[:5] for result in sent] == ["slept", '{"sym']
    assert ended(ran.lines) == {"sleepy": "completed", "price": "completed"}


def test_thinking_is_echoed_with_its_signature(finclaw: Finclaw) -> None:
    dialect = Anthropic()
    with threaded(dialect.thinking_then(("c1", "price", {"symbol": "A"})), dialect.text("ok")) as server:
        ran = ask(finclaw, dialect, server.url)
        echoed = server.bodies[1]["messages"][1]["content"]
    assert echoed[0] == {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmVk"}
    assert [line["text"] for line in ran.of("agent.reasoning") if line["text"]] == ["Hm."]


@each_dialect
@pytest.mark.parametrize("ending", ["clean", "cut", "reset"])
def test_a_stream_that_ends_early_is_retried_and_runs_nothing(
    finclaw: Finclaw, dialect: Dialect, ending: Ending
) -> None:
    whole = dialect.calls(("call_1", "price", {"symbol": "ACME"}))
    cut = replace(whole, cut_at=len(whole.body) * 2 // 3, ending=ending)
    with threaded(cut, dialect.text("well again")) as server:
        ran = ask(finclaw, dialect, server.url)
    assert len(ran.of("agent.retry")) == 1
    assert ended(ran.lines) == {}
    assert (ran.result["text"], ran.code) == ("well again", 0)


@each_dialect
def test_a_stream_that_always_ends_early_is_an_error(finclaw: Finclaw, dialect: Dialect) -> None:
    whole = dialect.text("Half an answer is worse than none.")
    with threaded(replace(whole, cut_at=len(whole.body) // 2)) as server:
        ran = ask(finclaw, dialect, server.url)
        assert len(server.requests) == 3
    assert (ran.result["error"]["code"], ran.result["text"], ran.code) == ("stream_truncated", "", 4)


@each_dialect
def test_an_error_inside_a_stream_with_status_200_is_retried(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(dialect.failing_inside(), dialect.text("whole")) as server:
        ran = ask(finclaw, dialect, server.url)
    assert [line["discard"] for line in ran.of("agent.retry")] == [True]
    assert (ran.result["text"], ran.code) == ("whole", 0)


@each_dialect
def test_429_waits_as_long_as_the_server_asks(finclaw: Finclaw, dialect: Dialect) -> None:
    slow_down = dialect.error(429, "rate_limit_error", "slow down", **{"Retry-After": "1"})
    with threaded(slow_down, dialect.text("ok")) as server:
        ran = ask(finclaw, dialect, server.url)
        assert server.requests[1].at - server.requests[0].at >= 1
    assert (ran.of("agent.retry")[0]["reason"], ran.code) == ("rate_limit", 0)


@each_dialect
def test_529_is_retried_and_then_an_error_of_the_provider(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(dialect.error(529, "overloaded_error", "Overloaded")) as server:
        ran = ask(finclaw, dialect, server.url)
        assert len(server.requests) == 3
    assert (ran.result["error"]["status"], ran.code) == (529, 4)


@each_dialect
def test_a_billing_429_is_not_retried(finclaw: Finclaw, dialect: Dialect) -> None:
    kind = "enforced_spend_limit_reached" if isinstance(dialect, Anthropic) else "insufficient_quota"
    with threaded(dialect.error(429, kind, "You exceeded your current quota")) as server:
        ran = ask(finclaw, dialect, server.url)
        assert len(server.requests) == 1
    assert (ran.result["error"]["retryable"], ran.code) == (False, 3)


@each_dialect
def test_refused_credentials_say_which_variable_to_look_at(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(dialect.error(401, "authentication_error", "invalid key")) as server:
        ran = ask(finclaw, dialect, server.url)
        assert len(server.requests) == 1
    assert dialect.key in ran.result["error"]["hint"]
    assert ran.code == 3


@each_dialect
def test_a_context_that_overflows_has_its_own_code(finclaw: Finclaw, dialect: Dialect) -> None:
    kind = "invalid_request_error" if isinstance(dialect, Anthropic) else "context_length_exceeded"
    with threaded(dialect.error(400, kind, "prompt is too long: 210000 tokens > 200000 maximum")) as server:
        ran = ask(finclaw, dialect, server.url)
        assert len(server.requests) == 1
    assert ran.code == 5


@each_dialect
def test_a_refusal_is_shown_and_has_its_own_code(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(dialect.refused()) as server:
        ran = ask(finclaw, dialect, server.url)
    assert (ran.result["text"], ran.result["stop_reason"], ran.code) == ("I can't.", "refusal", 9)


@each_dialect
def test_an_answer_cut_off_by_its_token_limit_is_not_a_success(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(dialect.cut_short()) as server:
        ran = ask(finclaw, dialect, server.url)
    assert (ran.result["text"], ran.result["stop_reason"], ran.code) == ("half an ans", "max_tokens", 9)


@each_dialect
def test_a_server_that_is_not_there_is_an_error_of_the_provider(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(Reply()) as server:
        url = server.url
    ran = ask(finclaw, dialect, url)
    assert (ran.result["error"]["code"] != "internal", ran.code) == (True, 4)


@each_dialect
def test_a_page_of_html_is_no_answer(finclaw: Finclaw, dialect: Dialect) -> None:
    page = Reply(body=b"<html>Welcome to nginx!</html>", content_type="text/html", framing="length")
    with threaded(page) as server:
        ran = ask(finclaw, dialect, server.url)
    assert ran.code == 4
    assert "base-url" in ran.result["error"]["hint"]


@each_dialect
def test_failover_carries_the_conversation_to_another_dialect(
    finclaw: Finclaw, dialect: Dialect, tmp_path: Path
) -> None:
    other = Chat() if not isinstance(dialect, Chat) else Anthropic()
    first = dialect.calls(("call_1", "price", {"symbol": "ACME"}))
    with (
        threaded(first, dialect.error(500, "api_error", "down")) as sick,
        threaded(other.text("42.10, said the other")) as well,
    ):
        base = well.url if isinstance(other, Anthropic) else f"{well.url}/v1"
        home = tmp_path / "home"
        home.mkdir()
        shutil.copy(finclaw.home / "trust.json", home)
        (home / "config.toml").write_text(f'[providers.{other.model.partition(":")[0]}]\nbase_url = "{base}"\n')
        own = replace(finclaw, home=home)
        ran = ask(own, dialect, sick.url, "--fallback", other.model)
        assert [json.loads(result)["close"] for result in other.results(well.bodies[0])] == ["42.10"]
    assert (ran.result["text"], ran.result["model"], ran.code) == ("42.10, said the other", other.model, 0)


def spun_out(reply: Reply) -> Reply:
    """The same answer with its one delta said two thousand times, an event every few milliseconds."""
    events = reply.body.split(b"\n\n")
    place = next(n for n, event in enumerate(events) if b"delta" in event and b"word " in event)
    body = b"\n\n".join([*events[:place], *[events[place]] * 2_000, *events[place + 1 :]])
    return replace(reply, body=body, split="events", delay_s=0.005)


@each_dialect
def test_ctrl_c_in_the_middle_closes_the_connection_and_keeps_what_was_said(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(spun_out(dialect.text("word "))) as server:
        base = server.url if isinstance(dialect, Anthropic) else f"{server.url}/v1"
        arguments = ("run", "-o", "ndjson", "-m", dialect.model, "--base-url", base, "x")
        process = finclaw.start(*arguments, stderr=subprocess.DEVNULL)
        assert process.stdout is not None
        before = b""
        while b'"agent.delta"' not in before:
            before += process.stdout.readline()
        process.send_signal(signal.SIGINT)
        ran = Ran(process.wait(10), before + process.stdout.read(), "")
        deadline = time.monotonic() + 5
        while server.requests[0].left_at is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert server.requests[0].left_at is not None
    assert ran.result["text"].startswith("word ")
    assert (ran.result["status"], ran.result["exit_code"], ran.code) == ("aborted", 130, -signal.SIGINT)


@each_dialect
def test_a_redirect_is_not_followed(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(dialect.text("stolen")) as elsewhere:
        moved = Reply(status=307, headers={"Location": f"{elsewhere.url}/v1/x"}, framing="length")
        with threaded(moved) as server:
            ran = ask(finclaw, dialect, server.url)
        assert elsewhere.requests == []
    assert ran.code == 4


@each_dialect
def test_a_key_that_the_server_echoes_is_shown_nowhere(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(dialect.error(400, "bad", f"bad header Authorization: Bearer {CANARY}")) as server:
        ask(finclaw, dialect, server.url, "--debug")
    kept = b"".join(path.read_bytes() for path in finclaw.home.rglob("*.jsonl"))
    assert CANARY.encode() not in kept


@each_dialect
def test_a_stream_that_stops_is_noticed_by_the_idle_clock(finclaw: Finclaw, dialect: Dialect) -> None:
    whole = dialect.text("some words")
    stuck = replace(whole, cut_at=len(whole.body) * 3 // 4, stall=True)
    with threaded(stuck) as server:
        ran = ask(finclaw, dialect, server.url, "--idle-timeout", "0.3", "--retry-attempts", "1")
    assert (ran.result["error"]["code"], ran.code) == ("stream_stalled", 4)


@each_dialect
def test_a_bad_request_is_told_in_the_servers_words_and_never_by_its_status(finclaw: Finclaw, dialect: Dialect) -> None:
    with threaded(dialect.error(400, "invalid_request_error", "tools.0: nonsense")) as server:
        ran = ask(finclaw, dialect, server.url)
        assert len(server.requests) == 1
    assert "tools.0: nonsense" in ran.result["error"]["message"]
    assert (ran.result["status"], ran.result["error"]["status"], ran.code) == ("error", 400, 4)


@each_dialect
def test_a_second_message_carries_the_whole_conversation(finclaw: Finclaw, dialect: Dialect) -> None:
    messages = b'{"type":"user","text":"one"}\n{"type":"user","text":"two"}\n'
    replies = (dialect.calls(("c1", "price", {"symbol": "A"})), dialect.text("first"), dialect.text("second"))
    with threaded(*replies) as server:
        base = server.url if isinstance(dialect, Anthropic) else f"{server.url}/v1"
        arguments = ("-o", "ndjson", "--input-format", "ndjson", "-m", dialect.model, "--base-url", base)
        ran = finclaw("run", *arguments, stdin=messages)
        sent = json.dumps(server.bodies[2])
    assert [line["text"] for line in ran.of("agent.result")] == ["first", "second"]
    assert all(said in sent for said in ('"one"', "42.10", '"first"', '"two"'))


@each_dialect
def test_a_session_that_goes_on_in_another_process_carries_the_whole_conversation(
    own: Finclaw, dialect: Dialect
) -> None:
    replies = (dialect.calls(("c1", "price", {"symbol": "A"})), dialect.text("first"), dialect.text("second"))
    with threaded(*replies) as server:
        base = server.url if isinstance(dialect, Anthropic) else f"{server.url}/v1"
        for question in ("one", "two"):
            ran = own("run", "-o", "ndjson", "-m", dialect.model, "--base-url", base, "--session", "talk", question)
        sent = json.dumps(server.bodies[2])
    assert (ran.result["text"], ran.code) == ("second", 0)
    assert all(said in sent for said in ('"one"', "42.10", '"first"', '"two"'))
