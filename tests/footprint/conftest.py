"""One workbench for all that is counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.conftest import finclaw, kit, shared_home
from tests.footprint.commands import Workbench, workbench

__all__ = ["bench", "finclaw", "kit", "shared_home"]


@pytest.fixture(scope="session")
def bench() -> Iterator[Workbench]:
    with workbench() as bench:
        yield bench
