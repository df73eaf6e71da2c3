"""Events of a paying turn in any order, in any number, with any end: without the end of its turn no tool starts."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.providers.config import ProviderConfig
from tests.faults.paying_runs import Player
from tests.faults.paying_turns import DIALECTS, ORDER
from tests.wire import anthropic_events as anthropic
from tests.wire import openai_chat_wire as chat
from tests.wire import openai_responses_wire as responses
from tests.wire.server import Ending, Reply, VectorServer, anthropic_sse, openai_sse, responses_sse
from tests.wire.transports import TRANSPORTS

# One loop, server and client for all examples.
pytestmark = pytest.mark.asyncio(loop_scope="module")

Event = dict[str, Any]
DONE: Event = {"[DONE]": True}


@dataclass(frozen=True)
class Wire:
    """The events of one turn in their order, others that may come between them, and when a turn is whole."""

    turn: Sequence[Event]
    others: Sequence[Event]
    body: Callable[[Sequence[Event]], bytes]
    is_whole: Callable[[Sequence[Event], bool], bool]


def has(kind: str) -> Callable[[Sequence[Event], bool], bool]:
    """A turn is whole with a terminal event, however the body ended behind it."""
    return lambda events, _: any(event.get("type") == kind for event in events)


def chat_is_whole(events: Sequence[Event], ended_cleanly: bool) -> bool:
    """A turn is whole with `[DONE]`, or with a clean end behind a reason to stop that no content followed."""
    finished = False
    for event in events:
        if event == DONE:
            return True
        choice = (event["choices"] or [{}])[0]
        finished = bool(choice.get("finish_reason")) or (finished and not choice.get("delta"))
    return finished and ended_cleanly


def chat_body(events: Sequence[Event]) -> bytes:
    return b"".join(b"data: [DONE]\n\n" if event == DONE else openai_sse([event], done=False) for event in events)


CALL = anthropic.call(1, *ORDER, name="pay")
ITEM = responses.function("call_1", "pay", "".join(ORDER), 1)
WIRES = {
    "anthropic": Wire(
        [anthropic.begin(), *anthropic.text(0, "Paying."), *CALL, *anthropic.end("tool_use")],
        [{"type": "ping"}, *anthropic.end("max_tokens"), *anthropic.call(2, "{}", call_id="c2", name="pay")],
        anthropic_sse,
        has("message_stop"),
    ),
    "chat": Wire(
        [
            chat.words("Paying."),
            chat.calls(chat.entry(0, "call_1", "pay", ORDER[0])),
            chat.calls(chat.entry(0, args=ORDER[1])),
            chat.USE,
            chat.usage(),
            DONE,
        ],
        [chat.usage(3, 1), chat.STOP, chat.chunk({}, "length"), chat.calls(chat.entry(1, "call_2", "pay", ""))],
        chat_body,
        chat_is_whole,
    ),
    "responses": Wire(
        [*responses.text_of("Paying."), *responses.call_of("call_1", "pay", *ORDER, index=1), responses.over()],
        [responses.created(), responses.over(output=[ITEM]), responses.added(ITEM, 2)],
        responses_sse,
        has("response.completed"),
    ),
}


def streams(wire: Wire) -> st.SearchStrategy[list[Event]]:
    """The turn in its order without some of its events, the turn shuffled, or any events at all."""
    kept = st.lists(st.booleans(), min_size=len(wire.turn), max_size=len(wire.turn))
    thinned = kept.map(lambda keep: [event for event, is_kept in zip(wire.turn, keep, strict=True) if is_kept])
    anything = st.lists(st.sampled_from([*wire.turn, *wire.others]), max_size=12)
    inserted = st.tuples(st.integers(0, len(wire.turn)), st.sampled_from([*wire.turn, *wire.others])).map(
        lambda pair: [*wire.turn[: pair[0]], pair[1], *wire.turn[pair[0] :]]
    )
    return thinned | inserted | st.permutations(wire.turn) | anything


class RandomServer(VectorServer):
    """Answers the first request of each run with the stream of that run, and any other with the end of the talk."""

    stream = Reply()
    answer = b""

    def _reply_for(self, index: int) -> Reply:
        messages = json.dumps(self.requests[index].body)
        return Reply(body=self.answer) if "100 to Kim" in messages or "tool_call_id" in messages else self.stream


@pytest_asyncio.fixture(
    scope="module",
    loop_scope="module",
    params=[(name, transport) for name in WIRES for transport in TRANSPORTS],
    ids="-".join,
)
async def playing(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Wire, RandomServer, Player]]:
    name, transport = request.param
    async with RandomServer() as server:
        server.answer = DIALECTS[name].answer
        config = ProviderConfig(api_key="sk-test", base_url=server.url, transport=transport)
        provider = DIALECTS[name].create(config)
        yield WIRES[name], server, Player(provider)
        await provider.aclose()


@given(
    data=st.data(), ending=st.sampled_from(["clean", "clean", "cut"]), framing=st.sampled_from(["chunked", "length"])
)
async def test_a_tool_starts_only_on_a_stream_that_has_its_end(
    playing: tuple[Wire, RandomServer, Player], data: st.DataObject, ending: Ending, framing: Any
) -> None:
    wire, server, player = playing
    events = data.draw(streams(wire))
    body = wire.body(events)
    is_clean = ending == "clean"
    # A body that lacks its last byte, where its length was given; else the last chunk.
    missing = b"" if is_clean or framing == "chunked" else b"\n"
    server.stream = Reply(body=body + missing, cut_at=len(body), ending=ending, framing=framing)
    played = await player.run("Pay.")
    if not wire.is_whole(events, is_clean):
        assert isinstance(played.result.error, ProviderError)
        assert (played.paid, played.states, len(played.result.messages)) == ([], [], 1)
    # A call that comes twice in one stream is two calls: some servers give all calls of a turn one id and one index.
    assert {*played.paid} <= {"100 to Kim"}
