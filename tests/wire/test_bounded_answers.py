"""An answer has no more calls and blocks than a turn may have."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from finclaw_cli.core.chunks import MAX_BLOCKS, MAX_CALLS
from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.ports import Provider
from finclaw_cli.providers.anthropic.adapter import create as create_anthropic
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.openai.chat import create_chat
from finclaw_cli.providers.openai.responses import create_responses
from tests.wire import openai_chat_wire as chat
from tests.wire import openai_responses_wire as responses
from tests.wire.many_events import (
    Event,
    Events,
    anthropic_calls,
    chat_calls,
    chat_details,
    chat_parts,
    citations,
    nameless_calls,
    other_blocks,
    response_items,
    responses_calls,
)
from tests.wire.openai_turns import ask
from tests.wire.server import Reply, VectorServer, anthropic_sse
from tests.wire.transports import Configure

CAPPED = {
    "anthropic: calls": (create_anthropic, anthropic_calls(True, "{}"), MAX_CALLS, "calls"),
    "anthropic: blocks": (create_anthropic, other_blocks, MAX_BLOCKS, "blocks"),
    "anthropic: citations": (create_anthropic, citations, MAX_BLOCKS, "citations"),
    "chat: calls": (create_chat, chat_calls(True), MAX_CALLS, "calls"),
    "chat: calls without a name": (create_chat, nameless_calls, MAX_BLOCKS, "blocks"),
    "chat: parts": (create_chat, chat_parts, MAX_BLOCKS, "blocks"),
    "chat: details": (create_chat, chat_details, MAX_BLOCKS, "blocks"),
    "responses: calls": (create_responses, responses_calls(True), MAX_CALLS, "calls"),
    "responses: items": (create_responses, response_items, MAX_BLOCKS, "blocks"),
}


def body_of(create: Callable[[ProviderConfig], Provider], events: Iterable[Event]) -> bytes:
    if create is create_anthropic:
        return anthropic_sse(events)
    return chat.stream(*events) if create is create_chat else responses.stream(*events)


@pytest.mark.parametrize(("create", "events", "most", "what"), CAPPED.values(), ids=CAPPED)
async def test_an_answer_with_more_than_a_turn_may_have_is_an_error(
    create: Callable[[ProviderConfig], Provider], events: Events, most: int, what: str, config: Configure
) -> None:
    async with VectorServer(
        Reply(body=body_of(create, events(most))), Reply(body=body_of(create, events(most + 1)))
    ) as server:
        provider = create(config(api_key="k", base_url=server.url))
        assert await ask(provider)
        with pytest.raises(ProviderError, match=f"more than {most:,} {what}") as caught:
            await ask(provider)
        await provider.aclose()
    assert (caught.value.reason, caught.value.code) == ("server_error", "stream_oversized")
