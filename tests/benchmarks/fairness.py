"""A batch of 10 items beside one of 1,000 that shares its limit, each in a process of its own, and alone.

`python -m tests.benchmarks.fairness LIMIT` prints the seconds of both, at a limit of requests a minute. The bar: the small
batch takes at most twice as long as alone.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from finclaw_cli import Batch
from tests.benchmarks.batch import serving

MODEL = "openai-chat:m"
DELAY_S = "0.2"
LARGE, SMALL = 1_000, 10


def measure(limit: int) -> None:
    """Print how long the small batch takes."""
    alone_s = _small_s(limit, is_alone=True)
    beside_s = _small_s(limit, is_alone=False)
    print(f"alone {alone_s:.1f} s, beside {LARGE:,} items {beside_s:.1f} s: {beside_s / alone_s:.2f} times as long")


def _small_s(limit: int, *, is_alone: bool) -> float:
    with tempfile.TemporaryDirectory() as home, serving(DELAY_S) as url:
        command = [sys.executable, "-m", "tests.benchmarks.fairness"]
        if is_alone:
            return asyncio.run(run(SMALL, home, url, limit))
        with subprocess.Popen([*command, str(LARGE), home, url, str(limit)]) as large:
            try:
                while not any(Path(home).glob("sessions/*.jsonl")):
                    time.sleep(0.1)
                return asyncio.run(run(SMALL, home, url, limit))
            finally:
                large.kill()


async def run(items: int, home: str, url: str, limit: int) -> float:
    """Run a batch; how many seconds it took."""
    made = Batch(
        [f"one of {items}: {number}" for number in range(items)], concurrency=32, model=MODEL, base_url=url,
        keys={"OPENAI_API_KEY": "k"}, tools=["none"], no_plugins=True, home=Path(home),
        models={MODEL: {"requests_per_minute": limit}},
    )  # fmt: skip
    async with made:
        began = time.monotonic()
        status = await made.run()
    assert status.states["ok"] == items, status
    return time.monotonic() - began


if __name__ == "__main__":
    if len(sys.argv) > 2:
        asyncio.run(run(int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])))
    else:
        measure(int(sys.argv[1]))
