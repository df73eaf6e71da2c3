"""What goes over the pipes between finclaw and an editor, also where it is wrong."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import PAY, Editor, connected
from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_acp.messages import MAX_LINE_BYTES

INVALID, NO_JSON, NO_MESSAGE, NO_METHOD, NOT_FOUND = -32602, -32700, -32600, -32601, -32002


def request(number: object, method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


async def answers(*lines: bytes) -> list[dict[str, Any]]:
    """The answers to lines that are sent at once, as far as the one to a last request."""
    async with connected() as (reader, writer):
        writer.write(b"".join((*lines, request("last", "initialize", protocolVersion=1))))
        found = [json.loads(await reader.readline())]
        while found[-1]["id"] != "last":
            found.append(json.loads(await reader.readline()))
    return found


LINES = {
    "words": (b"no json", NO_JSON),
    "bytes": (b"\xff\xfe", NO_JSON),
    "no number": (b'{"id": NaN}', NO_MESSAGE),
    "infinite": (b'{"id": 1e999}', NO_MESSAGE),
    "deep": (b"[" * 100_000, NO_JSON),
    "list": (b"[1]", NO_MESSAGE),
    "nothing": (b"{}", NO_MESSAGE),
    "null": (b"null", NO_MESSAGE),
    "neither": (b'{"jsonrpc": "2.0"}', NO_MESSAGE),
    "id": (b'{"id": [], "method": "x"}', NO_MESSAGE),
    "long": (b'{"id": 1, "method": "x", "params": "' + b"a" * MAX_LINE_BYTES + b'"}', NO_MESSAGE),
    "very long": (b"a" * (3 * MAX_LINE_BYTES + 7), NO_MESSAGE),
}


@pytest.mark.parametrize(("line", "code"), LINES.values(), ids=LINES)
async def test_a_line_that_is_no_message_is_refused_and_ends_nothing(line: bytes, code: int):
    refused, initialized = await answers(line + b"\n")
    assert (refused["id"], refused["error"]["code"]) == (None, code)
    assert initialized["result"]["agentInfo"]["name"] == "finclaw"


async def test_a_refusal_has_the_id_of_its_request_where_that_can_be_read():
    long = b'{"id": 4, "method": "x", "params": ' + b"9" * 5_000 + b"}"
    lines = (
        b'{"id": 1, "method": 5, "result": 0, "x": NaN}',
        b'{"id": 2, "method": "x", "params": {"y": 1e999}}',
        long,
    )
    found = await answers(*(line + b"\n" for line in lines))
    assert [one["id"] for one in found] == [None, 2, 4, "last"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "x"]), inner, max_size=5
        )
    ),
    max_leaves=8,
)


@given(st.lists(st.binary(max_size=40) | JSON.map(lambda value: json.dumps(value).encode()), max_size=8))
@settings(max_examples=60, deadline=None)
def test_no_line_ends_the_connection(lines: list[bytes]):
    *refused, initialized = asyncio.run(answers(*(line.replace(b"\n", b"") + b"\n" for line in lines)))
    assert initialized["result"]["agentInfo"]["name"] == "finclaw"
    assert all("error" in one for one in refused)


async def test_blank_lines_are_skipped():
    assert len(await answers(b"\n", b"  \r\n")) == 1


REQUESTS = {
    "method": (request(1, "no/such/method"), NO_METHOD),
    "type": (request(1, "session/new", cwd=5, mcpServers=[]), INVALID),
    "list": (b'{"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": [1]}\n', INVALID),
    "session": (request(1, "session/prompt", sessionId="none", prompt=[]), NOT_FOUND),
    "surrogate": (request(1, "session/prompt", sessionId="\ud800", prompt=[]), NOT_FOUND),
    "key": (request(1, "authenticate", methodId="key"), INVALID),
}


@pytest.mark.parametrize(("line", "code"), REQUESTS.values(), ids=REQUESTS)
async def test_a_request_that_is_wrong_has_an_error_as_its_answer(line: bytes, code: int):
    refused = next(one for one in await answers(line) if one["id"] == 1)
    assert refused["error"]["code"] == code


async def begun(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, editor: Editor) -> str:
    """A new session of a new connection."""
    writer.write(request(0, "initialize", protocolVersion=1))
    writer.write(request(1, "session/new", cwd=str(editor.folder), mcpServers=[]))
    await reader.readline()
    return str(json.loads(await reader.readline())["result"]["sessionId"])


def cancelling(number: int, session: str) -> dict[str, bytes]:
    """The two ways to cancel a prompt."""
    ways = {"session/cancel": {"sessionId": session}, "$/cancel_request": {"requestId": number}}
    return {
        name: json.dumps({"jsonrpc": "2.0", "method": name, "params": params}).encode() + b"\n"
        for name, params in ways.items()
    }


@pytest.mark.parametrize("way", cancelling(0, ""))
@pytest.mark.parametrize("waits", [True, False], ids=["asked", "at once"])
async def test_a_prompt_is_cancelled_in_both_ways_whenever_it_comes(editor: Editor, way: str, *, waits: bool):
    async with connected(editor.script(PAY)) as (reader, writer):
        session = await begun(reader, writer, editor)
        asked = request(2, "session/prompt", sessionId=session, prompt=[{"type": "text", "text": "q"}])
        if waits:
            writer.write(asked)
            while json.loads(await reader.readline()).get("method") != "session/request_permission":
                pass
            asked = b""
        writer.write(asked + cancelling(2, session)[way])
        while (answer := json.loads(await reader.readline())).get("id") != 2:
            pass
    assert answer["result"] == {"stopReason": "cancelled"}
    assert editor.paid == []


def run(editor: Editor, *words: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, *words]
    return subprocess.run(command, env=os.environ, cwd=editor.folder, check=False, stderr=subprocess.PIPE, **options)


def test_the_command_answers_on_stdout_and_ends_with_its_editor(editor: Editor):
    servers = [{"name": "x", "command": "/x", "args": [], "env": []}]
    sent = request(1, "initialize", protocolVersion=1) + request(
        2, "session/new", cwd=str(editor.folder), mcpServers=servers
    )
    done = run(editor, "-m", "finclaw_cli", "acp", "-m", "demo", input=sent, stdout=subprocess.PIPE)
    found = [json.loads(line)["result"] for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert found[1]["sessionId"].startswith("acp-")
    assert b"1 MCP server of the editor cannot be used" in done.stderr


def test_a_file_in_place_of_a_pipe_is_one_clear_error(editor: Editor, tmp_path: Path):
    with (tmp_path / "out").open("wb") as out:
        done = run(editor, "-m", "finclaw_cli", "acp", stdin=subprocess.DEVNULL, stdout=out)
    assert (done.returncode, b"have to be pipes" in done.stderr, b"Traceback" in done.stderr) == (2, True, False)


def test_a_listing_imports_nothing_of_the_protocol(editor: Editor):
    done = run(editor, "-X", "importtime", "-m", "finclaw_cli", "tools", "list", stdout=subprocess.DEVNULL)
    imported = {line.rpartition(b"|")[2].strip().partition(b".")[0] for line in done.stderr.splitlines()}
    assert b"finclaw_cli" in imported
    assert imported.isdisjoint({b"acp", b"finclaw_acp", b"pydantic"})
