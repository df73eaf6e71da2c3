"""A server with the batch APIs of Anthropic and OpenAI, over HTTP on 127.0.0.1, which can be made to fail.

async with BatchApis() as server:
batch = Batch(prompts, model="anthropic:m", base_url=server.url, economy="batch", …)
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
from collections import Counter, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal, Self

from finclaw_cli.core.record import record
from finclaw_cli.testing.batch_answers import DIALECTS, Asked, Body, Reply, asked

Boundary = Literal["create:before", "create:after", "state", "results", "results:half", "list"]
"""Where a batch is not made yet, is made and not reported, is looked at, and where its results are sent."""
Ending = Literal["expired", "errored", "invalid", "cancelled", "missing"]
_ANTHROPIC: Final = "/v1/messages/batches"


def say(question: Asked) -> Reply:
    """Answer with `re: PROMPT`; a prompt that begins with `pay` is first answered with a call of the tool `pay`."""
    if question.prompt.startswith("pay") and not question.has_results:
        return Reply(tool="pay", input={"order": question.prompt})
    return Reply(text=f"re: {question.prompt}")


@dataclass(slots=True)
class FakeBatch:
    """A batch that was made."""

    id: str
    entries: list[Body]
    """Each with `custom_id` and `body`."""
    endpoint: str
    metadata: Mapping[str, str]
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    is_cancelled: bool = False
    endings: dict[str, Ending] = field(default_factory=dict)
    """Of what is not answered, by custom id."""


@record(kw_only=True)
class _Request:
    method: str
    path: str
    body: bytes


class Drop(Exception):
    """Raised where the server closes a connection without an answer."""


class BatchApis:
    """Answers what is asked in batches, and outside of them.

    Args:
        reply: answers a question.
        seed: of the order of results.
    """

    def __init__(self, reply: Callable[[Asked], Reply] = say, seed: int = 1) -> None:
        self.url = ""
        self.batches: list[FakeBatch] = []
        """Those that were made, in this order."""
        self.at_once: list[Body] = []
        """The bodies of what was asked outside of batches."""
        self.endings: dict[str, deque[Ending]] = {}
        """How questions end before they are answered, by prompt; each batch takes one."""
        self.faults: Counter[Boundary] = Counter()
        """How often the server closes the connection at a boundary."""
        self.reached: Callable[[Boundary], None] = lambda _: None
        """Called at each boundary."""
        self.is_held = False
        """Whether no batch ends."""
        self.answered: Counter[str] = Counter()
        """How often each custom id was asked."""
        self._reply = reply
        self._random = random.Random(seed)  # noqa: S311 - not a secret
        self._files: dict[str, bytes] = {}
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=256)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, Drop):
            while True:
                status, body = self._answer(await _request(reader))
                head = f"HTTP/1.1 {status} S\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
                is_cut = body.count(b"\n") > 1 and self._fails("results:half")
                writer.write(head.encode() + (body[: len(body) // 2] if is_cut else body))
                await writer.drain()
                if is_cut:
                    break
        writer.close()

    def _fails(self, boundary: Boundary) -> bool:
        self.reached(boundary)
        self.faults[boundary] -= 1
        return self.faults[boundary] >= 0

    def _pass(self, boundary: Boundary) -> None:
        if self._fails(boundary):
            raise Drop

    def _answer(self, request: _Request) -> tuple[int, bytes]:
        path, _, query = request.path.partition("?")
        if request.method == "POST" and path in DIALECTS:
            return 200, _json(self._answer_at_once(path, json.loads(request.body)))
        if path == "/v1/files":
            return 200, _json(self._upload(request.body))
        if path.startswith("/v1/files/"):
            self._pass("results")
            return 200, self._files[path.split("/")[3]]
        if path in {_ANTHROPIC, "/v1/batches"}:
            return 200, _json(self._create(path, request.body) if request.method == "POST" else self._list(path, query))
        return self._of_batch(path)

    def _answer_at_once(self, path: str, body: Body) -> Body:
        self.at_once.append(body)
        return DIALECTS[path](body, self._reply(asked(body)))

    def _upload(self, body: bytes) -> Body:
        name = f"file_{secrets.token_hex(4)}"
        self._files[name] = body.split(b"application/jsonl\r\n\r\n", 1)[1].rsplit(b"\r\n--", 1)[0]
        return {"id": name, "object": "file"}

    def _create(self, path: str, content: bytes) -> Body:
        self._pass("create:before")
        given = json.loads(content)
        made = FakeBatch(id=f"batch_{secrets.token_hex(6)}", entries=[], endpoint="/v1/messages", metadata={})
        if path == _ANTHROPIC:
            made.entries = [{"custom_id": each["custom_id"], "body": each["params"]} for each in given["requests"]]
        else:
            made.endpoint, made.metadata = given["endpoint"], given["metadata"]
            made.entries = [json.loads(line) for line in self._files[given["input_file_id"]].splitlines()]
        for entry in made.entries:
            self.answered[entry["custom_id"]] += 1
            if endings := self.endings.get(asked(entry["body"]).prompt):
                made.endings[entry["custom_id"]] = endings.popleft()
        self.batches.append(made)
        self._pass("create:after")
        return self._shown(path, made)

    def _list(self, path: str, query: str) -> Body:
        self._pass("list")
        of = [batch for batch in reversed(self.batches) if (batch.endpoint == "/v1/messages") == (path == _ANTHROPIC)]
        after = query.rpartition("after_id=" if path == _ANTHROPIC else "after=")[2] if "after" in query else ""
        start = next((at + 1 for at, batch in enumerate(of) if batch.id == after), 0)
        page = [self._shown(path, batch) for batch in of[start : start + 3]]
        return {"data": page, "has_more": start + 3 < len(of)}

    def _of_batch(self, path: str) -> tuple[int, bytes]:
        parts = path.removeprefix("/v1/messages").split("/")
        made = next((batch for batch in self.batches if batch.id in parts), None)
        if made is None:
            return 404, b'{"error":{"type":"not_found_error","message":"no such batch"}}'
        if parts[-1] == "results":
            self._pass("results")
            return 200, self._results(made, anthropic=True)
        if parts[-1] == "cancel":
            made.is_cancelled = True
        else:
            self._pass("state")
        return 200, _json(self._shown(path, made))

    def _shown(self, path: str, batch: FakeBatch) -> Body:
        is_ended, count, failed = not self.is_held or batch.is_cancelled, len(batch.entries), len(batch.endings)
        if path.startswith(_ANTHROPIC):
            counts = {"processing": count}
            if is_ended:
                counts = {"processing": 0, "succeeded": count - failed, "errored": failed}
            return {
                "id": batch.id, "processing_status": "ended" if is_ended else "in_progress",
                "created_at": batch.created.isoformat(), "request_counts": counts,
            }  # fmt: skip
        shown: Body = {
            "id": batch.id, "status": "completed" if is_ended else "in_progress", "metadata": batch.metadata,
            "created_at": int(batch.created.timestamp()),
            "request_counts": {"completed": count - failed, "failed": failed},
        }  # fmt: skip
        if is_ended:
            self._files[f"of-{batch.id}"] = self._results(batch, anthropic=False)
            shown["output_file_id"] = f"of-{batch.id}"
        return shown

    def _results(self, batch: FakeBatch, *, anthropic: bool) -> bytes:
        made = _message_result if anthropic else _response_result
        lines = []
        for entry in batch.entries:
            ending = "cancelled" if batch.is_cancelled else batch.endings.get(entry["custom_id"])
            if ending != "missing":
                answer = DIALECTS[batch.endpoint](entry["body"], self._reply(asked(entry["body"])))
                lines.append(_json({"custom_id": entry["custom_id"], **made(answer, ending)}) + b"\n")
        self._random.shuffle(lines)
        return b"".join(lines)


_MESSAGE_ENDINGS: Final[Mapping[Ending, Body]] = {
    "expired": {"type": "expired"},
    "cancelled": {"type": "canceled"},
    "errored": {"type": "errored", "error": {"type": "error", "error": {"type": "api_error", "message": "no"}}},
    "invalid": {
        "type": "errored",
        "error": {"type": "error", "error": {"type": "invalid_request_error", "message": "no"}},
    },
}
_RESPONSE_ENDINGS: Final[Mapping[Ending, Body]] = {
    "expired": {"response": None, "error": {"code": "batch_expired", "message": "no"}},
    "cancelled": {"response": None, "error": {"code": "batch_cancelled", "message": "no"}},
    "errored": {"response": {"status_code": 500, "body": {"error": {"message": "no"}}}, "error": None},
    "invalid": {
        "response": {"status_code": 400, "body": {"error": {"type": "invalid_request_error", "message": "no"}}},
        "error": None,
    },
}


def _message_result(answer: Body, ending: Ending | None) -> Body:
    return {"result": {"type": "succeeded", "message": answer} if ending is None else _MESSAGE_ENDINGS[ending]}


def _response_result(answer: Body, ending: Ending | None) -> Body:
    return {"response": {"status_code": 200, "body": answer}} if ending is None else _RESPONSE_ENDINGS[ending]


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


async def _request(reader: asyncio.StreamReader) -> _Request:
    head = await reader.readuntil(b"\r\n\r\n")
    method, path, _ = head.split(b"\r\n", 1)[0].decode().split(" ")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")]
    length = int(lengths[0].partition(b":")[2]) if lengths else 0
    return _Request(method=method, path=path, body=await reader.readexactly(length))
