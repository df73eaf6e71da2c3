"""The command with an agent in the place of its runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agent.scripts import script
from tests.e2e.by_agent import ByAgent
from tests.e2e.conftest import kit, own, shared_home

__all__ = ["finclaw", "kit", "own", "script", "shared_home"]


@pytest.fixture
def finclaw(shared_home: Path, kit: Path, tmp_path: Path) -> Iterator[ByAgent]:
    command = ByAgent(shared_home, kit, tmp_path)
    yield command
    command.clean_up()
