"""Sessions of an editor: begun, listed, opened again, configured, closed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from acp import RequestError
from conftest import Editor, call, chose, connected, served


async def test_the_agreed_version_is_the_lower_one(editor: Editor):
    async with served(editor):
        for asked, agreed in ((1, 1), (2, 1), (99, 1), (0, 0)):
            assert (await editor.agent.initialize(protocol_version=asked)).protocol_version == agreed


async def test_sessions_are_listed_page_by_page_the_last_one_first(editor: Editor):
    async with served(editor, editor.script({"text": "Fine."})):
        session = await editor.begin()
        await editor.prompt(session, "How?")
        kept = editor.home / "sessions" / f"{session}.jsonl"
        for number in range(51):
            os.utime(shutil.copy(kept, kept.with_name(f"s{number:02}.jsonl")), (number, number))
        first = await editor.agent.list_sessions()
        second = await editor.agent.list_sessions(cursor=first.next_cursor)
    ids = [one.session_id for page in (first, second) for one in page.sessions]
    assert ids == [session, *(f"s{number:02}" for number in reversed(range(51)))]
    assert ({one.title for one in first.sessions}, second.next_cursor) == ({"How?"}, None)


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "9" * 30])
async def test_a_page_that_is_not_there_is_refused(editor: Editor, cursor: str):
    async with served(editor):
        with pytest.raises(RequestError, match="no page"):
            await editor.agent.list_sessions(cursor=cursor)


@pytest.fixture
def model(editor: Editor) -> str:
    """A model, with which the session `talk` has begun on the command line."""
    model = editor.script({"text": "Fine."})
    command = [sys.executable, "-m", "finclaw_cli", "run", "--session", "talk", "-m", model, "Asked before"]
    subprocess.run(command, env=os.environ, cwd=editor.folder, check=True, stdout=subprocess.DEVNULL)
    return model


async def test_a_session_of_the_command_line_is_opened_and_goes_on(editor: Editor, model: str):
    async with served(editor, model):
        await editor.agent.load_session(cwd=str(editor.folder), session_id="talk", mcp_servers=[])
        assert [one.content.text for one in editor.updates] == ["Asked before", "Fine."]
        assert await editor.prompt("talk", "Asked here") == "end_turn"
        editor.updates.clear()
        await editor.agent.resume_session(cwd=str(editor.folder), session_id="talk", mcp_servers=[])
        assert editor.updates == []
        await editor.agent.load_session(cwd=str(editor.folder), session_id="talk", mcp_servers=[])
    assert [one.content.text for one in editor.updates] == ["Asked before", "Fine.", "Asked here", "Fine."]


async def test_a_call_and_its_result_are_shown_again(editor: Editor):
    editor.answer = chose("allow-once")
    async with served(editor, editor.script(call("note", text="a"), {"text": "Done."})):
        session = await editor.begin()
        await editor.prompt(session)
        editor.updates.clear()
        await editor.agent.load_session(cwd=str(editor.folder), session_id=session, mcp_servers=[])
    begun, ended = [one for one in editor.updates if one.session_update.startswith("tool_call")]
    assert (begun.title, ended.status, ended.content[0].content.text) == ("note (text: a)", "completed", "noted: a")


@pytest.mark.parametrize("name", ["none", "../none", "no/ne", "", "a" * 300, ".", "\x00"])
async def test_a_session_that_is_not_there_is_not_opened(editor: Editor, name: str):
    async with served(editor):
        for way in (editor.agent.load_session, editor.agent.resume_session):
            with pytest.raises(RequestError):
                await way(cwd=str(editor.folder), session_id=name, mcp_servers=[])
        with pytest.raises(RequestError, match="no open session"):
            await editor.prompt(name)


@pytest.mark.parametrize("cwd", ["relative", "/no/such/folder", "", "/" + "a" * 5_000, "/\0"])
async def test_a_folder_that_is_not_there_is_refused(editor: Editor, cwd: str):
    async with served(editor):
        with pytest.raises(RequestError, match="no absolute path of a folder") as raised:
            await editor.agent.new_session(cwd=cwd, mcp_servers=[])
    assert (raised.value.code, len(str(raised.value)) < 300) == (-32602, True)


async def test_the_model_is_chosen_among_those_of_the_command(editor: Editor):
    models = [editor.script({"text": name}, name=f"{name}.json") for name in ("one", "two")]
    async with served(editor, *models):
        session = await editor.begin()
        await editor.prompt(session)
        chosen = await editor.agent.set_config_option(config_id="model", session_id=session, value=models[1])
        await editor.prompt(session)
        with pytest.raises(RequestError):
            await editor.agent.set_config_option(config_id="model", session_id=session, value="anthropic:other")
    assert editor.text == "onetwo"
    assert chosen.config_options[0].current_value == models[1]


async def test_a_closed_session_takes_no_prompt_and_stays_kept(editor: Editor):
    async with served(editor, editor.script({"text": "Fine."})):
        session = await editor.begin()
        await editor.prompt(session, "kept")
        await editor.agent.close_session(session_id=session)
        with pytest.raises(RequestError, match="no open session"):
            await editor.prompt(session)
        assert [one.title for one in (await editor.agent.list_sessions()).sessions] == ["kept"]


@pytest.mark.parametrize("method", ["session/new", "session/load", "session/resume", "session/list"])
async def test_a_connection_that_is_not_initialized_opens_and_lists_nothing(editor: Editor, method: str):
    params = {"cwd": str(editor.folder), "mcpServers": [], "sessionId": "talk"}
    async with connected() as (reader, writer):
        writer.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
        refused = json.loads(await reader.readline())
    assert (refused["error"]["code"], "call initialize first" in refused["error"]["message"]) == (-32600, True)
