"""An agent in the process of its caller: answers, events, results, errors, cancellation."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import aclosing, suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from finclaw_cli import Agent, RunFailed
from finclaw_cli.errors import FinclawError, SessionBusy, UsageError
from finclaw_cli.events import AgentDelta, AgentResult, AgentStart, to_json
from tests.agent.scripts import Scripts

pytestmark = pytest.mark.asyncio


def records(home: Path, session: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (home / "sessions" / f"{session}.jsonl").read_text().splitlines()]


async def test_events_come_from_start_to_result_with_the_text_between(script: Scripts):
    async with Agent(model=script({"text": "All is well."}), no_plugins=True) as agent:
        events = [event async for event in agent.stream("How is it?")]
    assert isinstance(events[0], AgentStart)
    assert isinstance(events[-1], AgentResult)
    assert "".join(event.text for event in events if isinstance(event, AgentDelta)) == "All is well."


async def test_an_event_is_the_json_of_the_ndjson_line(script: Scripts):
    async with Agent(model=script({"text": "Hi."}), no_plugins=True) as agent:
        lines = [to_json(event) async for event in agent.stream("x")]
    assert lines[-1]["type"] == "agent.result"
    assert json.loads(json.dumps(lines[-1]))["text"] == "Hi."


async def test_other_families_of_events_come_where_they_are_asked_for(script: Scripts):
    async with Agent(model=script({"text": "Hi."}), no_plugins=True) as agent:
        assert {event.type.split(".")[0] for event in [event async for event in agent.stream("x", events="all")]} > {
            "agent"
        }


async def test_the_second_prompt_continues_the_conversation_of_the_first(script: Scripts):
    async with Agent(model=script({"text": "One."}), no_plugins=True) as agent:
        first, second = await agent.run("a"), await agent.run("b")
    assert [message.text for message in second.messages] == ["a", "One.", "b", "One."]
    assert first.session_id == second.session_id


async def test_a_later_agent_continues_a_named_session(script: Scripts):
    model = script({"text": "One."})
    async with Agent(model=model, session="talk", no_plugins=True) as agent:
        await agent.run("a")
    async with Agent(model=model, session="talk", no_plugins=True) as agent:
        result = await agent.run("b")
    assert [message.text for message in result.messages] == ["a", "One.", "b", "One."]


async def test_a_session_that_another_agent_holds_is_busy(script: Scripts):
    model = script({"text": "One."})
    async with Agent(model=model, session="talk", no_plugins=True):
        with pytest.raises(SessionBusy):
            await Agent(model=model, session="talk", no_plugins=True).run("b")


async def test_a_session_with_nothing_to_take_up_stays_free(script: Scripts):
    model = script({"text": "One."})
    async with Agent(model=model, session="talk", no_plugins=True) as agent:
        await agent.run("a")
    with pytest.raises(UsageError, match="has ended with an answer"):
        await Agent(model=model, session="talk", resume=True, no_plugins=True).run()
    async with Agent(model=model, session="talk", no_plugins=True) as agent:
        assert (await agent.run("b")).text == "One."


async def test_an_agent_works_without_being_opened_or_closed(script: Scripts):
    assert (await Agent(model=script({"text": "Hi."}), no_plugins=True).run("x")).text == "Hi."


async def test_the_answer_is_parsed_by_a_pydantic_model(script: Scripts):
    class Answer(BaseModel):
        close: float

    async with Agent(model=script({"text": '{"close": 4.5}'}), schema=Answer, no_plugins=True) as agent:
        assert (await agent.run("x")).output == {"close": 4.5}


async def test_the_event_loop_runs_while_a_file_is_read(script: Scripts, tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    async with Agent(model=script({"text": "A file."}), home=tmp_path / "home") as agent:
        run = asyncio.create_task(agent.run("What is it?", files=[pipe]))
        writer = None
        while writer is None:
            await asyncio.sleep(0)
            with suppress(OSError):  # no reader has opened it yet
                writer = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        os.write(writer, b"Rows and columns.")
        os.close(writer)
        assert (await run).text == "A file."


async def test_a_file_goes_with_the_prompt(script: Scripts, tmp_path: Path):
    (tmp_path / "held.csv").write_text("ACME,3\n")
    async with Agent(model=script({"text": "ok"}), no_plugins=True) as agent:
        result = await agent.run("What is it?", files=[tmp_path / "held.csv"])
    assert '<file name="held.csv">\nACME,3\n</file>' in result.messages[0].text


async def test_a_failed_run_is_a_result_with_its_exit_code(script: Scripts):
    turn = {"tool_calls": [{"name": "nosuch", "input": {}}]}
    async with Agent(model=script(turn), max_turns=1, no_plugins=True) as agent:
        result = await agent.run("x")
    assert (result.status, result.exit_code, result.is_ok) == ("max_turns", 5, False)
    assert result.error is not None
    assert result.error.code in result._repr_markdown_()


async def test_a_failed_run_is_raised_where_that_is_asked_for(script: Scripts):
    turn = {"tool_calls": [{"name": "nosuch", "input": {}}]}
    async with Agent(model=script(turn), max_turns=1, no_plugins=True) as agent:
        with pytest.raises(RunFailed) as caught:
            await agent.run("x", raise_on_error=True)
    assert caught.value.exit_code == caught.value.result.exit_code == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_turns": 0}, "max_turns"),
        ({"max_turnz": 3}, "did you mean 'max_turns'"),
        ({"plain": True}, "no option 'plain'"),
        ({"tools": "price"}, "tools"),
        ({"tools": [3]}, "not a tool"),
        ({"schema": 3, "model": "scripted:x"}, "schema"),
        ({"model": "nosuch:x"}, "no provider"),
        ({"policy": ["nosuch.toml"], "model": "scripted:x"}, "nosuch.toml"),
        ({"session": "a/b", "model": "scripted:x"}, "a/b"),
        ({"home": "/dev/null/x", "model": "scripted:x"}, "/dev/null"),
    ],
)
async def test_what_is_wrong_is_one_error(options: dict[str, object], message: str):
    with pytest.raises(FinclawError) as caught:
        await Agent(**options, no_plugins=True).run("x")  # type: ignore[arg-type]
    assert message in str(caught.value)


async def test_after_an_error_the_next_run_tries_again(script: Scripts, tmp_path: Path):
    policy = tmp_path / "own.toml"
    agent = Agent(model=script({"text": "Hi."}), policy=[str(policy)], no_plugins=True)
    with pytest.raises(UsageError):
        await agent.run("x")
    policy.write_text("")
    assert (await agent.run("x")).text == "Hi."
    await agent.aclose()


async def test_an_empty_prompt_is_refused_and_the_conversation_goes_on(script: Scripts):
    async with Agent(model=script({"text": "Hi."}), no_plugins=True) as agent:
        with pytest.raises(UsageError, match="empty"):
            await agent.run("  ")
        assert (await agent.run("x")).text == "Hi."


async def test_in_a_running_loop_run_sync_names_what_to_write(script: Scripts):
    with pytest.raises(UsageError) as caught:
        Agent(model=script({"text": "Hi."})).run_sync("x")
    assert "await agent.run" in str(caught.value.hint)


async def test_cancelling_the_task_ends_the_run_with_its_result_recorded(script: Scripts, tmp_path: Path):
    waiting = asyncio.Event()

    async def wait() -> str:
        """Wait, the first time."""
        if not waiting.is_set():
            waiting.set()
            await asyncio.sleep(600)
        return ""

    turn = {"tool_calls": [{"name": "wait", "input": {}}]}
    async with Agent(model=script(turn, {"text": "ok"}), tools=[wait], session="s", no_plugins=True) as agent:
        task = asyncio.create_task(agent.run("x"))
        await waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        last = records(tmp_path / "home", "s")[-1]
        assert (last["type"], last["data"]["status"]) == ("agent.result", "aborted")
        assert (await agent.run("y")).text == "ok"


async def test_a_reader_that_leaves_ends_the_run(script: Scripts, tmp_path: Path):
    turn = {"text": "word " * 5_000, "delta_chars": 2}
    async with Agent(model=script(turn), session="s", no_plugins=True) as agent:
        async with aclosing(agent.stream("x")) as stream:
            async for event in stream:
                if isinstance(event, AgentDelta):
                    break
        last = records(tmp_path / "home", "s")[-1]
    assert (last["type"], last["data"]["status"]) == ("agent.result", "aborted")


async def test_nothing_is_written_to_stdout_or_stderr(script: Scripts, capfd: pytest.CaptureFixture[str]):
    async with Agent(model=script({"text": "Hi."})) as agent:
        await agent.run("x")
    assert capfd.readouterr() == ("", "")


async def test_without_save_nothing_is_kept_of_the_conversation(script: Scripts, tmp_path: Path):
    async with Agent(model=script({"text": "Hi."}), save=False, no_plugins=True) as agent:
        assert (await agent.run("x")).text == "Hi."
    assert not (tmp_path / "home" / "sessions").exists()


async def test_a_limit_of_money_is_given_as_a_decimal_or_a_text(script: Scripts):
    for amount in (Decimal("0.5"), "0.5"):
        async with Agent(model=script({"text": "Hi."}), max_cost=amount, no_plugins=True) as agent:
            assert (await agent.run("x")).exit_code == 0


async def test_settings_files_and_variables_count_only_with_from_settings(
    script: Scripts, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("FINCLAW_MAX_TURNS", "7")
    for agent, turns in (
        (Agent(model=script({"text": "a"})), 10),
        (Agent.from_settings(model=script({"text": "a"})), 7),
    ):
        (start, *_) = [event async for event in agent.stream("x")]
        assert isinstance(start, AgentStart)
        assert start.limits.max_turns == turns
        await agent.aclose()
