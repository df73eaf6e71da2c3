"""Approvals over the connections of clients: the first answer counts, and all clients see it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.agent.scripts import Scripts
from tests.e2e.harness import checked_lines
from tests.serve.clients import Line, Served, frames

pytestmark = pytest.mark.asyncio
PAY = {"tool_calls": [{"name": "pay", "input": {"to": "Bo", "amount": 12.5}}]}


def paid(home: Path) -> str:
    mark = home / "paid"
    text = mark.read_text() if mark.exists() else ""
    mark.unlink(missing_ok=True)
    return text


class Watching:
    """A client that reads a run by a WebSocket until something is asked of it."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.read = b""

    async def asked(self) -> Line:
        async for frame in self.socket:
            self.read += frame.encode()
            if json.loads(frame)["type"] == "agent.approval_request":
                return dict(json.loads(frame))
        raise AssertionError("nothing was asked")

    async def say(self, line: Mapping[str, Any]) -> None:
        await self.socket.send(json.dumps(line))

    async def rest(self) -> list[Line]:
        self.read += await frames(self.socket)
        return checked_lines(self.read)


@asynccontextmanager
async def watching(served: Served, run_id: str, client: str = "page"):
    async with served.socket(f"/v1/runs/{run_id}/events?client={client}") as socket:
        yield Watching(socket)


def approval(lines: list[Line]) -> Line:
    return next(line for line in lines if line["type"] == "agent.approval")


@pytest.fixture
def model(script: Scripts) -> str:
    return script(PAY, {"text": "Done."})


async def test_a_client_allows_a_call_over_its_websocket(with_tools: Served, model: str, shared_home: Path):
    run_id = await with_tools.start(model=model)
    async with watching(with_tools, run_id) as page:
        asked = await page.asked()
        await page.say({"type": "approval", "id": asked["id"], "decision": "allow"})
        lines = await page.rest()
    assert (approval(lines)["decision"], approval(lines)["by"]) == ("allow", "serve:page")
    assert lines[-1]["exit_code"] == 0
    assert paid(shared_home) == "Bo 12.5\n"


async def test_a_client_denies_a_call_with_its_reason_by_a_request(with_tools: Served, model: str, shared_home: Path):
    run_id = await with_tools.start(model=model)
    async with watching(with_tools, run_id) as page:
        asked = await page.asked()
        (pending,) = await with_tools.get("/v1/approvals")
        assert (pending["id"], pending["run_id"], pending["transactional"]) == (asked["id"], run_id, True)
        assert pending["input"] == asked["input"]
        given = {"decision": "deny", "reason": "too much"}
        answer = await with_tools.http.post(f"/v1/approvals/{asked['id']}?client=script", json=given)
        assert answer.json() == {"id": asked["id"], "decision": "deny", "by": "serve:script"}
        lines = await page.rest()
    assert approval(lines)["by"] == "serve:script"
    assert approval(lines)["reason"] == "too much"
    assert lines[-1]["exit_code"] == 8
    assert paid(shared_home) == ""
    assert await with_tools.get("/v1/approvals") == []


async def test_the_first_of_two_clients_wins_and_both_see_it(with_tools: Served, model: str, shared_home: Path):
    run_id = await with_tools.start(model=model)
    async with watching(with_tools, run_id, "one") as one, watching(with_tools, run_id, "two") as two:
        asked, same = await one.asked(), await two.asked()
        assert asked == same
        path = f"/v1/approvals/{asked['id']}"
        first = await with_tools.http.post(f"{path}?client=one", json={"decision": "allow"})
        second = await with_tools.http.post(f"{path}?client=two", json={"decision": "deny"})
        assert (first.status_code, second.status_code) == (200, 409)
        assert "serve:one" in second.json()["error"]["message"]
        lines = [await one.rest(), await two.rest()]
    assert lines[0] == lines[1]
    assert approval(lines[0])["by"] == "serve:one"
    assert paid(shared_home) == "Bo 12.5\n"


