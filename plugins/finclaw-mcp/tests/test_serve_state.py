"""What a client sends back with an answer: it is good once, for the call that it was made for."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp_types as types
import pytest
from conftest import Servers
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from served import ARGUMENTS, ECHO, ERAS, ORDER, YES, Desk

MOST_CALLS, MOST_QUESTIONS = 3, 3
AGREED: dict[str, Any] = {"approval": types.ElicitResult(action="accept", content={"approve": True})}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have few calls be enough to reach the limits."""
    monkeypatch.setattr("finclaw_mcp.client_calls.MOST_CALLS", MOST_CALLS)
    monkeypatch.setattr("finclaw_mcp.client_calls.MOST_QUESTIONS", MOST_QUESTIONS)


@pytest.fixture
def desk(servers: Servers) -> Desk:
    return Desk(servers)


async def call(client: Client, name: str = ORDER, arguments: Any = ARGUMENTS, **sent: Any) -> Any:
    return await client.session.call_tool(name, arguments, allow_input_required=True, **sent)


async def asked(client: Client, name: str = ORDER, arguments: Any = ARGUMENTS) -> str:
    """Call a tool; return what has to be sent back with the answer to its form."""
    found = await call(client, name, arguments)
    assert isinstance(found, types.InputRequiredResult)
    assert found.request_state is not None
    return found.request_state


async def test_the_answer_that_is_sent_back_places_one_order(desk: Desk):
    async with desk.client(ERAS[1], YES) as client:
        state = await asked(client)
        assert desk.orders == []
        assert not (await call(client, request_state=state, input_responses=AGREED)).is_error
        assert desk.orders == [ARGUMENTS]


async def test_an_answer_that_is_sent_twice_places_one_order(desk: Desk):
    async with desk.client(ERAS[1], YES) as client:
        state = await asked(client)
        for is_refused in (False, True, True):
            result = await call(client, request_state=state, input_responses=AGREED)
            assert result.is_error is is_refused
        assert desk.orders == [ARGUMENTS]


async def test_of_answers_at_once_one_counts(desk: Desk):
    async with desk.client(ERAS[1], YES) as client:
        state = await asked(client)
        calls = [asyncio.create_task(call(client, request_state=state, input_responses=AGREED)) for _ in range(5)]
        assert sorted([(await each).is_error for each in calls]) == [False, True, True, True, True]
        assert desk.orders == [ARGUMENTS]


@pytest.mark.parametrize(
    "arguments", [{"text": "10000 ACME"}, {}, {**ARGUMENTS, "more": 1}, {"text": "10 acme"}], ids=str
)
async def test_an_answer_for_other_arguments_places_none(desk: Desk, arguments: dict[str, Any]):
    async with desk.client(ERAS[1], YES) as client:
        state = await asked(client)
        with pytest.raises(MCPError, match="requestState"):
            await call(client, arguments=arguments, request_state=state, input_responses=AGREED)
        assert desk.orders == []


async def test_an_answer_for_another_tool_places_none(desk: Desk):
    async with desk.client(ERAS[1], YES) as client:
        state = await asked(client, ECHO)
        with pytest.raises(MCPError, match="requestState"):
            await call(client, request_state=state, input_responses=AGREED)
        assert desk.orders == []


@pytest.mark.parametrize("form", ["{}AA", "AA{}", "v1.AAAA", "v2{}", "[{}]"])
async def test_a_state_that_was_changed_places_none(desk: Desk, form: str):
    async with desk.client(ERAS[1], YES) as client:
        state = await asked(client)
        with pytest.raises(MCPError, match="requestState"):
            await call(client, request_state=form.format(state), input_responses=AGREED)
        assert desk.orders == []


async def test_a_state_of_another_server_places_none(desk: Desk):
    async with desk.client(ERAS[1], YES) as client:
        async with desk.client(ERAS[1], YES) as other:
            state = await asked(other)
            with pytest.raises(MCPError, match="requestState"):
                await call(client, request_state=state, input_responses=AGREED)
        assert desk.orders == []


@pytest.mark.parametrize(
    "responses",
    [
        None,
        {},
        {"other": AGREED["approval"]},
        {"approval": types.ElicitResult(action="decline")},
        {"approval": types.ListRootsResult(roots=[])},
    ],
    ids=["no answers", "none of them", "another question", "declined", "another kind"],
)
async def test_a_state_without_a_yes_places_none(desk: Desk, responses: Any):
    async with desk.client(ERAS[1], YES) as client:
        state = await asked(client)
        assert (await call(client, request_state=state, input_responses=responses)).is_error
        assert (await call(client, request_state=state, input_responses=AGREED)).is_error
        assert desk.orders == []


async def test_answers_without_a_state_are_no_consent(desk: Desk):
    async with desk.client(ERAS[1], YES) as client:
        assert isinstance(await call(client, input_responses=AGREED), types.InputRequiredResult)
        assert desk.orders == []


async def test_another_call_of_the_same_tool_is_asked_about_anew(desk: Desk):
    async with desk.client(ERAS[1], YES) as client:
        state = await asked(client)
        await call(client, request_state=state, input_responses=AGREED)
        assert isinstance(await call(client), types.InputRequiredResult)
        assert desk.orders == [ARGUMENTS]


@pytest.mark.usefixtures("few")
async def test_calls_that_wait_for_an_answer_hinder_no_others_until_the_oldest_is_denied(desk: Desk):
    async with desk.client(ERAS[1], YES, approve=ECHO) as client:
        wanted = [{"text": str(number)} for number in range(MOST_QUESTIONS + 2)]
        states = [await asked(client, arguments=each) for each in wanted]
        assert not (await call(client, ECHO, {"text": "hello"})).is_error
        for arguments, state in zip(wanted, states, strict=True):
            found = await call(client, arguments=arguments, request_state=state, input_responses=AGREED)
            assert found.is_error is (arguments in wanted[:2])
        assert desk.orders == wanted[2:]


@pytest.mark.usefixtures("few")
async def test_an_open_connection_is_answered_when_its_question_is_denied_for_later_ones(desk: Desk):
    shown, is_answered = asyncio.Semaphore(0), asyncio.Event()

    async def answer(_params: types.ElicitRequestParams) -> types.ElicitResult:
        shown.release()
        await is_answered.wait()
        return AGREED["approval"]

    async with desk.client(ERAS[0], answer) as client:
        calls = []
        for _ in range(MOST_QUESTIONS + 1):
            calls.append(asyncio.create_task(call(client)))
            await shown.acquire()
        assert f"{MOST_QUESTIONS} later calls" in (await calls[0]).content[0].text
        is_answered.set()
        assert [(await each).is_error for each in calls] == [True] + [False] * MOST_QUESTIONS
    assert desk.orders == [ARGUMENTS] * MOST_QUESTIONS


@pytest.mark.usefixtures("few")
async def test_more_calls_at_once_than_may_be_under_way_are_refused(desk: Desk):
    async with desk.client(ERAS[1], approve=ECHO) as client:
        calls = [asyncio.create_task(call(client, ECHO, {"text": "hello"})) for _ in range(2 * MOST_CALLS)]
        texts = [(await each).content[0].text for each in calls]
    assert set(texts) == {"hello", f"{MOST_CALLS} calls are under way: call again when one has ended"}
