"""What counts of the messages of an editor once it has ended a run, or has left; and what it takes as an answer."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from conftest import PAY, Editor, Streams, call, connected

SEEN = {"text": "Done."}
ALLOW = {"outcome": {"outcome": "selected", "optionId": "allow-once"}}
REJECT = {"outcome": {"outcome": "selected", "optionId": "reject-once"}}


def line(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def request(number: int, method: str, **params: Any) -> bytes:
    return line(id=number, method=method, params=params)


async def answer_to(reader: asyncio.StreamReader, number: int) -> dict[str, Any]:
    """The answer to a request; what comes before it is skipped."""
    while (found := json.loads(await reader.readline())).get("id") != number or "method" in found:
        pass
    return dict(found)


async def asking(streams: Streams, folder: str, number: int) -> tuple[str, int]:
    """A new session whose prompt has this number, and the id of the question that it asks its user."""
    reader, writer = streams
    writer.write(request(100 + number, "session/new", cwd=folder, mcpServers=[]))
    session = (await answer_to(reader, 100 + number))["result"]["sessionId"]
    writer.write(request(number, "session/prompt", sessionId=session, prompt=[{"type": "text", "text": "q"}]))
    while (asked := json.loads(await reader.readline())).get("method") != "session/request_permission":
        pass
    return session, asked["id"]


@asynccontextmanager
async def initialized(editor: Editor, *turns: dict[str, Any]) -> AsyncIterator[Streams]:
    """A connection whose model answers with these turns; it pays by default."""
    async with connected(editor.script(*(turns or (PAY, SEEN)))) as streams:
        streams[1].write(request(99, "initialize", protocolVersion=1))
        await answer_to(streams[0], 99)
        yield streams


ENDS = {
    "session/cancel": lambda session: line(method="session/cancel", params={"sessionId": session}),
    "$/cancel_request": lambda _: line(method="$/cancel_request", params={"requestId": 1}),
    "session/close": lambda session: request(3, "session/close", sessionId=session),
}


@pytest.mark.parametrize("way", ENDS)
async def test_an_allowance_read_after_the_end_of_its_run_pays_nothing(editor: Editor, way: str):
    async with initialized(editor) as (reader, writer):
        streams = reader, writer
        first, question = await asking(streams, str(editor.folder), 1)
        _, other = await asking(streams, str(editor.folder), 2)
        writer.write(ENDS[way](first) + line(id=question, result=ALLOW) + line(id=other, result=REJECT))
        stopped = await answer_to(reader, 1)
    assert stopped["result"] == {"stopReason": "cancelled"}
    assert editor.paid == []


V2 = {"jsonrpc": "2.0"}
ANSWERS: dict[str, dict[str, Any]] = {
    "error of text": {**V2, "error": "x"},
    "error of number": {**V2, "error": 5},
    "error of true": {**V2, "error": True},
    "error of list": {**V2, "error": [1]},
    "error and result": {**V2, "error": {"code": 1, "message": "x"}, "result": ALLOW},
    "null and result": {**V2, "error": None, "result": ALLOW},
    "other version": {"jsonrpc": "1.0", "result": ALLOW},
    "no version": {"result": ALLOW},
    "neither": V2,
    "result of number": {**V2, "result": 5},
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
async def test_an_answer_that_is_no_result_alone_is_a_refusal_and_the_connection_goes_on(
    editor: Editor, answer: dict[str, Any]
):
    async with initialized(editor) as (reader, writer):
        _, question = await asking((reader, writer), str(editor.folder), 1)
        writer.write(json.dumps({"id": question, **answer}).encode() + b"\n")
        stopped = await answer_to(reader, 1)
    assert stopped["result"] == {"stopReason": "end_turn"}
    assert editor.paid == []


async def test_an_answer_without_a_usable_id_answers_nothing(editor: Editor):
    async with initialized(editor) as (reader, writer):
        _, question = await asking((reader, writer), str(editor.folder), 1)
        assert question == 0
        writer.write(line(id=False, result=ALLOW) + line(id="0", result=ALLOW) + line(id=question, result=REJECT))
        assert (await answer_to(reader, 1))["result"] == {"stopReason": "end_turn"}
    assert editor.paid == []


async def test_a_session_whose_editor_leaves_while_its_user_is_asked_is_verified(editor: Editor):
    async with initialized(editor) as (reader, writer):
        session, _ = await asking((reader, writer), str(editor.folder), 1)
        writer.write_eof()
        await reader.read()
    assert editor.paid == []
    assert editor.verified(session)[0] == 0, editor.verified(session)


async def test_a_session_whose_calls_are_refused_in_another_order_is_verified(editor: Editor):
    both = {"tool_calls": [*call("note", text="x")["tool_calls"], *PAY["tool_calls"]]}
    async with initialized(editor, both, SEEN) as (reader, writer):
        session, first = await asking((reader, writer), str(editor.folder), 1)
        while (second := json.loads(await reader.readline())).get("method") != "session/request_permission":
            pass
        writer.write(line(id=second["id"], result=REJECT) + line(id=first, result=REJECT))
        assert (await answer_to(reader, 1))["result"] == {"stopReason": "end_turn"}
    assert editor.verified(session)[0] == 0, editor.verified(session)


def test_an_editor_that_reads_no_more_ends_the_process(editor: Editor):
    command = [sys.executable, "-m", "finclaw_cli", "acp", "-m", "demo"]
    with subprocess.Popen(
        command, env=os.environ, cwd=editor.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(request(1, "initialize", protocolVersion=1))
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(30) == 0
