"""A thousand runs at once in one process, held against a thousand plain streams."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tests.benchmarks.checkout import Checkout
from tests.benchmarks.loopback import serving
from tests.benchmarks.rows import Pair, Row

AT_ONCE = 1_000
DELTAS = 20
PROGRAM = Path(__file__).with_name("concurrency.py")


@contextmanager
def _crowd(checkout: Checkout) -> Iterator[Pair]:
    with checkout.home() as home, serving(deltas=DELTAS) as server:

        def cpu(kind: str) -> float:
            # With -P the program's folder is no place to import from: what it imports is the checkout's.
            command = [sys.executable, "-P", str(PROGRAM), kind, server.url, str(AT_ONCE)]
            return float(subprocess.run(command, env=dict(home.env), capture_output=True, check=True).stdout)

        yield Pair(ours=partial(cpu, "runs"), yardstick=partial(cpu, "streams"))


ROWS = (
    Row(
        name="concurrent",
        what=f"{AT_ONCE:,} concurrent runs in one process",
        yardstick=f"{AT_ONCE:,} plain httpx2 streams",
        bar=1.5,
        pair=_crowd,
    ),
)
