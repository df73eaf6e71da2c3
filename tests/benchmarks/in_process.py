"""Rows that are measured inside this process, each by the module that knows how.

Such a module has `cases()`: a context manager of what can be measured by name, the yardstick first. It is imported when
its row is measured, as is what it measures.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from tests.benchmarks.checkout import Checkout
from tests.benchmarks.measure import Measured
from tests.benchmarks.rows import Pair, Row


@contextmanager
def _beside_the_first(_checkout: Checkout, *, module: str, ours: str) -> Iterator[Pair]:
    with importlib.import_module(f"tests.benchmarks.{module}").cases() as cases:
        yield Pair(ours=_named(cases, ours), yardstick=next(iter(cases.values())))


@contextmanager
def _alone(_checkout: Checkout, *, module: str, ours: str) -> Iterator[Pair]:
    with importlib.import_module(f"tests.benchmarks.{module}").cases() as cases:
        yield Pair(ours=_named(cases, ours))


def _named(cases: Mapping[str, Measured], name: str) -> Measured:
    if name not in cases:
        raise LookupError(f"there is no case {name!r}: {', '.join(cases)}")
    return cases[name]


ROWS = (
    Row(
        name="replay",
        what="replay, events a second",
        yardstick="the same lines read and written with json",
        bar=0.5,
        is_speed=True,
        pair=partial(_beside_the_first, module="replay", ours="replay -o ndjson"),
        compares=False,
    ),
    Row(
        name="session",
        what="opening a session of 100,000 records to go on",
        yardstick="json.loads of each line",
        bar=1.5,
        pair=partial(_beside_the_first, module="sessions", ours="open for going on"),
        compares=False,
    ),
    Row(
        name="cost",
        what="cost of 1,000,000 requests by model and day",
        yardstick="the plain sum in sqlite3",
        bar=2,
        pair=partial(_beside_the_first, module="ledger", ours="the report by model, day"),
        compares=False,
    ),
    Row(
        name="policy",
        what="a policy verdict with 1,000 rules",
        yardstick="",
        bar=50,
        shown="µs",
        pair=partial(_alone, module="policy", ours="1,000 rules"),
        compares=False,
    ),
)
