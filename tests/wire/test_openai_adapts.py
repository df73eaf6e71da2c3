"""A server that refuses a parameter is asked once more without it, and not troubled with it again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.messages import Message, TextBlock, ToolUseBlock
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.providers.openai.chat import create_chat
from finclaw_cli.providers.openai.responses import create_responses
from tests.wire import openai_chat_wire as chat
from tests.wire import openai_responses_wire as responses
from tests.wire.openai_turns import QUESTION, TOOL_QUESTION, answered, ask, read
from tests.wire.server import Reply, VectorServer, json_reply
from tests.wire.transports import Configure

ASKED = replace(TOOL_QUESTION, temperature=0.2, max_output_tokens=50, schema={"type": "object"})
CHAT = Reply(body=chat.stream(chat.words("Hi"), chat.STOP))
RESPONSES = Reply(body=responses.stream(responses.text_of("Hi"), responses.over()))


def refusal(message: Any, status: int = 400, **extra: Any) -> Reply:
    return json_reply({"error": {"message": message, "type": "invalid_request_error", **extra}}, status=status)


EXTRA = {
    "detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]
}
CHAT_LESSONS = [
    ("stream_options, an old vLLM", refusal("stream_options: Extra inputs are not permitted"), {"stream_options"}, {}),
    ("stream_options, Mistral", json_reply(EXTRA, status=422), {"stream_options"}, {}),
    ("stream_options, Mistral's other shape", refusal(EXTRA, 422), {"stream_options"}, {}),
    (
        "max_tokens",
    refusal(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    ),
        {"max_tokens"},
        {"max_completion_tokens": 50},
    ),
    (
        "temperature",
        refusal("Unsupported value: 'temperature' does not support 0.2 with this model.", code="unsupported_value"),
        {"temperature"},
        {},
    ),
    ("response_format", refusal("This response_format type is unavailable now"), {"response_format"}, {}),
    (
        "tools beside reasoning",
        refusal("Function tools with reasoning_effort are not supported for gpt-5.5 in /v1/chat/completions. "
                "To use function tools, use /v1/responses or set reasoning_effort to 'none'."),
        set(),
        {"reasoning_effort": "none"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("_says", "said", "dropped", "gained"), CHAT_LESSONS, ids=[lesson[0] for lesson in CHAT_LESSONS]
)
async def test_chat_gives_way_once_and_remembers(
    _says: str, said: Reply, dropped: set[str], gained: dict[str, Any], config: Configure
) -> None:
    async with VectorServer(said, CHAT) as server:
        provider = create_chat(config(base_url=server.url))
        assert read(await ask(provider, ASKED)).text == "Hi"
        assert read(await ask(provider, ASKED)).text == "Hi"
        await provider.aclose()
    first, second, third = server.bodies
    assert dropped <= set(first)
    assert second == {key: value for key, value in first.items() if key not in dropped} | gained
    assert third == second


async def test_several_refusals_one_after_the_other_are_all_learnt(config: Configure) -> None:
    replies = [refusal("unsupported parameter: stream_options"), refusal("unknown parameter: temperature"), CHAT]
    async with VectorServer(*replies) as server:
        provider = create_chat(config(base_url=server.url))
        assert read(await ask(provider, ASKED)).text == "Hi"
        await provider.aclose()
    assert not {"stream_options", "temperature"} & set(server.bodies[-1])


async def test_what_one_model_refused_is_not_held_against_another(config: Configure) -> None:
    async with VectorServer(refusal("unknown parameter: temperature"), CHAT) as server:
        provider = create_chat(config(base_url=server.url))
        await ask(provider, ASKED)
        await ask(provider, replace(ASKED, model="another"))
        await provider.aclose()
    assert ["temperature" in body for body in server.bodies] == [True, False, True]


@pytest.mark.parametrize(
    "said",
    [
        refusal("Unsupported parameter: 'max_tokens'. Unsupported parameter: 'max_completion_tokens'"),
        refusal("unsupported parameter: stream_options"),
    ],
    ids=["both limits", "the same again"],
)
async def test_a_server_that_refuses_everything_is_not_asked_for_ever(said: Reply, config: Configure) -> None:
    async with VectorServer(said) as server:
        provider = create_chat(config(base_url=server.url))
        with pytest.raises(ProviderError) as caught:
            await ask(provider, ASKED)
        await provider.aclose()
    assert caught.value.reason == "bad_request"
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (ASKED, refusal("temperature must be between 0 and 2")),
        (QUESTION, refusal("unsupported parameter: temperature")),
        (ASKED, refusal("unsupported parameter: temperature", 500)),
        (ASKED, refusal("the model does not exist", 404)),
        (ASKED, refusal("temperature not supported: maximum context length exceeded", code="context_length_exceeded")),
    ],
    ids=["a wrong value", "not sent", "a server error", "another matter", "a full context"],
)
async def test_other_errors_are_not_asked_about_again(request_: ModelRequest, said: Reply, config: Configure) -> None:
    async with VectorServer(said) as server:
        provider = create_chat(config(base_url=server.url))
        with pytest.raises(ProviderError):
            await ask(provider, request_)
        await provider.aclose()
    assert len(server.requests) == 1


async def test_reasoning_that_was_refused_is_left_out_and_reasoning_that_is_missed_is_added(config: Configure) -> None:
    thought = Reply(body=chat.stream(chat.chunk({"reasoning_content": "hm"}), chat.words("Hi"), chat.STOP))
    replies = [
        thought,
        refusal("'messages.1': property 'reasoning_content' is unsupported"),
        CHAT,
        refusal("The reasoning_content in the thinking mode must be passed back to the API."),
        CHAT,
    ]
    called = Message("assistant", (TextBlock("x"), ToolUseBlock("c1", "pay", {})))
    async with VectorServer(*replies) as server:
        provider = create_chat(config(base_url=server.url))
        said = answered(await ask(provider))
        request = replace(QUESTION, messages=(*QUESTION.messages, said, called))
        await ask(provider, request)
        await ask(provider, request)
        await provider.aclose()
    told = [[message.get("reasoning_content") for message in body["messages"][1:]] for body in server.bodies[1:]]
    assert told == [["hm", None], [None, None], [None, None], ["hm", ""]]


async def test_a_server_of_mistrals_models_that_wants_short_ids_gets_them(config: Configure) -> None:
    said = refusal("Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.")
    called = Message("assistant", (ToolUseBlock("call_1", "pay", {}),))
    async with VectorServer(said, CHAT) as server:
        provider = create_chat(config(base_url=server.url))
        await ask(provider, replace(QUESTION, messages=(called,)))
        await provider.aclose()
    assert len(server.bodies[1]["messages"][0]["tool_calls"][0]["id"]) == 9


RESPONSES_LESSONS = [
    ("temperature", refusal("Unsupported parameter: 'temperature' is not supported with this model."), {"temperature"}),
    ("encrypted reasoning", refusal("Encrypted content is not supported with this model."), {"include"}),
    ("parallel calls", refusal("Unknown parameter: 'parallel_tool_calls'."), {"parallel_tool_calls"}),
    ("structured output", refusal("Invalid parameter: 'text.format' of type 'json_schema' is not supported"), {"text"}),
]


@pytest.mark.parametrize(
    ("_says", "said", "dropped"), RESPONSES_LESSONS, ids=[lesson[0] for lesson in RESPONSES_LESSONS]
)
async def test_responses_gives_way_once_and_remembers(
    _says: str, said: Reply, dropped: set[str], config: Configure
) -> None:
    async with VectorServer(said, RESPONSES) as server:
        provider = create_responses(config(base_url=server.url))
        assert read(await ask(provider, ASKED)).text == "Hi"
        assert read(await ask(provider, ASKED)).text == "Hi"
        await provider.aclose()
    first, second, third = server.bodies
    assert dropped <= set(first)
    assert second == third == {key: value for key, value in first.items() if key not in dropped}


async def test_reasoning_that_can_no_longer_be_read_is_given_up(config: Configure) -> None:
    thought = Reply(
        body=responses.stream(responses.done(responses.reasoning()), responses.text_of("Hi", index=1), responses.over())
    )
    replies = [thought, refusal("could not be verified", code="invalid_encrypted_content"), RESPONSES]
    async with VectorServer(*replies) as server:
        provider = create_responses(config(base_url=server.url))
        said = answered(await ask(provider))
        await ask(provider, replace(QUESTION, messages=(*QUESTION.messages, said)))
        await provider.aclose()
    kinds = [[item.get("type") for item in body["input"][1:]] for body in server.bodies[1:]]
    assert kinds == [["reasoning", "message"], ["message"]]
