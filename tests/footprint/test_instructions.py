"""How many instructions a command takes, over those of a yardstick that is counted here as well."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.footprint.commands import Workbench
from tests.footprint.figures import YARDSTICKS, is_near, kept


@pytest.fixture
def valgrind() -> None:
    """Counts instructions. A machine of one's own may be without it; where CI is, it may not."""
    if shutil.which("valgrind") is None:
        told = "instructions are counted by valgrind, which is not installed"
        pytest.fail(told) if os.environ.get("CI") else pytest.skip(told)


@pytest.mark.usefixtures("valgrind")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("command", YARDSTICKS)
def test_a_command_takes_about_as_many_instructions_as_it_did(bench: Workbench, command: str) -> None:
    counted, figure = bench.ratio(command, YARDSTICKS[command]), kept().instructions[command]
    told = f"{counted:.2f} × those of {YARDSTICKS[command]}, were {figure:.2f}"
    assert is_near(counted, figure), f"{told}. Where that is meant: python -m tests.footprint"
