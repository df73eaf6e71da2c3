"""The other end of the wire, in a process of its own: it answers, and notes what its client had spent by then."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from tests.benchmarks.answers import DIALECTS
from tests.benchmarks.checkout import ROOT
from tests.wire.server import Reply, VectorServer

PAUSE_S = 0.005
PATIENCE_S = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One client as its server saw it."""

    cpu_s: float
    """What its process had spent when the first request was there."""
    last_byte_at: float
    """When the last byte of the last answer was handed over, by the monotonic clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loopback:
    """A server that runs."""

    url: str
    process: subprocess.Popen[str]

    def watch(self, pid: int) -> None:
        """The next requests come from this process."""
        self._say(str(pid))

    def seen(self) -> Seen:
        """What came of it, once that process has ended."""
        self._say("tell")
        assert self.process.stdout is not None
        return Seen(**json.loads(self.process.stdout.readline()))

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()


@contextlib.contextmanager
def serving(
    dialect: str = "anthropic", *, deltas: int, paced: bool = False, patient: bool = False
) -> Iterator[Loopback]:
    """A server that answers each request with so many deltas.

    Args:
        dialect: one of those in `answers`.
        deltas: how many.
        paced: whether one event comes after the other, as from a model, or all at once.
        patient: whether the answer waits until all is quiet, so that what it costs to take it is not counted.
    """
    options = [*(["--paced"] if paced else []), *(["--patient"] if patient else [])]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.loopback", dialect, str(deltas), *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        yield Loopback(url=f"http://127.0.0.1:{process.stdout.readline().strip()}", process=process)
    finally:
        process.kill()
        process.communicate()


class _Watch:
    """What is known of the client that is being served."""

    def __init__(self) -> None:
        self.pid: int | None = None
        self.cpu_s = 0.0
        self.last_byte_at = 0.0

    def hear(self, line: str) -> None:
        if line == "tell":
            print(json.dumps({"cpu_s": self.cpu_s, "last_byte_at": self.last_byte_at}), flush=True)
        else:
            self.pid, self.cpu_s = int(line), 0.0

    async def attend(self, server: VectorServer) -> None:
        while True:
            await server.arrived.wait()
            server.arrived.clear()
            if self.pid is not None and not self.cpu_s:
                self.cpu_s = cpu_of(self.pid)
            await server.requests[-1].finished.wait()
            self.last_byte_at = time.monotonic()


def cpu_of(pid: int) -> float:
    """CPU seconds that a process of this user has spent until now; Linux has a clock for each."""
    return time.clock_gettime((~pid << 3) | 2)


async def serve(reply: Reply) -> None:
    """Answer for as long as there is somebody who has started this."""
    loop, left, watch = asyncio.get_running_loop(), asyncio.Event(), _Watch()

    def listen() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(watch.hear, line.strip())
        loop.call_soon_threadsafe(left.set)

    async with VectorServer(reply) as server:
        print(server.port, flush=True)
        threading.Thread(target=listen, daemon=True).start()
        attending = asyncio.create_task(watch.attend(server))
        await left.wait()
        attending.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dialect", choices=DIALECTS)
    parser.add_argument("deltas", type=int)
    parser.add_argument("--paced", action="store_true")
    parser.add_argument("--patient", action="store_true")
    asked = parser.parse_args()
    reply = Reply(
        body=DIALECTS[asked.dialect](asked.deltas),
        split="events" if asked.paced else "whole",
        delay_s=PAUSE_S if asked.paced else 0.0,
        wait_s=PATIENCE_S if asked.patient else 0.0,
    )
    asyncio.run(serve(reply))


if __name__ == "__main__":
    main()
