"""Answers that were paid for are kept, and no turn is asked for twice."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.e2e.dialects import Anthropic, Chat
from tests.e2e.harness import Finclaw, Ran
from tests.wire.server import Reply, anthropic_sse, openai_sse, threaded

pytestmark = pytest.mark.by_agent

SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "ACME"}}


def ask(finclaw: Finclaw, url: str, *arguments: str, model: str = "anthropic:claude-test") -> Ran:
    base = ("--base-url", url)
    return finclaw("run", "-o", "ndjson", "-m", model, *base, "--retry-attempts", "1", *arguments, "Hello?")


def turn(*blocks: dict[str, Any], stop: str) -> Reply:
    begin = {"type": "message_start", "message": {"usage": {"input_tokens": 10, "output_tokens": 1}}}
    events: list[dict[str, Any]] = [begin]
    for index, block in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events.append({"type": "content_block_stop", "index": index})
    end = {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 7}}
    return Reply(body=anthropic_sse([*events, end, {"type": "message_stop"}]))


class TestWindowExceeded:
    def test_what_was_said_is_kept_as_of_an_answer_that_was_cut_off(self, finclaw: Finclaw) -> None:
        with threaded(turn({"type": "text", "text": "half an ans"}, stop="model_context_window_exceeded")) as server:
            ran = ask(finclaw, server.url)
            assert len(server.requests) == 1
        assert (ran.result["text"], ran.result["stop_reason"], ran.code) == ("half an ans", "context_exceeded", 9)

    def test_where_nothing_was_said_there_is_nothing_to_keep(self, finclaw: Finclaw) -> None:
        with threaded(turn(stop="model_context_window_exceeded")) as server:
            ran = ask(finclaw, server.url)
        assert (ran.result["text"], ran.result["error"]["code"], ran.code) == ("", "context_exceeded", 5)


class TestPause:
    def test_the_providers_own_blocks_alone_are_sent_back(self, own: Finclaw) -> None:
        with threaded(turn(SEARCH, stop="pause_turn"), Anthropic().text("found")) as server:
            ran = ask(own, server.url, "--session", "s")
            assert server.bodies[1]["messages"][1]["content"] == [SEARCH]
        assert (ran.result["text"], ran.result["turns"], ran.code) == ("found", 2, 0)
        assert own("replay", "--verify", "s").code == 0

    def test_they_are_kept_for_the_next_question(self, own: Finclaw) -> None:
        with threaded(turn(SEARCH, stop="pause_turn"), Anthropic().text("found"), Anthropic().text("well")) as server:
            ask(own, server.url, "--session", "s")
            ran = ask(own, server.url, "--session", "s")
            assert SEARCH in server.bodies[2]["messages"][1]["content"]
        assert (ran.result["text"], ran.code) == ("well", 0)

    def test_a_pause_after_nothing_is_not_asked_again(self, finclaw: Finclaw) -> None:
        with threaded(turn(stop="pause_turn")) as server:
            ran = ask(finclaw, server.url)
            assert len(server.requests) == 1
        assert [line["code"] for line in ran.of("agent.warning")][-1:] == ["empty_answer"]


class TestSchema:
    def test_an_answer_of_another_form_is_kept_in_the_result(self, finclaw: Finclaw) -> None:
        with threaded(Anthropic().text("forty-two")) as server:
            ran = ask(finclaw, server.url, "--schema", "close:number")
        error = ran.result["error"]["code"]
        assert (ran.result["text"], ran.result["output"], error, ran.code) == (
            "forty-two",
            None,
            "schema_unsatisfied",
            12,
        )

    def test_it_is_not_written_where_its_form_counts(self, finclaw: Finclaw) -> None:
        with threaded(Anthropic().text("forty-two")) as server:
            ran = ask(finclaw, server.url, "-o", "text", "--schema", "close:number", "--last-message", "last.txt")
        assert (ran.stdout, (finclaw.cwd / "last.txt").read_text(), ran.code) == (b"", "", 12)


class TestBrokenEnd:
    def test_a_stop_reason_without_message_stop_is_refused_and_says_so(self, finclaw: Finclaw) -> None:
        whole = Anthropic().text("All of it.")
        cut = replace(whole, body=whole.body[: whole.body.index(b"event: message_stop")])
        with threaded(cut) as server:
            ran = ask(finclaw, server.url)
        error = ran.result["error"]
        assert (error["code"], "message_stop" in error["message"], ran.code) == ("stream_truncated", True, 4)

    @pytest.mark.parametrize("ending", ["cut", "reset"])
    def test_a_tool_waits_for_more_than_the_reason_to_stop(self, finclaw: Finclaw, ending: Any) -> None:
        whole = Chat().calls(("c1", "price", {"symbol": "ACME"}))
        place = whole.body.index(b"data: [DONE]")
        with threaded(replace(whole, cut_at=place, ending=ending)) as server:
            ran = ask(finclaw, f"{server.url}/v1", model="openai-chat:x")
        assert [line["status"] for line in ran.of("agent.tool_call")] == ["announced"]
        assert (ran.result["error"]["code"], ran.code) == ("disconnected", 4)


class TestFailedTurn:
    def test_the_next_question_is_sent_in_one_message_with_the_one_that_failed(self, own: Finclaw) -> None:
        with threaded(Chat().error(500, "api_error", "down"), Chat().text("well")) as server:
            for _ in range(2):
                ran = ask(own, f"{server.url}/v1", "--session", "s", model="openai-chat:x")
            roles = [message["role"] for message in server.bodies[1]["messages"]]
            assert server.bodies[1]["messages"][-1]["content"] == "Hello?\n\nHello?"
        assert (roles.count("user"), ran.result["text"], ran.code) == (1, "well", 0)


class TestThinkTags:
    def test_what_stands_between_them_is_reasoning_and_goes_back_as_it_came(self, own: Finclaw) -> None:
        pieces = ["<th", "ink>Let me ", "see.</thi", "nk>\n\nIt is ", "42."]
        said = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
        end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        with threaded(Reply(body=openai_sse([*said, end])), Chat().text("well")) as server:
            ran = ask(own, f"{server.url}/v1", "--session", "s", model="openai-chat:x")
            ask(own, f"{server.url}/v1", "--session", "s", model="openai-chat:x")
            echoed = [message for message in server.bodies[1]["messages"] if message["role"] == "assistant"]
        assert (ran.result["text"], ran.code) == ("It is 42.", 0)
        assert "".join(line["text"] for line in ran.of("agent.reasoning")) == "Let me see."
        assert [message["content"] for message in echoed] == ["".join(pieces)]
        assert "think>" not in json.dumps([line["text"] for line in ran.of("agent.delta")])
