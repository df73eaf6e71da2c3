"""A model's server on 127.0.0.1 in the dialect of chat completions: it counts what it is asked, and may be slow.

`python -m tests.batch.model_server SECONDS` serves in a process of its own, and prints its address.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from typing import Any, Self


class ModelServer:
    """Answers each request with `re: PROMPT`.

    A prompt that begins with `pay` asks for one call of the tool `pay` first; one that begins with `status N` is
    refused with that status and `refusal_headers`, as often as `refusals` has it; one that begins with `hold` waits
    until `released` is set.
    """

    def __init__(self, delay_s: float = 0.0) -> None:
        self.delay_s = delay_s
        self.asked: Counter[str] = Counter()
        """How many requests each prompt came to."""
        self.refusals: Counter[str] = Counter()
        self.refusal_headers = ""
        self.released = asyncio.Event()
        self.arrived = asyncio.Event()
        self.under_way = 0
        self.most_under_way = 0
        self.url = ""
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=4096)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    async def until_under_way(self, count: int) -> None:
        """Wait until so many requests are under way."""
        while self.under_way < count:
            self.arrived.clear()
            await self.arrived.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await _request(reader):
                self.under_way += 1
                self.most_under_way = max(self.most_under_way, self.under_way)
                try:
                    writer.write(await self._answer(request))
                finally:
                    self.under_way -= 1
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(self, request: dict[str, Any]) -> bytes:
        messages = request["messages"]
        prompt = next(_text(message) for message in reversed(messages) if message["role"] == "user")
        self.asked[prompt] += 1
        self.arrived.set()
        if prompt.startswith("hold"):
            await self.released.wait()
        if self.delay_s:
            await asyncio.sleep(self.delay_s)
        if self.refusals[prompt] > 0:
            self.refusals[prompt] -= 1
            body = b'{"error":{"message":"no","code":"no"}}'
            return refusal(prompt.split()[1], self.refusal_headers, body)
        pays = prompt.startswith("pay") and messages[-1]["role"] == "user"
        return _stream(_CALL | {"arguments": json.dumps({"order": prompt})} if pays else f"re: {prompt}")


_CALL = {"name": "pay"}


def refusal(status: str, headers: str, body: bytes) -> bytes:
    """An answer with an error; each header ends with a line break."""
    head = f"HTTP/1.1 {status} No\r\ncontent-type: application/json\r\n{headers}content-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def _text(message: dict[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


async def _request(reader: asyncio.StreamReader) -> dict[str, Any] | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    length = next(
        int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
    )
    parsed: dict[str, Any] = json.loads(await reader.readexactly(length))
    return parsed


def _stream(answer: str | dict[str, str]) -> bytes:
    if isinstance(answer, str):
        delta: dict[str, Any] = {"role": "assistant", "content": answer}
    else:
        call = {"index": 0, "id": f"call_{abs(hash(answer['arguments']))}", "type": "function", "function": answer}
        delta = {"role": "assistant", "tool_calls": [call]}
    reason = "stop" if isinstance(answer, str) else "tool_calls"
    chunks = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        {"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}},
    ]
    common = {"id": "c", "object": "chat.completion.chunk", "model": "m"}
    body = "".join(f"data: {json.dumps(common | chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {len(body)}\r\n\r\n"
    return (head + body).encode()


async def _main() -> None:
    async with ModelServer(float(sys.argv[1])) as server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_main())
