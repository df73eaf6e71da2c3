"""The kit for authors' tests, itself tested."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events.agent import AgentResult, AgentStart
from finclaw_cli.plugin_host.conformance.own_loop import finish, in_own_loop
from finclaw_cli.plugin_host.conformance.watch import watched_stdout
from finclaw_cli.sdk import ToolContext, tool
from finclaw_cli.testing.runs import Played
from finclaw_cli.testing.tools import run_tool, run_tool_async, the_tool


@tool(transactional=True, idempotent=True)
async def pay(amount: Decimal, ctx: ToolContext) -> str:
    """Pay."""
    return f"paid {amount} under {ctx.idempotency_key}"


@tool
def shout(text: str) -> dict[str, str]:
    """Shout."""
    return {"said": text.upper()}


def asks(name: str, **arguments: object) -> dict[str, object]:
    return {"tool_calls": [{"name": name, "input": arguments}]}


def test_approval_is_given_unless_it_is_to_be_denied():
    assert run_tool(pay, {"amount": "1.10"}).content.startswith("paid 1.10 under ")
    denied = run_tool(pay, {"amount": "1.10"}, approved=False)
    assert denied.is_error
    assert "needs approval" in denied.content


def test_the_same_call_has_the_same_key():
    keys = {run_tool(pay, text).content for text in ('{"amount": 1.1}', '{ "amount" : 1.10 }')}
    assert len({content.partition(" under ")[2] for content in keys}) == 1
    assert run_tool(pay, {"amount": "2"}).content.partition(" under ")[2] not in str(keys)


def test_a_result_is_not_cut():
    assert len(json.loads(run_tool(shout, {"text": "x" * 50_000}).content)["said"]) == 50_000


def test_no_tool_is_refused():
    with pytest.raises(UsageError, match="is not a tool"):
        the_tool(print)


async def test_both_forms_work_within_a_running_loop(scripted_run: Callable[..., Played]):
    assert (await run_tool_async(shout, {"text": "a"})).content == run_tool(shout, {"text": "a"}).content
    assert scripted_run([{"text": "Hi."}]).text == "Hi."


def test_a_whole_run(scripted_run: Callable[..., Played]):
    played = scripted_run([asks("shout", text="hi"), {"text": "{{shout.said}}!"}], shout, prompt="Say hi.")
    assert played.text == "HI!"
    assert [(call.name, call.status, call.result) for call in played.calls] == [
        ("shout", "completed", '{"said": "HI"}')
    ]
    assert isinstance(played.events[0], AgentStart)
    assert [offered.name for offered in played.events[0].tools] == ["shout"]
    assert isinstance(played.events[-1], AgentResult)
    assert played.result.messages[0].text == "Say hi."


def test_a_run_from_a_file(scripted_run: Callable[..., Played], tmp_path: Path):
    path = tmp_path / "script.toml"
    path.write_text('[[turns]]\ntext = "From a file."\n')
    assert scripted_run(path).text == "From a file."


def test_nobody_consents_in_a_run_unless_asked_to(scripted_run: Callable[..., Played]):
    turns = [asks("pay", amount="5"), {"text": "Done."}]
    denied = scripted_run(turns, pay)
    assert (denied.calls[0].status, denied.result.exit_code) == ("denied", 8)
    assert scripted_run(turns, pay, approved=True).calls[0].status == "completed"


def test_the_fixtures_share_an_empty_home(finclaw_home: Path, tool_context: ToolContext):
    assert tool_context.home == finclaw_home
    assert os.environ["FINCLAW_HOME"] == str(finclaw_home)
    assert list(finclaw_home.iterdir()) == []


def test_awaiting_hands_errors_on():
    async def fails() -> None:
        raise KeyError("x")

    for wait in (finish, in_own_loop):
        with pytest.raises(KeyError):
            wait(fails())


def test_what_is_left_behind_is_cancelled():
    cancelled = asyncio.Event()

    async def lingers() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()

    async def leaves() -> asyncio.Task[None]:
        task = asyncio.create_task(lingers())
        await asyncio.sleep(0)
        return task

    in_own_loop(leaves())
    assert cancelled.is_set()


def test_a_watch_sees_both_ways_to_stdout_and_gives_it_back(capfd: pytest.CaptureFixture[str]):
    print("before")
    with watched_stdout() as written:
        print("printed")
        os.write(1, b"written\n")
    print("after")
    assert written.text == "printed\nwritten\n"
    assert capfd.readouterr().out == "before\nafter\n"


@tool
def fetch(ctx: ToolContext) -> str:
    """Fetch."""
    return f"sent with {ctx.secret('FETCH_KEY')}"


@tool
def repeat(text: str) -> str:
    """Repeat."""
    return text


@pytest.mark.parametrize("given", [{}, {"secret": {"FETCH_KEY": "fetch-key-0123"}.get}], ids=["variable", "context"])
def test_a_secret_is_masked_in_the_result_as_in_a_run(monkeypatch: pytest.MonkeyPatch, given: dict[str, object]):
    if not given:
        monkeypatch.setenv("FETCH_KEY", "fetch-key-0123")
    assert run_tool(fetch, **given).content == "sent with [REDACTED:key]"
    assert run_tool(repeat, {"text": "fetch-key-0123"}).content == "fetch-key-0123"


def test_a_secret_is_masked_in_a_whole_run(monkeypatch: pytest.MonkeyPatch, scripted_run: Callable[..., Played]):
    monkeypatch.setenv("FETCH_KEY", "fetch-key-0123")
    played = scripted_run([asks("fetch"), {"text": "{{fetch}}"}], fetch)
    assert [call.result for call in played.calls] == ["sent with [REDACTED:key]"]
    assert played.text == "sent with [REDACTED:key]"
