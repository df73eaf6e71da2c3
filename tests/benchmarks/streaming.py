"""Long streams and large results: CPU seconds of each delta, and the peaks of whole processes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from tests.benchmarks.checkout import Checkout, python
from tests.benchmarks.loopback import serving
from tests.benchmarks.one_turn import asking, bare
from tests.benchmarks.rows import Pair, Row

DELTAS = 20_000
RESULT_BYTES = 20_000_000
LARGE = '''
from finclaw_cli.sdk import hookimpl, tool

@tool(group="finance", read_only=True)
def bench_rows(size: int) -> str:
    """Rows of prices.

    Args:
        size: how many bytes of them.
    """
    row = "2024-01-02,42.10,42.55,41.90,42.31,1200300\\n"
    return row * (size // len(row))

@hookimpl
def finclaw_tools():
    return [bench_rows]
'''


@contextmanager
def _each_delta(checkout: Checkout, *, options: tuple[str, ...] = ()) -> Iterator[Pair]:
    """Of the stream alone: many deltas less one delta."""
    with checkout.home() as home, serving(deltas=DELTAS) as many, serving(deltas=1) as one:

        def finclaw() -> float:
            spent = home.cpu(*asking(many), *options) - home.cpu(*asking(one), *options)
            return spent / DELTAS

        def script() -> float:
            return (python(*bare(many), env=home.env) - python(*bare(one), env=home.env)) / DELTAS

        yield Pair(ours=finclaw, yardstick=script)


@contextmanager
def _peak_of_many(checkout: Checkout) -> Iterator[Pair]:
    with checkout.home() as home, serving(deltas=DELTAS) as many, serving(deltas=1) as one:
        yield Pair(ours=partial(home.peak, *asking(many)), yardstick=partial(home.peak, *asking(one)))


@contextmanager
def _large_result(checkout: Checkout) -> Iterator[Pair]:
    with checkout.home(plugins={"bench_large": LARGE}) as home:
        home.trust(["bench_large"])

        def peak(size: int) -> float:
            script = home.folder / f"script-{size}.json"
            call = {"name": "bench_rows", "input": {"size": size}}
            script.write_text(json.dumps({"turns": [{"tool_calls": [call]}, {"text": "So."}]}))
            return home.peak("run", "-o", "ndjson", "-m", f"scripted:{script}", "x")

        yield Pair(ours=lambda: peak(RESULT_BYTES) - peak(1_000), yardstick=lambda: float(RESULT_BYTES))


ROWS = (
    Row(
        name="stream",
        what="each of 20,000 deltas, NDJSON out, kept",
        yardstick="httpx2 lines, json.loads, json.dumps",
        bar=2,
        pair=_each_delta,
    ),
    Row(
        name="stream-unkept",
        what="the same with --no-save",
        yardstick="httpx2 lines, json.loads, json.dumps",
        bar=2,
        pair=partial(_each_delta, options=("--no-save",)),
    ),
    Row(
        name="memory-deltas",
        what="peak memory of 20,000 deltas (flat)",
        yardstick="the same with 1 delta",
        bar=1.05,
        pair=_peak_of_many,
        is_bytes=True,
    ),
    Row(
        name="memory-result",
        what="growth of the peak by a tool result of 20 MB",
        yardstick="its size",
        bar=3,
        pair=_large_result,
        is_bytes=True,
    ),
)
