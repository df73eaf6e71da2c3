"""A tool that moves money runs for a client only after its user's yes to a form, or an approval by name; once."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp_types as types
import pytest
from conftest import Servers
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from served import ARGUMENTS, ERAS, ORDER, YES, Answer, Desk, chose

MODERN = ERAS[1]


@pytest.fixture
def desk(servers: Servers) -> Desk:
    return Desk(servers)


async def order(client: Client) -> str:
    """Place an order; return why it was not placed."""
    try:
        result = await client.call_tool(ORDER, ARGUMENTS)
    except MCPError as error:
        return error.error.message
    return result.content[0].text if result.is_error else ""  # type: ignore[union-attr]


@pytest.mark.parametrize("era", ERAS)
async def test_a_yes_places_one_order(desk: Desk, era: str):
    async with desk.client(era, YES) as client:
        assert await order(client) == ""
    assert desk.orders == [ARGUMENTS]
    assert (len(desk.forms), "10 ACME" in desk.forms[0]) == (1, True)


@pytest.mark.parametrize("era", ERAS)
async def test_an_approval_by_name_places_one_order_unasked(desk: Desk, era: str):
    async with desk.client(era, approve=ORDER) as client:
        assert await order(client) == ""
    assert (desk.orders, desk.forms) == ([ARGUMENTS], [])


async def fails(_params: types.ElicitRequestParams) -> Any:
    raise ValueError("the form could not be shown")


NO: dict[str, Answer] = {
    "decline": chose("decline"),
    "decline with a yes": chose("decline", {"approve": True}),
    "cancel": chose("cancel"),
    "cancel with a yes": chose("cancel", {"approve": True}),
    "no": chose("accept", {"approve": False}),
    "nothing": chose("accept"),
    "an empty form": chose("accept", {}),
    "another field": chose("accept", {"approved": True}),
    "a word": chose("accept", {"approve": "true"}),
    "yes": chose("accept", {"approve": "yes"}),
    "a number": chose("accept", {"approve": 1}),
    "null": chose("accept", {"approve": None}),
    "a list": chose("accept", {"approve": ["true"]}),
    "an error": lambda _params: types.ErrorData(code=types.INTERNAL_ERROR, message="no form"),
    "a fault": fails,
}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("answer", NO.values(), ids=NO.keys())
async def test_no_other_answer_places_an_order(desk: Desk, era: str, answer: Answer):
    async with desk.client(era, answer) as client:
        try:
            assert await order(client) != ""
        except (ValueError, ExceptionGroup):
            assert answer is fails
    assert (desk.orders, len(desk.forms)) == ([], 1)


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_without_forms_places_none_and_is_given_the_way(desk: Desk, era: str):
    async with desk.client(era) as client:
        assert f"--approve {ORDER}" in await order(client)
    assert desk.orders == []


async def test_the_newer_protocol_has_an_error_for_a_client_without_forms(desk: Desk):
    async with desk.client(MODERN) as client:
        with pytest.raises(MCPError) as raised:
            await client.call_tool(ORDER, ARGUMENTS)
    assert raised.value.error.code == types.MISSING_REQUIRED_CLIENT_CAPABILITY
    assert raised.value.error.data == {"requiredCapabilities": {"elicitation": {}}}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("pattern", ["plain__*", "custom:*", "*"])
async def test_a_pattern_approves_no_order(desk: Desk, era: str, pattern: str):
    async with desk.client(era, approve=pattern) as client:
        assert await order(client) != ""
    assert desk.orders == []


@pytest.mark.parametrize("era", ERAS)
async def test_a_pattern_offers_no_order(desk: Desk, era: str):
    async with desk.client(era, YES, tools=("plain__*",)) as client:
        assert ORDER not in [tool.name for tool in (await client.list_tools()).tools]
        assert await order(client) != ""
    assert desk.orders == []


@pytest.mark.parametrize("era", ERAS)
async def test_an_answer_that_is_late_places_none(desk: Desk, era: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FINCLAW_APPROVAL_TIMEOUT", "0.05")
    late = asyncio.Event()

    async def answer(_params: types.ElicitRequestParams) -> types.ElicitResult:
        if era == MODERN:
            await asyncio.sleep(0.2)
        else:
            await late.wait()
        return types.ElicitResult(action="accept", content={"approve": True})

    async with desk.client(era, answer) as client:
        assert await order(client) != ""
        late.set()
    assert desk.orders == []


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_leaves_while_it_is_asked_places_none(desk: Desk, era: str):
    asked = asyncio.Event()

    async def answer(_params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    async with desk.client(era, answer) as client:
        ordering = asyncio.create_task(order(client))
        await asked.wait()
        ordering.cancel()
    assert desk.orders == []


@pytest.mark.parametrize("era", ERAS)
async def test_a_rule_of_the_channel_forbids_what_was_approved(desk: Desk, era: str):
    rule = 'scope = "channel"\nsubject = "mcp"\npattern = "plain__order"\nverdict = "deny"\nreason = "not for clients"'
    (desk.home / "policy.toml").write_text(f"[[rule]]\n{rule}\n")
    async with desk.client(era, YES, approve=ORDER) as client:
        assert "not for clients" in await order(client)
    assert desk.orders == []
