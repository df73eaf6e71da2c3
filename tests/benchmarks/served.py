"""What a served run costs: CPU until its first event, and the memory of a server with many clients.

    python -m tests.benchmarks.served [RUNS CLIENTS]

Each client reads all of one run, every second one by a WebSocket, and all of them have to read the same bytes.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import httpx2
from websockets.asyncio.client import connect

from tests.benchmarks.measure import LOOP_S, loop_seconds

RUNS, CLIENTS, DELTAS = 50, 500, 1_000
SAMPLES, WARM = 30, 5


class Process:
    """A server in a process of its own."""

    def __init__(self, home: Path) -> None:
        command = [sys.executable, "-m", "finclaw_cli", "serve", f"--max-runs={RUNS}", f"--max-clients={CLIENTS}"]
        env = {**os.environ, "FINCLAW_HOME": str(home)}
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, env=env)
        self.url, _, self.token = self._process.stdout.readline().decode().strip().partition("/#")

    def client(self) -> httpx2.AsyncClient:
        headers = {"authorization": f"Bearer {self.token}"}
        limits = httpx2.Limits(max_connections=None)
        return httpx2.AsyncClient(base_url=self.url, headers=headers, timeout=300, trust_env=False, limits=limits)

    def cpu_ms(self) -> float:
        """CPU of all its threads, by the clock that `clock_getcpuclockid(3)` makes of the id of a process (Linux)."""
        return time.clock_gettime_ns(~self._process.pid << 3 | 2) / 1e6

    def peak_mb(self) -> float:
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024

    def stop(self) -> int:
        self._process.terminate()
        return self._process.wait()


@contextmanager
def served(turn: dict[str, object]):
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.json"
        script.write_text(json.dumps({"turns": [turn]}))
        server = Process(Path(folder) / "home")
        try:
            yield server, {"prompt": "How is it?", "model": f"scripted:{script}"}
        finally:
            server.stop()


async def started(http: httpx2.AsyncClient, body: dict[str, str]) -> str:
    return (await http.post("/v1/runs", json=body)).json()["run_id"]


async def by_sse(http: httpx2.AsyncClient, run_id: str) -> int:
    read = list[str]()
    async with http.stream("GET", f"/v1/runs/{run_id}/events", headers={"accept": "text/event-stream"}) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                read.append(line[6:] + "\n")
    return hash("".join(read))


async def by_socket(server: Process, run_id: str) -> int:
    address = f"{server.url.replace('http', 'ws', 1)}/v1/runs/{run_id}/events"
    protocols = ["finclaw", f"token.{server.token}"]
    async with connect(address, subprotocols=protocols, proxy=None, compression=None, open_timeout=120) as socket:
        return hash("".join([frame async for frame in socket]))


async def first_events(server: Process, body: dict[str, str]) -> list[float]:
    """CPU of the server in ms, from the request for a run to its first event."""
    spent = list[float]()
    async with server.client() as http:
        for _ in range(SAMPLES + WARM):
            before = server.cpu_ms()
            run_id = await started(http, body)
            stream = http.stream("GET", f"/v1/runs/{run_id}/events", headers={"accept": "text/event-stream"})
            async with stream as answer:
                lines = answer.aiter_lines()
                while not (await anext(lines)).startswith("data: "):
                    pass
                spent.append(server.cpu_ms() - before)
                async for _ in lines:
                    pass
    return spent[WARM:]


async def crowd(server: Process, body: dict[str, str]) -> tuple[float, int]:
    """Seconds until all clients have read all lines, and how many runs were read alike by all of their clients."""
    async with server.client() as http:
        run_ids = [await started(http, body) for _ in range(RUNS)]
        begun = time.monotonic()
        async with asyncio.TaskGroup() as group:
            readers = [
                group.create_task(
                    by_sse(http, run_ids[n % RUNS]) if n // RUNS % 2 else by_socket(server, run_ids[n % RUNS])
                )
                for n in range(CLIENTS)
            ]
        alike = sum(len({reader.result() for reader in readers[place::RUNS]}) == 1 for place in range(RUNS))
        return time.monotonic() - begun, alike


def main() -> None:
    with served({"text": "One two three.", "delay_s": 0.2}) as (server, body):
        spent = asyncio.run(first_events(server, body))
        print(f"first event: {statistics.median(spent):.1f} ms CPU after the request, at most {max(spent):.1f}")
        print(f"the loop beside it: {loop_seconds() * 1000:.0f} ms, {LOOP_S * 1000:.0f} at the machine's best")
    turn = {"text": "word " * DELTAS, "delta_chars": 5, "delay_s": 0.005}
    with served(turn) as (server, body):
        idle = server.peak_mb()
        seconds, alike = asyncio.run(crowd(server, body))
        print(f"{CLIENTS} clients on {RUNS} runs of {DELTAS:,} deltas: {seconds:.1f} s, {alike} runs read alike by all")
        print(f"memory: {server.peak_mb():.0f} MB at most, {idle:.0f} MB idle; CPU {server.cpu_ms() / 1000:.1f} s")


if __name__ == "__main__":
    main()
