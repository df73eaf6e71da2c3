"""A batch beside a bare HTTP client that makes the same requests, at the same concurrency, to a server on 127.0.0.1.

`python -m tests.benchmarks.batch ITEMS CONCURRENCY DELAY_S` prints wall time, CPU time and the largest memory of both, each
in a process of its own, and the ratio of the wall times.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from finclaw_cli import Batch

MODEL = "openai-chat:m"


def measure(items: int, concurrency: int, delay_s: str) -> None:
    """Print the figures of both."""
    walls = {}
    for name in CLIENTS:
        with serving(delay_s) as url:
            command = [sys.executable, "-m", "tests.benchmarks.batch", name, str(items), str(concurrency), url]
            walls[name] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["wall_s"]
    print(f"{walls['batch'] / walls['bare']:.2f} x the wall time of the bare client")


@contextmanager
def serving(delay_s: str) -> Iterator[str]:
    """A server in a process of its own, which answers after so many seconds; its address."""
    command = [sys.executable, "-m", "tests.batch.model_server", delay_s]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


async def batch(items: int, concurrency: int, url: str) -> None:
    """The requests of a batch."""
    with tempfile.TemporaryDirectory() as home:
        prompts = [f"prompt {number}" for number in range(items)]
        made = Batch(
            prompts, concurrency=concurrency, model=MODEL, base_url=url, keys={"OPENAI_API_KEY": "k"}, tools=["none"],
            no_plugins=True, home=Path(home),
        )  # fmt: skip
        async with made:
            status = await made.run()
        assert status.states["ok"] == items, status


async def bare(items: int, concurrency: int, url: str) -> None:
    """The same requests by httpx2."""
    import httpx2

    limits = httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    slots = asyncio.Semaphore(concurrency)

    async def ask(number: int) -> None:
        body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": f"prompt {number}"}]}
        async with slots, client.stream("POST", f"{url}/chat/completions", json=body) as response:
            async for line in response.aiter_lines():
                if line.startswith("data: {"):
                    json.loads(line.removeprefix("data: "))

    async with httpx2.AsyncClient(limits=limits, timeout=60) as client, asyncio.TaskGroup() as group:
        for number in range(items):
            group.create_task(ask(number))


CLIENTS: dict[str, Callable[[int, int, str], Awaitable[None]]] = {"bare": bare, "batch": batch}


def run_client(name: str, items: int, concurrency: int, url: str) -> None:
    """Run one client in this process, and print what it took."""
    began = time.monotonic()
    asyncio.run(CLIENTS[name](items, concurrency, url))  # type: ignore[arg-type]
    wall_s = time.monotonic() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu_ms = 1_000 * (used.ru_utime + used.ru_stime) / items
    text = f"{name}: {wall_s:.1f} s, {cpu_ms:.2f} ms of CPU an item, {used.ru_maxrss / 1024:.0f} MiB at most"
    print(text, file=sys.stderr)
    print(json.dumps({"wall_s": wall_s}))


if __name__ == "__main__":
    if sys.argv[1] in CLIENTS:
        run_client(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        measure(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
