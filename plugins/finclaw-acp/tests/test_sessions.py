"""Sessions of an editor: begun, listed, opened again, configured, closed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from acp import RequestError
from conftest import Editor, call, chose, served


async def test_the_agreed_version_is_the_lower_one(editor: Editor):
    async with served(editor):
        for asked, agreed in ((1, 1), (2, 1), (99, 1), (0, 0)):
            assert (await editor.agent.initialize(protocol_version=asked)).protocol_version == agreed


async def test_sessions_are_listed_page_by_page_the_last_one_first(editor: Editor):
    async with served(editor, editor.script({"text": "Fine."})):
        for number in range(52):
            await editor.prompt(await editor.begin(), f"question {number}")
        first = await editor.agent.list_sessions()
        second = await editor.agent.list_sessions(cursor=first.next_cursor)
    titles = [one.title for page in (first, second) for one in page.sessions]
    assert titles == [f"question {number}" for number in reversed(range(52))]
    assert second.next_cursor is None


async def test_a_session_of_the_command_line_is_opened_and_goes_on(editor: Editor):
    model = editor.script({"text": "Fine."})
    command = [sys.executable, "-m", "finclaw_cli", "run", "--session", "talk", "-m", model, "Asked before"]
    subprocess.run(command, env=os.environ, cwd=editor.folder, check=True, stdout=subprocess.DEVNULL)
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


@pytest.mark.parametrize("cwd", ["relative", "/no/such/folder", ""])
async def test_a_folder_that_is_not_there_is_refused(editor: Editor, cwd: str):
    async with served(editor):
        with pytest.raises(RequestError):
            await editor.agent.new_session(cwd=cwd, mcp_servers=[])


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


def ended(editor: Editor, *lines: object, more: bytes = b"") -> tuple[int, list[Any], str]:
    """The exit code, messages and stderr of `finclaw acp`, which is sent these lines."""
    given = b"".join(json.dumps(line).encode() + b"\n" for line in lines) + more
    command = [sys.executable, "-m", "finclaw_cli", "acp", "-m", editor.script({"text": "Fine."})]
    done = subprocess.run(
        command, input=given, env=os.environ, cwd=editor.folder, capture_output=True, check=False, timeout=60
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def request(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def test_the_command_answers_on_stdout_and_ends_with_its_editor(editor: Editor):
    code, found, stderr = ended(
        editor,
        request(1, "initialize", protocolVersion=1),
        request(2, "session/new", cwd=str(editor.folder), mcpServers=[]),
        request(3, "no/such/method"),
        request(4, "session/prompt", sessionId="none", prompt=[]),
    )
    answers = {one["id"]: one for one in found}
    assert code == 0
    assert answers[1]["result"]["agentInfo"]["name"] == "finclaw"
    assert answers[2]["result"]["sessionId"].startswith("acp-")
    assert {answers[number]["error"]["code"] for number in (3, 4)} == {-32601, -32002}
    assert "Traceback" not in stderr


@pytest.mark.parametrize("line", [b"no json\n", b"[1]\n", b"{}\n", b'{"jsonrpc":"2.0"}\n', b"\xff\xfe\n", b"null\n"])
def test_a_line_that_is_no_message_ends_nothing(editor: Editor, line: bytes):
    code, found, stderr = ended(
        editor, more=line + json.dumps(request(1, "initialize", protocolVersion=1)).encode() + b"\n"
    )
    assert (code, [one["id"] for one in found if "result" in one]) == (0, [1])
    assert "Traceback" not in stderr


def test_a_listing_imports_nothing_of_the_protocol(editor: Editor):
    command = [sys.executable, "-X", "importtime", "-m", "finclaw_cli", "tools", "list"]
    done = subprocess.run(command, env=os.environ, cwd=editor.folder, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "finclaw_cli" in imported
    assert imported.isdisjoint({"acp", "finclaw_acp", "pydantic"})


def test_the_help_of_the_command_names_its_option(editor: Editor):
    command = [sys.executable, "-m", "finclaw_cli", "acp", "--help"]
    done = subprocess.run(command, env=os.environ, cwd=Path(editor.folder), capture_output=True, text=True, check=True)
    assert "--model" in done.stdout
