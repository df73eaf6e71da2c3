"""Eight processes that share a rate limit, before a server on 127.0.0.1 that counts.

`python -m tests.benchmarks.limits WORKERS LIMIT SECONDS [headers]` runs one batch by so many processes for about so long,
at a limit of requests a minute that is in the settings, or with `headers` in those of the answers alone. The server allows
twice the limit, so that what is too much is counted, not refused. The bars: no minute with more than the
limit and the capacity of two seconds, at least 95 % of the limit used, at most 0.5 % refused.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from finclaw_cli import Batch

MODEL = "openai-chat:m"
DELAY_S = "0.5"
CAPACITY_S = 2


def measure(workers: int, limit: int, seconds: int, source: str) -> None:
    """Print what the server has counted."""
    items = limit * seconds // 60
    command = [sys.executable, "-m", "tests.batch.limited_server", DELAY_S, str(limit), str(limit)]
    with (
        tempfile.TemporaryDirectory() as home,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server,
    ):
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        worker = [sys.executable, "-m", "tests.benchmarks.limits", "worker", home, url, str(items), str(limit), source]
        processes = [subprocess.Popen(worker) for _ in range(workers)]
        codes = [process.wait() for process in processes]
        report = json.loads(server.communicate()[0])
    most = limit + limit * CAPACITY_S // 60
    print(f"exit codes {codes}; {report}; {most} are allowed in a minute")
    print(f"above the limit: {max(0, report['most_in_a_minute'] - most)}; used: {100 * report['used']:.1f} %")


async def work(home: str, url: str, items: int, limit: int, source: str) -> None:
    """One of the processes."""
    limits = {"requests_per_minute": limit} if source == "settings" else {}
    made = Batch(
        [f"prompt {number}" for number in range(items)], concurrency=64, model=MODEL, base_url=url,
        keys={"OPENAI_API_KEY": "k"}, tools=["none"], no_plugins=True, home=Path(home), models={MODEL: limits},
    )  # fmt: skip
    async with made:
        status = await made.run()
    assert status.states["ok"] == items, status


if __name__ == "__main__":
    if sys.argv[1] == "worker":
        asyncio.run(work(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), sys.argv[6]))
    else:
        measure(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), (*sys.argv[4:], "settings")[0])
