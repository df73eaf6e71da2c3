"""One workbench for all that is counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.footprint.commands import Workbench, workbench


@pytest.fixture(scope="session")
def bench() -> Iterator[Workbench]:
    with workbench() as bench:
        yield bench
