"""`finclaw demo`: every step does what it is there to show, in a folder that is gone afterwards."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

# Some ten commands, each a process of its own that starts from nothing.
pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    folder = tmp_path_factory.mktemp("tour")
    environment = {**os.environ, "FINCLAW_HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"), "PYTHONUTF8": "1"}
    (folder / "tmp").mkdir()
    command = [sys.executable, "-m", "finclaw_cli", "demo"]
    ran = subprocess.run(
        command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", check=False,
    )  # fmt: skip
    return ran, folder


@pytest.mark.parametrize(
    "shown",
    [
        "NOVA 2026-10-06 unit_error",
        "**Return:** 20.64 %",
        "not run for want of approval: place_order",
        "(no real money): filled.",
        "8 rows: 8 new, 0 duplicate, 0 rejected",
        "you spent **1892.55 EUR**",
        "as recorded: 1 run",
        "All of that was in a folder that is gone now",
    ],
)
def test_every_step_shows_what_it_is_there_for(tour: tuple[subprocess.CompletedProcess[str], Path], shown: str) -> None:
    ran, _ = tour
    assert ran.returncode == 0, ran.stdout
    assert shown in ran.stdout
    assert "(unavailable)" not in ran.stdout.partition("4. The same order")[2]


def test_a_card_number_never_shows(tour: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    assert "…1111" in tour[0].stdout
    assert "4111 1111" not in tour[0].stdout


def test_the_same_run_is_the_same_bytes_again(tour: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    sums = re.findall(r"^([0-9a-f]{64})  -$", tour[0].stdout, re.MULTILINE)
    assert len(sums) == 2
    assert len(set(sums)) == 1


def test_nothing_is_left_of_it(tour: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    _, folder = tour
    assert list((folder / "tmp").iterdir()) == []
    left = [path.relative_to(folder).parts for path in (folder / "home").rglob("*") if path.is_file()]
    assert [parts for parts in left if "cache" not in parts] == []  # what was looked at of plugins, and nothing else
