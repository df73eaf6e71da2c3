"""finclaw as a server at an address: for clients with its token alone, with the approvals of the other streams."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from conftest import Servers, finclaw
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from raw_client import META
from served import ARGUMENTS, ECHO, ERAS, ORDER, Desk

from finclaw_cli.errors import UsageError
from finclaw_mcp.serving import Serving
from finclaw_mcp.serving_http import Address, serve_http

BOTH = "application/json, text/event-stream"
DISCOVER = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}


@pytest.fixture
def desk(servers: Servers) -> Desk:
    return Desk(servers)


@asynccontextmanager
async def served(**address: Any) -> AsyncIterator[tuple[str, dict[str, str]]]:
    """The address of a server, and the header with its token."""
    reading, writing = os.pipe()
    wanted, where = Serving((ORDER, ECHO)), Address(**{"host": "127.0.0.1", "port": 0, **address})
    serving = asyncio.create_task(serve_http(wanted, where, writing))
    with os.fdopen(reading) as lines:
        url = (await asyncio.to_thread(lines.readline)).strip()
        os.close(writing)
        name, _, value = "".join(lines).strip().partition(": ")
        try:
            yield url, {name: value} if name else {}
        finally:
            serving.cancel()
            with suppress(asyncio.CancelledError):
                await serving


@asynccontextmanager
async def client(url: str, token: dict[str, str], era: str, answer: types.ElicitResult) -> AsyncIterator[Client]:
    async def ask(*_: object) -> types.ElicitResult:
        return answer

    async with (
        httpx2.AsyncClient(headers=token) as http,
        Client(streamable_http_client(url, http_client=http), mode=era, elicitation_callback=ask) as made,
    ):
        yield made


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("is_yes", [True, False])
async def test_an_order_is_placed_after_a_yes_alone(desk: Desk, era: str, *, is_yes: bool):
    answer = types.ElicitResult(action="accept", content={"approve": is_yes})
    async with served() as (url, token), client(url, token, era, answer) as made:
        assert [tool.name for tool in (await made.list_tools()).tools] == [ECHO, ORDER]
        assert (await made.call_tool(ORDER, ARGUMENTS)).is_error is not is_yes
    assert desk.orders == ([ARGUMENTS] if is_yes else [])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Origin": "http://example.org"}, 403),
        ({"Host": "example.org"}, 403),
    ],
    ids=str,
)
async def test_a_request_from_elsewhere_gets_no_answer(desk: Desk, headers: dict[str, str], status: int):
    async with served() as (url, token), httpx2.AsyncClient() as http:
        found = await http.post(url, json=DISCOVER, headers={**token, **headers})
    assert found.status_code == status
    assert desk.sessions == []


async def test_the_answer_without_a_token_fits_what_this_server_prints(desk: Desk):
    async with served() as (url, _), httpx2.AsyncClient() as http:
        found = await http.post(url, json=DISCOVER)
    assert "the server prints it when it starts" in found.text
    assert "#" not in found.text
    assert desk.sessions == []


async def test_arguments_that_are_nested_too_deeply_are_an_error_of_their_call(desk: Desk):
    deep = '{"a":' * 700 + "1" + "}" * 700
    methods = {"MCP-Protocol-Version": ERAS[1], "Mcp-Method": "tools/call", "Mcp-Name": ORDER}
    params = f'{{"name": "{ORDER}", "arguments": {deep}, "_meta": {json.dumps(META)}}}'
    async with served() as (url, token), httpx2.AsyncClient() as http:
        headers = {**token, **methods, "Content-Type": "application/json", "Accept": BOTH}
        content = f'{{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {params}}}'
        found = (await http.post(url, content=content, headers=headers)).json()
    assert (found["id"], found["result"]["isError"]) == (7, True)
    assert found["result"]["content"][0]["text"].startswith("BAD_INPUT: ")


async def test_a_body_of_more_than_a_mebibyte_is_refused(desk: Desk):
    async with served() as (url, token), httpx2.AsyncClient() as http:
        headers = {**token, "Content-Type": "application/json", "Accept": BOTH}
        found = await http.post(url, content=b" " * 1_100_000, headers=headers)
    assert found.status_code == 413
    assert desk.sessions == []


async def test_a_state_of_one_client_is_of_no_use_without_the_token(desk: Desk):
    yes = types.ElicitResult(action="accept", content={"approve": True})
    async with served() as (url, token), client(url, token, ERAS[1], yes) as made:
        asked = await made.session.call_tool(ORDER, ARGUMENTS, allow_input_required=True)
        assert isinstance(asked, types.InputRequiredResult)
        with pytest.raises((MCPError, httpx2.HTTPError, ExceptionGroup)):
            async with client(url, {}, ERAS[1], yes) as other:
                await other.session.call_tool(
                    ORDER, ARGUMENTS, request_state=asked.request_state, input_responses={"approval": yes}
                )
    assert desk.orders == []


async def test_a_client_that_is_gone_while_it_is_asked_places_none(desk: Desk):
    async def never(*_: object) -> Any:
        reached.set()
        await asyncio.Event().wait()

    reached = asyncio.Event()
    async with served() as (url, token), httpx2.AsyncClient(headers=token) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=ERAS[0], elicitation_callback=never) as made:
            calling = asyncio.create_task(made.call_tool(ORDER, ARGUMENTS))
            await reached.wait()
            calling.cancel()
    assert desk.orders == []


async def test_a_token_of_a_file_is_not_printed(desk: Desk, tmp_path: Path):
    file = tmp_path / "token"
    file.write_text("t" * 43)
    file.chmod(0o600)
    yes = types.ElicitResult(action="accept", content={"approve": True})
    async with served(token_file=file) as (url, printed):
        assert printed == {}
        async with client(url, {"Authorization": f"Bearer {'t' * 43}"}, ERAS[0], yes) as made:
            await made.call_tool(ORDER, ARGUMENTS)
    assert desk.orders == [ARGUMENTS]


@pytest.mark.parametrize("text", ["x", "", "-1", "127.0.0.1:", "127.0.0.1:70000", "8765/mcp"])
def test_an_address_has_a_port(text: str):
    with pytest.raises(UsageError, match="HOST:PORT"):
        Address.of(text, None)


def test_an_address_of_a_network_needs_a_token_file(servers: Servers):
    found = finclaw(servers, "mcp", "serve", "--http=0.0.0.0:0")
    assert (found.returncode, found.stdout, "needs --token-file" in found.stderr) == (2, "", True), found
