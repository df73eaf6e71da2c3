"""Batches in rounds whose process is killed at each boundary of a provider's batch API, or at any moment.

`python -m tests.batch.round_kills TRIALS` kills so many processes, two of each batch, and prints what it came to.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.batch.batch import Batch
from finclaw_cli.batch.queue import BatchStatus
from finclaw_cli.core.record import record
from finclaw_cli.testing.batch_apis import BatchApis, Boundary
from tests.batch.paying_rounds import MODELS, QUICK, approve, options_of, pay

ITEMS: Final = 6
MOST_DELAY_S: Final = 2.5
BOUNDARIES: Final[tuple[Boundary, ...]] = ("create:before", "create:after", "state", "results", "results:half")


@record(kw_only=True)
class Kill:
    """When a process is killed: at a boundary, or after so many seconds."""

    boundary: Boundary | None
    delay_s: float = 0.0
    passed: int = 0
    """How often the boundary is passed before."""


@record(kw_only=True)
class Trial:
    """What became of a batch."""

    status: BatchStatus
    kills: int
    """How many processes were killed before they had ended."""
    doubled_batches: int
    """How many questions were in more than one batch."""
    lost: int
    """How many items ended in another way than ok or unknown, or are ok without having paid."""
    doubled_tools: int


def rounds_batch(model: str, url: str, home: Path) -> Batch:
    """A batch in rounds of which each item pays once."""
    options: AgentOptions = {
        **options_of(model, url), "tools": [pay], "approver": approve, "home": home, "max_cost": "1000",
    }  # fmt: skip
    batch = Batch([f"pay {number}" for number in range(ITEMS)], economy="batch", **options)
    batch.round_times = QUICK
    return batch


async def trial(home: Path, model: str, kills: Sequence[Kill]) -> Trial:
    """Kill a process for each of `kills`, one after the other, and let a last one end the batch."""
    async with BatchApis() as apis:
        killed = [await _is_killed(apis, home, model, kill) for kill in kills]
        async with rounds_batch(model, apis.url, home) as batch:
            status = await batch.run()
    asked = Counter(custom_id.partition("-")[2] for custom_id in apis.answered.elements())
    paid = Counter((home / "paid").read_text().splitlines())
    states = status.states
    return Trial(
        status=status,
        kills=sum(killed),
        doubled_batches=sum(count > 1 for count in asked.values()),
        lost=status.items - states["ok"] - states["unknown"] + max(0, states["ok"] - len(paid)),
        doubled_tools=sum(count > 1 for count in paid.values()),
    )


async def _is_killed(apis: BatchApis, home: Path, model: str, kill: Kill) -> bool:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.batch.round_kills", model, apis.url, str(home)
    )
    left = kill.passed

    def reached(boundary: Boundary) -> None:
        nonlocal left
        if boundary != kill.boundary or process.returncode is not None:
            return
        left -= 1
        if left < 0:
            process.kill()
            apis.faults[boundary] = 1  # what follows is not done

    apis.reached = reached
    if kill.boundary is None:
        try:
            await asyncio.wait_for(process.wait(), kill.delay_s)
        except TimeoutError:
            process.kill()
    code = await process.wait()
    apis.reached = lambda _: None
    apis.faults.clear()
    return code < 0


def _drawn(draw: random.Random) -> Kill:
    if draw.random() < 0.3:
        return Kill(boundary=None, delay_s=draw.uniform(0.5, MOST_DELAY_S))
    return Kill(boundary=draw.choice(BOUNDARIES), passed=draw.randrange(2))


async def _trials(count: int, seed: int) -> None:
    draw = random.Random(seed)
    sums: Counter[str] = Counter()
    while sums["kills"] < count:
        model = draw.choice(MODELS)
        with tempfile.TemporaryDirectory() as home:
            ended = await trial(Path(home), model, [_drawn(draw), _drawn(draw)])
        sums.update(
            batches=1, kills=ended.kills, doubled_batches=ended.doubled_batches, lost=ended.lost,
            doubled_tools=ended.doubled_tools, **ended.status.states,
        )  # fmt: skip
        if ended.lost or ended.doubled_batches or ended.doubled_tools:
            print(model, ended, flush=True)
    print({name: number for name, number in sums.items() if number or name in {"lost", "doubled_batches"}})


def main() -> None:
    if len(sys.argv) > 3:
        rounds_batch(sys.argv[1], sys.argv[2], Path(sys.argv[3])).run_sync()
    else:
        asyncio.run(_trials(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))


if __name__ == "__main__":
    main()
