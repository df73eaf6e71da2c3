"""What goes out over both wires: one test per rule of the round trip."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from finclaw_cli.core.chunks import RawTurn
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message, ReasoningBlock, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.providers.openai.chat_encode import encode_chat
from finclaw_cli.providers.openai.profiles import ChatProfile, ResponsesProfile, chat_profile
from finclaw_cli.providers.openai.responses_encode import encode_responses
from tests.wire.openai_responses_wire import function, message, reasoning
from tests.wire.openai_turns import MODEL, QUESTION, TOOL_QUESTION, TOOLS

DEFAULT = ChatProfile()
OPENAI = chat_profile("https://api.openai.com/v1")
MISTRAL = chat_profile("https://api.mistral.ai/v1")
SCHEMA: JsonObject = {"type": "object"}


def chat(request: ModelRequest, profile: ChatProfile = DEFAULT) -> Any:
    return encode_chat(request, profile)


def responses(request: ModelRequest, profile: ResponsesProfile | None = None) -> Any:
    return encode_responses(request, profile or ResponsesProfile())


def talk(*messages: Message) -> ModelRequest:
    return replace(QUESTION, messages=messages)


def results(*blocks: ToolResultBlock | TextBlock) -> Message:
    return Message("tool", blocks)


CALLED = Message(
    "assistant",
    (
        ReasoningBlock("secret", "sig"),
        TextBlock("One "),
        TextBlock("moment."),
        ToolUseBlock("c1", "pay", {"amount": Decimal("0.10"), "to": "bob"}),
        ToolUseBlock("c2", "balance", {}),
    ),
)
ANSWERED = results(ToolResultBlock("c1", "paid"), ToolResultBlock("c2", "no such account", is_error=True))


def raw(dialect: str, *blocks: JsonObject, model: str = MODEL) -> Message:
    return Message("assistant", (TextBlock("ours"),), raw=RawTurn(dialect=dialect, model=model, blocks=blocks))


class TestChat:
    def test_the_system_prompt_comes_first_and_the_messages_last(self) -> None:
        body = chat(replace(QUESTION, system="be brief"))
        assert body["messages"] == [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "hello"},
        ]
        assert list(body)[-1] == "messages"
        assert body["stream"] is True
        assert body["stream_options"] == {"include_usage": True}

    def test_tools_are_sorted_by_name_and_left_out_where_there_are_none(self) -> None:
        assert "tools" not in chat(QUESTION)
        tools = chat(TOOL_QUESTION)["tools"]
        assert [tool["function"]["name"] for tool in tools] == ["balance", "pay"]
        assert tools[1] == {
            "type": "function",
            "function": {"name": "pay", "description": "does pay", "parameters": TOOLS[0].input_schema},
        }
        assert "parallel_tool_calls" not in chat(TOOL_QUESTION)

    def test_another_providers_turn_is_rebuilt_without_its_thinking(self) -> None:
        assistant = chat(talk(CALLED))["messages"][0]
        assert assistant == {
            "role": "assistant",
            "content": "One moment.",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "pay", "arguments": '{"amount":0.1,"to":"bob"}'}},
                {"id": "c2", "type": "function", "function": {"name": "balance", "arguments": "{}"}},
            ],
        }

    def test_every_result_is_a_message_of_its_own_directly_behind_the_calls_errors_said_in_words(self) -> None:
        told = chat(talk(CALLED, results(TextBlock("by the way"), *ANSWERED.content)))["messages"][1:]  # type: ignore[misc, arg-type]
        assert told == [
            {"role": "tool", "tool_call_id": "c1", "content": "paid"},
            {"role": "tool", "tool_call_id": "c2", "content": "Error: no such account"},
            {"role": "user", "content": "by the way"},
        ]

    def test_an_error_that_says_so_itself_is_not_called_one_twice(self) -> None:
        told = chat(talk(results(ToolResultBlock("c1", "Error: no", is_error=True))))["messages"]
        assert told[0]["content"] == "Error: no"

    def test_content_is_null_only_beside_calls(self) -> None:
        silent = Message("assistant", (ToolUseBlock("c1", "pay", {}),))
        assert chat(talk(silent))["messages"][0]["content"] is None
        assert chat(talk(Message("assistant", ())))["messages"][0] == {"role": "assistant", "content": ""}

    def test_our_own_dialects_turn_goes_back_verbatim(self) -> None:
        said: JsonObject = {
            "role": "assistant",
            "content": None,
            "reasoning_content": "hm",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "pay", "arguments": '{ "a" : 1.50 }'},
                    "extra_content": {"google": {"thought_signature": "x"}},
                }
            ],
        }
        assert chat(talk(raw("openai-chat", said)))["messages"] == [said]

    @pytest.mark.parametrize(("dialect", "model"), [("openai-responses", MODEL), ("openai-chat", "another")])
    def test_a_turn_of_another_dialect_or_model_is_not_echoed(self, dialect: str, model: str) -> None:
        told = chat(talk(raw(dialect, {"role": "assistant", "content": "theirs"}, model=model)))["messages"]
        assert told == [{"role": "assistant", "content": "ours"}]

    def test_limits_temperature_and_schema_go_under_the_servers_names(self) -> None:
        request = replace(QUESTION, temperature=0.2, max_output_tokens=5, schema=SCHEMA)
        body = chat(request)
        assert (body["temperature"], body["max_tokens"]) == (0.2, 5)
        assert body["response_format"] == {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": SCHEMA, "strict": False},
        }
        assert chat(request, OPENAI)["max_completion_tokens"] == 5
        assert "max_tokens" not in chat(request, OPENAI)
        assert "stream_options" not in chat(request, MISTRAL)

    def test_vendors_fields_do_not_go_to_servers_that_refuse_them(self) -> None:
        said: JsonObject = {"role": "assistant", "content": "Hi", "reasoning_content": "hm", "reasoning_details": []}
        assert chat(talk(raw("openai-chat", said)), MISTRAL)["messages"] == [{"role": "assistant", "content": "Hi"}]

    def test_mistral_gets_ids_of_nine_letters_the_same_for_call_and_result(self) -> None:
        told = chat(talk(CALLED, ANSWERED), MISTRAL)["messages"]
        ids = [call["id"] for call in told[0]["tool_calls"]]
        assert all(len(identifier) == 9 and identifier.isalnum() for identifier in ids)
        assert ids == [answer["tool_call_id"] for answer in told[1:]]
        kept: JsonObject = {"role": "assistant", "content": None, "tool_calls": [{"id": "abcDEF123"}]}
        assert chat(talk(raw("openai-chat", kept)), MISTRAL)["messages"] == [kept]

    def test_padded_reasoning_is_added_only_to_turns_with_calls(self) -> None:
        padded = replace(DEFAULT, padded_reasoning=True)
        told = chat(talk(CALLED, Message("assistant", "Hi")), padded)["messages"]
        assert told[0]["reasoning_content"] == ""
        assert "reasoning_content" not in told[1]

    @pytest.mark.parametrize(
        ("url", "limit"),
        [
            ("https://api.openai.com/v1", "max_completion_tokens"),
            ("https://me.openai.azure.com/openai/v1", "max_completion_tokens"),
            ("https://notapi.openai.com.example/v1", "max_tokens"),
            ("http://localhost:11434/v1", "max_tokens"),
        ],
    )
    def test_profiles_are_chosen_by_the_whole_host(self, url: str, limit: str) -> None:
        assert chat_profile(url).max_tokens == limit


class TestResponses:
    def test_the_request_is_stateless_and_asks_for_reasoning_it_can_send_back(self) -> None:
        body = responses(replace(QUESTION, system="be brief", temperature=0.5, schema=SCHEMA))
        assert body["store"] is False
        assert body["include"] == ["reasoning.encrypted_content"]
        assert body["instructions"] == "be brief"
        assert body["temperature"] == 0.5
        assert body["text"] == {"format": {"type": "json_schema", "name": "answer", "schema": SCHEMA, "strict": False}}
        assert body["input"] == [{"role": "user", "content": "hello"}]
        assert list(body)[-1] == "input"
        assert "previous_response_id" not in body

    def test_tools_are_flat_sorted_and_not_strict(self) -> None:
        body = responses(TOOL_QUESTION)
        assert [tool["name"] for tool in body["tools"]] == ["balance", "pay"]
        assert body["tools"][0]["strict"] is False
        assert body["parallel_tool_calls"] is True
        assert not {"tools", "parallel_tool_calls"} & set(responses(QUESTION))

    def test_a_limit_below_the_least_is_raised_to_it(self) -> None:
        assert responses(replace(QUESTION, max_output_tokens=1))["max_output_tokens"] == 16
        assert responses(replace(QUESTION, max_output_tokens=99))["max_output_tokens"] == 99

    def test_items_go_back_in_their_order_without_what_only_the_server_may_say(self) -> None:
        server_tool = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}}
        phase = message("Hi", 1, phase="commentary")
        blocks = (
            reasoning(content=None, status="completed"),
            phase,
            server_tool,
            function("call_1", "pay", '{"a": 1.50}', 3),
        )
        told = responses(talk(raw("openai-responses", *blocks)))["input"]
        assert told == [
            {"type": "reasoning", "summary": [], "encrypted_content": "c2VjcmV0"},
            {"type": "message", "role": "assistant", "content": phase["content"], "phase": "commentary"},
            {"type": "web_search_call", "status": "completed", "action": {"type": "search"}},
            {"type": "function_call", "call_id": "call_1", "name": "pay", "arguments": '{"a": 1.50}'},
        ]

    def test_reasoning_that_cannot_be_read_again_stays_here(self) -> None:
        talked = talk(raw("openai-responses", reasoning(encrypted_content=None), message("Hi", 1)))
        assert [item["type"] for item in responses(talked)["input"]] == ["message"]
        talked = talk(raw("openai-responses", reasoning(), message("Hi", 1)))
        assert [item["type"] for item in responses(talked)["input"]] == ["reasoning", "message"]
        refused = ResponsesProfile(echoed_reasoning=False)
        assert [item["type"] for item in responses(talked, refused)["input"]] == ["message"]

    def test_another_providers_turn_is_rebuilt_and_answered_by_call_id(self) -> None:
        assert responses(talk(CALLED, ANSWERED))["input"] == [
            {"role": "assistant", "content": "One moment."},
            {"type": "function_call", "call_id": "c1", "name": "pay", "arguments": '{"amount":0.1,"to":"bob"}'},
            {"type": "function_call", "call_id": "c2", "name": "balance", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "paid"},
            {"type": "function_call_output", "call_id": "c2", "output": "Error: no such account"},
        ]

    def test_a_turn_of_another_model_is_rebuilt(self) -> None:
        told = responses(talk(raw("openai-responses", reasoning(), message("theirs", 1), model="another")))["input"]
        assert told == [{"role": "assistant", "content": "ours"}]


@pytest.mark.parametrize("encode", [chat, responses])
def test_a_longer_conversation_begins_with_the_bytes_of_the_shorter(encode: Callable[[ModelRequest], Any]) -> None:
    short = replace(TOOL_QUESTION, system="be brief", messages=(Message("user", "hello"), CALLED, ANSWERED))
    longer = replace(
        short, messages=(*short.messages, Message("assistant", "Done."), Message("user", "more")), tools=TOOLS[::-1]
    )
    prefix = json.dumps(encode(short)).removesuffix("]}")
    assert json.dumps(encode(longer)).startswith(prefix)
