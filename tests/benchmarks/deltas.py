"""What a delta costs from the wire to an NDJSON line: `python -m tests.benchmarks.deltas`.

Against a loopback server in a process of its own; the yardstick reads the same stream with httpx2, parses each line and
prints it again.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.measure import compare, cpu_seconds, scratch_home

DELTAS = 20_000
SERVER = """
import asyncio, sys
from tests.wire.server import Reply, VectorServer, anthropic_sse
begin = {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": [],
         "model": "m", "usage": {"input_tokens": 1, "output_tokens": 1}}}
start = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "some words "}}
end = [{"type": "content_block_stop", "index": 0},
       {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}},
       {"type": "message_stop"}]
body = anthropic_sse([begin, start, *[delta] * int(sys.argv[1]), *end])
async def main():
    async with VectorServer(Reply(body=body)) as server:
        print(server.port, flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""
YARDSTICK = """
import httpx2, json, sys
with httpx2.stream("POST", sys.argv[1] + "/v1/messages", json={}) as response:
    for line in response.iter_lines():
        if line.startswith("data:"):
            print(json.dumps(json.loads(line[5:])), flush=True)
"""


@contextlib.contextmanager
def server(deltas: int) -> Iterator[str]:
    process = subprocess.Popen([sys.executable, "-c", SERVER, str(deltas)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.kill()
        process.wait()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, server(DELTAS) as many, server(1) as one:
        env = scratch_home(Path(folder))
        sink = (Path(folder) / "out").open("wb")

        def finclaw(url: str) -> float:
            command = [sys.executable, "-m", "finclaw_cli", "run", "-o", "ndjson", "--no-save", "-m", "anthropic:m"]
            return cpu_seconds([*command, "--base-url", url, "x"], env, sink.fileno())

        def yardstick(url: str) -> float:
            return cpu_seconds([sys.executable, "-c", YARDSTICK, url], env, sink.fileno())

        print(json.dumps({"deltas": DELTAS, "what": "CPU of the stream alone: many deltas less one delta"}))
        compare(
            {
                "httpx2 + json": lambda: yardstick(many) - yardstick(one),
                "finclaw": lambda: finclaw(many) - finclaw(one),
            },
            rounds=5,
        )
        sink.close()


if __name__ == "__main__":
    main()
