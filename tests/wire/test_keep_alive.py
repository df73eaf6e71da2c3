"""One connection for all turns that end well, and a new one after those that do not."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace

import h11
import pytest

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.ports import Provider
from finclaw_cli.http.connect import Origin
from finclaw_cli.http.server import Server
from finclaw_cli.http.sse import MAX_REST_BYTES
from finclaw_cli.providers.anthropic.adapter import create as create_anthropic
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.providers.openai.chat import create_chat
from finclaw_cli.providers.openai.responses import create_responses
from tests.wire import openai_chat_wire as chat
from tests.wire import openai_responses_wire as responses
from tests.wire.anthropic_events import begin, end, text
from tests.wire.openai_turns import QUESTION, ask, read
from tests.wire.server import Reply, VectorServer, anthropic_sse, json_reply
from tests.wire.transports import Configure


@dataclass(frozen=True)
class Wire:
    create: Callable[[ProviderConfig], Provider]
    answer: bytes

    @property
    def kept(self) -> Reply:
        return Reply(body=self.answer, keep_alive=True)


WIRES = {
    "anthropic": Wire(create_anthropic, anthropic_sse([begin(), *text(0, "Hi"), *end()])),
    "chat": Wire(create_chat, chat.stream(chat.words("Hi"), chat.STOP)),
    "responses": Wire(create_responses, responses.stream(responses.text_of("Hi"), responses.over())),
}
each_wire = pytest.mark.parametrize("wire", WIRES.values(), ids=WIRES)


async def turns(wire: Wire, config: Configure, server: VectorServer, count: int = 2) -> None:
    provider = wire.create(config(base_url=server.url))
    for _ in range(count):
        assert read(await ask(provider)).text == "Hi"
    await provider.aclose()
    assert len(server.requests) == count


@each_wire
async def test_turns_that_end_well_share_a_connection(wire: Wire, config: Configure) -> None:
    async with VectorServer(wire.kept) as server:
        await turns(wire, config, server, 3)
        assert server.connections == 1


@each_wire
async def test_they_share_it_although_the_body_ends_later_than_the_turn(wire: Wire, config: Configure) -> None:
    late = replace(wire.kept, body=wire.answer + b": bye\n\n", split=(len(wire.answer),), delay_s=0.01)
    async with VectorServer(late) as server:
        await turns(wire, config, server)
        assert server.connections == 1


@each_wire
async def test_a_body_that_does_not_end_costs_its_connection_and_nothing_else(wire: Wire, config: Configure) -> None:
    async with VectorServer(replace(wire.kept, stall=True)) as server:
        await turns(wire, config, server)
        assert server.connections == 2


@each_wire
async def test_a_body_that_goes_on_and_on_is_not_read(wire: Wire, config: Configure) -> None:
    chatter = b": " + b"x" * 1022 + b"\n\n"
    endless = Reply(body=wire.answer + chatter * 20_000)
    async with VectorServer(endless) as server:
        await turns(wire, config, server)
        assert server.connections == 2
        assert len(endless.body) / 100 > MAX_REST_BYTES


@each_wire
@pytest.mark.parametrize("ending", ["cut", "reset"])
async def test_what_breaks_behind_a_turn_is_no_error(wire: Wire, config: Configure, ending: str) -> None:
    async with VectorServer(Reply(body=wire.answer, ending=ending)) as server:  # type: ignore[arg-type]
        await turns(wire, config, server)


@each_wire
async def test_a_server_that_closes_after_each_answer_is_asked_over_a_new_connection(
    wire: Wire, config: Configure
) -> None:
    async with VectorServer(Reply(body=wire.answer)) as server:
        await turns(wire, config, server)
        assert server.connections == 2


class Impatient(VectorServer):
    """Promises to keep its connections, and closes each as soon as its answer is over."""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        await self._exchange(reader, writer)


@each_wire
async def test_a_connection_that_the_server_closed_while_it_was_idle_is_no_failed_request(
    wire: Wire, config: Configure
) -> None:
    async with Impatient(wire.kept) as server:
        provider = wire.create(config(base_url=server.url))
        for _ in range(2):
            assert read(await ask(provider)).text == "Hi"
            await server.closed()
        await provider.aclose()
        assert server.connections == len(server.requests) == 2


@each_wire
async def test_a_refusal_keeps_the_connection_for_the_next_attempt(wire: Wire, config: Configure) -> None:
    busy = replace(json_reply({"error": {"message": "slow down"}}, status=429), keep_alive=True)
    async with VectorServer(busy, wire.kept) as server:
        provider = wire.create(config(base_url=server.url))
        with pytest.raises(ProviderError):
            await ask(provider)
        assert read(await ask(provider)).text == "Hi"
        await provider.aclose()
        assert server.connections == 1


@each_wire
async def test_a_turn_that_was_left_never_keeps_its_connection(wire: Wire, config: Configure) -> None:
    long = Reply(body=wire.answer, split="events", delay_s=0.01)
    async with VectorServer(long, wire.kept) as server:
        provider = wire.create(config(base_url=server.url))
        async with aclosing(provider.stream(QUESTION)) as stream:
            await anext(stream)
        await asyncio.wait_for(server.requests[0].left.wait(), 1)
        assert read(await ask(provider)).text == "Hi"
        await provider.aclose()
        assert server.connections == 2


async def test_an_answer_that_is_closed_twice_gives_its_connection_back_once() -> None:
    async with VectorServer(WIRES["chat"].kept) as server:
        origin = Origin("127.0.0.1", server.port, is_encrypted=False)
        own = Server(origin, ssl.create_default_context(), connect_timeout_s=5)
        ask_for = h11.Request(method="POST", target="/", headers=[("Host", "x"), ("Content-Length", "0")])
        answers = []
        for _ in range(3):
            answer = await own.send(ask_for, b"")
            assert [piece async for piece in answer.aiter_raw()]
            await answer.aclose()
            await answer.aclose()
        answers = [await own.send(ask_for, b"") for _ in range(2)]
        assert server.connections == 2
        for answer in answers:
            await answer.aclose()
        own.close()
