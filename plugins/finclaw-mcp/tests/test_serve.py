"""finclaw as a server: what it lists, what calls give, and where they are recorded."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from conftest import Servers, finclaw
from mcp.shared.exceptions import MCPError
from served import ARGUMENTS, ECHO, ERAS, ORDER, YES, Desk

from finclaw_cli.sdk.toolsets import ToolSpec
from finclaw_mcp.offering import chosen, declared, result
from finclaw_mcp.serving import Serving, offered


@pytest.fixture
def desk(servers: Servers) -> Desk:
    return Desk(servers)


def tool(**facts: Any) -> ToolSpec:
    return ToolSpec(
        **{"name": "t", "description": "", "input_schema": {}, "group": "finance", "source": "plugin:x", **facts}
    )


@pytest.mark.parametrize(
    ("facts", "hints"),
    [
        ({"read_only": True}, (True, False, True, False)),
        ({"read_only": True, "external": True}, (True, False, True, True)),
        ({}, (False, True, False, False)),
        ({"idempotent": True}, (False, True, True, False)),
        ({"transactional": True, "external": True}, (False, True, False, True)),
        ({"transactional": True, "read_only": True, "idempotent": True}, (False, True, False, False)),
    ],
    ids=str,
)
def test_annotations_are_what_finclaw_knows_of_a_tool(facts: dict[str, Any], hints: tuple[bool, ...]):
    found = declared(tool(**facts)).annotations
    assert found is not None
    assert (found.read_only_hint, found.destructive_hint, found.idempotent_hint, found.open_world_hint) == hints


def test_tools_of_finance_that_read_are_offered_unasked():
    specs = [
        tool(name="reads", read_only=True),
        tool(name="writes"),
        tool(name="pays", read_only=True, transactional=True),
        tool(name="files", group="system", read_only=True),
    ]
    assert chosen(specs, ()) == ["reads"]
    assert chosen(specs, ("*",)) == ["reads", "writes", "files"]
    assert chosen(specs, ("*", "pays")) == ["reads", "writes", "pays", "files"]
    assert chosen(specs, ("reads", "x.pays")) == ["reads", "writes", "pays", "files"]
    assert chosen(specs, ("reads", "finance:pays", "p?ys", "*.pays")) == ["reads", "writes", "files"]


@pytest.mark.parametrize(
    ("text", "structured"),
    [
        ('{"data": {"x": "1.10"}, "as_of": "2026-01-02"}', {"data": {"x": "1.10"}, "as_of": "2026-01-02"}),
        ('{"x": 1}', {"data": {"x": 1}}),
        ('{"data": 1, "as_of": 2026}', {"data": {"data": 1, "as_of": 2026}}),
        ("[1]", {"data": [1]}),
        ("words", {"data": "words"}),
    ],
)
def test_a_result_of_finance_is_as_its_schema_has_it(text: str, structured: Any):
    found = result(tool(), text)
    assert (found.structured_content, found.content[0].text) == (structured, text)  # type: ignore[union-attr]


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_gives_its_result_and_an_unknown_tool_an_error(desk: Desk, era: str):
    async with desk.client(era, YES) as client:
        assert {each.name for each in (await client.list_tools()).tools} == {ECHO, ORDER}
        found = await client.call_tool(ECHO, {"text": "hello"})
        assert (found.content[0].text, found.is_error) == ("hello", False)  # type: ignore[union-attr]
        with pytest.raises(MCPError, match="there is no tool plain__die"):
            await client.call_tool("plain__die", {})


@pytest.mark.parametrize("era", ERAS)
def test_the_calls_of_a_client_are_in_one_session_that_is_verified(servers: Servers, desk: Desk, era: str):
    async def calls() -> None:
        async with desk.client(era, YES) as client:
            for text in ("one", "two"):
                await client.call_tool(ECHO, {"text": text})
            await client.call_tool(ORDER, ARGUMENTS)

    asyncio.run(calls())
    (session,) = desk.sessions
    starts = [json.loads(line) for line in session.read_text().splitlines()]
    assert {line["data"]["channel"] for line in starts if line["type"] == "agent.start"} == {"mcp"}
    assert "as recorded: 3 runs" in finclaw(servers, "replay", "--verify", session.stem).stdout
    assert desk.orders == [ARGUMENTS]


async def test_calls_at_once_are_in_sessions_beside_each_other(desk: Desk):
    async with desk.client(ERAS[0], YES) as client:
        calls = [asyncio.create_task(client.call_tool(ECHO, {"text": str(number)})) for number in range(4)]
        found = [(await each).content[0].text for each in calls]  # type: ignore[union-attr]
    assert found == ["0", "1", "2", "3"]
    assert 1 < len(desk.sessions) <= 4


async def test_a_number_that_json_may_have_changed_is_refused(desk: Desk):
    async with desk.client(ERAS[0], YES) as client:
        found = await client.call_tool(ECHO, {"text": 0.1234567890123456789})
    assert (found.is_error, "Write it as a string" in found.content[0].text) == (True, True)  # type: ignore[union-attr]


async def test_a_key_of_the_user_in_the_arguments_reaches_no_tool(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    async with desk.client(ERAS[0], YES) as client:
        found = await client.call_tool(ORDER, {"text": "sk-test-0123456789abcdef"})
    assert (found.is_error, desk.orders) == (True, [])
    assert "passed to no tool" in found.content[0].text  # type: ignore[union-attr]
    assert "sk-test-0123456789abcdef" not in desk.sessions[0].read_text()


async def test_the_end_of_the_server_ends_calls_that_wait(desk: Desk):
    async with offered(Serving((ORDER,))) as tools:
        from mcp.client import Client

        async def never(*_: object) -> Any:
            raise AssertionError

        async with Client(tools.server(), mode=ERAS[1], elicitation_callback=never) as client:
            await client.session.call_tool(ORDER, ARGUMENTS, allow_input_required=True)
    (session,) = desk.sessions
    assert json.loads(session.read_text().splitlines()[-1])["data"]["status"] == "aborted"
    assert desk.orders == []


def test_a_tool_that_is_not_there_is_one_line(servers: Servers):
    found = finclaw(servers, "mcp", "serve", "-t", "nothing")
    assert (found.returncode, found.stdout, "nothing" in found.stderr) == (2, "", True), found
    assert "Traceback" not in found.stderr
