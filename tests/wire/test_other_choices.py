"""One answer is asked for: what a server sends for another choice neither ends a call nor adds one."""

from __future__ import annotations

from typing import Any

import pytest

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.providers.openai.chat import create_chat
from tests.wire.openai_chat_wire import STOP, USE, calls, entry, stream, words
from tests.wire.openai_turns import ask, read
from tests.wire.server import Reply, VectorServer
from tests.wire.transports import Configure

CALL = calls(entry(0, "call_1", "pay", '{"n":1}'))


def of_another(chunk: dict[str, Any]) -> dict[str, Any]:
    return {**chunk, "choices": [{**choice, "index": 1} for choice in chunk["choices"]]}


async def test_the_end_of_another_choice_ends_no_call(config: Configure) -> None:
    async with VectorServer(Reply(body=stream(CALL, of_another(USE), done=False))) as server:
        provider = create_chat(config(base_url=server.url))
        with pytest.raises(ProviderError) as caught:
            await ask(provider)
        await provider.aclose()
    assert caught.value.code == "stream_truncated"


async def test_the_calls_of_another_choice_are_passed_over(config: Configure) -> None:
    body = stream(CALL, of_another(calls(entry(1, "call_2", "pay", '{"n":2}'))), USE)
    async with VectorServer(Reply(body=body)) as server:
        provider = create_chat(config(base_url=server.url))
        turn = read(await ask(provider))
        await provider.aclose()
    assert [call[0] for call in turn.calls] == ["call_1"]


async def test_the_words_of_another_choice_are_passed_over(config: Configure) -> None:
    both = {"choices": [*words("mine")["choices"], *of_another(words("not "))["choices"]]}
    body = stream(both, of_another(words("this")), STOP, of_another(STOP))
    async with VectorServer(Reply(body=body)) as server:
        provider = create_chat(config(base_url=server.url))
        turn = read(await ask(provider))
        await provider.aclose()
    assert (turn.text, turn.stop) == ("mine", "end_turn")