async def test_a_call_is_denied_where_no_client_is_connected(with_tools: Served, model: str, shared_home: Path):
    run_id = await with_tools.start(model=model)
    await with_tools.ended(run_id)
    lines = checked_lines(await with_tools.read(run_id))
    assert approval(lines)["decision"] == "deny"
    assert not approval(lines)["by"].startswith("serve")
    assert lines[-1]["exit_code"] == 8
    assert paid(shared_home) == ""


async def test_a_call_is_denied_when_the_last_client_has_left(with_tools: Served, model: str, shared_home: Path):
    run_id = await with_tools.start(model=model)
    async with watching(with_tools, run_id) as page:
        await page.asked()
    assert (await with_tools.ended(run_id))["result"]["denied"] == ["pay"]
    assert paid(shared_home) == ""


async def test_an_answer_to_another_request_gives_nothing(with_tools: Served, model: str, shared_home: Path):
    run_id = await with_tools.start(model=model)
    async with watching(with_tools, run_id) as page:
        asked = await page.asked()
        await page.say({"type": "approval", "id": "apr_" + "0" * 32, "decision": "allow"})
        unknown = await with_tools.http.post("/v1/approvals/apr_0", json={"decision": "allow"})
        assert unknown.status_code == 404
        unclear = await with_tools.http.post(f"/v1/approvals/{asked['id']}", json={"decision": "yes"})
        assert unclear.status_code == 400
        await page.say({"type": "approval", "id": asked["id"], "decision": "deny"})
        assert (await page.rest())[-1]["exit_code"] == 8
    late = await with_tools.http.post(f"/v1/approvals/{asked['id']}", json={"decision": "allow"})
    assert late.status_code == 409
    assert paid(shared_home) == ""


async def test_an_approval_is_for_one_call_alone(with_tools: Served, script: Scripts, shared_home: Path):
    run_id = await with_tools.start(model=script(PAY, PAY, {"text": "Done."}))
    async with watching(with_tools, run_id) as page:
        first = await page.asked()
        await page.say({"type": "approval", "id": first["id"], "decision": "allow"})
        second = await page.asked()
        assert second["id"] != first["id"]
        await page.say({"type": "approval", "id": first["id"], "decision": "allow"})
        await page.say({"type": "approval", "id": second["id"], "decision": "deny"})
        assert (await page.rest())[-1]["tool_calls"] == {"completed": 1, "denied": 1}
    assert paid(shared_home) == "Bo 12.5\n"


async def test_a_tool_that_was_approved_in_advance_runs_without_a_client(
    with_tools: Served, model: str, shared_home: Path
):
    run_id = await with_tools.start(model=model, approve=["pay"])
    assert (await with_tools.result(run_id))["exit_code"] == 0
    assert paid(shared_home) == "Bo 12.5\n"


async def test_the_policy_knows_the_channel(with_tools: Served, script: Scripts, tmp_path: Path):
    rules = tmp_path / "rules.toml"
    rules.write_text('[[rule]]\nscope = "channel"\nsubject = "serve"\npattern = "price"\nverdict = "deny"\n')
    model = script({"tool_calls": [{"name": "price", "input": {"symbol": "ACME"}}]}, {"text": "None."})
    run_id = await with_tools.start(model=model, policy=[str(rules)])
    lines = checked_lines(await with_tools.read(run_id))
    assert lines[0]["channel"] == "serve"
    assert lines[-1]["denied"] == ["price"]


@pytest.mark.parametrize("line", ["no JSON", "[]", '{"type":"shell"}', '{"type":"approval"}', '{"type":"cancel"}'])
async def test_a_line_that_asks_for_nothing_closes_the_connection_with_a_code(
    with_tools: Served, model: str, line: str, shared_home: Path
):
    run_id = await with_tools.start(model=model)
    async with watching(with_tools, run_id) as page:
        await page.asked()
        await page.socket.send(line)
        await frames(page.socket)
        assert page.socket.close_code == 1008
    assert (await with_tools.ended(run_id))["result"]["denied"] == ["pay"]
    assert paid(shared_home) == ""
