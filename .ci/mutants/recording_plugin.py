"""The plugin of pytest that keeps the lines of each test: one JSON line a test, in the file `$MUTANTS_OUT`."""

from __future__ import annotations

import base64
import json
import os
import time
import zlib
from collections.abc import Generator
from pathlib import Path

import mutants_recorder
import pytest

OUT = Path(os.environ["MUTANTS_OUT"])
GENERATIONS = 255
_failed: set[str] = set()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that cannot be used: it fails, or it is skipped."""
    if not report.passed:
        _failed.add(report.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Record one test from its preparation to its end."""
    memory = mutants_recorder.memory
    generation = memory[0] % GENERATIONS + 1
    memory[:] = bytes([generation]) + bytes(len(memory) - 1)
    begin = time.monotonic()
    result = yield
    seconds = round(time.monotonic() - begin, 3)
    lines = base64.b64encode(zlib.compress(memory[1:], 1)).decode()
    test = {"id": item.nodeid, "seconds": seconds, "ok": item.nodeid not in _failed, "lines": lines}
    with OUT.open("a", encoding="utf-8") as file:
        file.write(json.dumps(test) + "\n")
    return result
