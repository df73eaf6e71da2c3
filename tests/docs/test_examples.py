"""The examples work as they are, in processes of their own, and print what they are about."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NO_EXAMPLE = {"script.py"}
PRINTED = {
    "approvals.py": "One of two payments was made. {'completed': 1, 'denied': 1} denied: pay",
    "ask.py": "3 turns, 5 tool calls, 0 USD",
    "capacity.py": "one database carries 778,748 runs a day, with any number of workers",
    "cancel.py": "cancelled after a second; `finclaw sessions show reports` shows what was done",
    "many.py": "1000 of 1000 runs were answered",
    "own_tool.py": "You hold 12 shares of ACME.",
    "stream.py": "exit code 0",
}


def test_each_example_is_run_here() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} - NO_EXAMPLE == set(PRINTED)


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_an_example_prints_what_it_is_about(name: str) -> None:
    command = [sys.executable, "-W", "error", str(EXAMPLES / name)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == PRINTED[name]
    assert ran.stderr == ""


def test_the_page_on_capacity_shows_what_the_example_prints() -> None:
    command = [sys.executable, str(EXAMPLES / "capacity.py")]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert f"```text\n{printed}```\n" in (EXAMPLES.parent / "docs" / "explanation" / "capacity.md").read_text("utf-8")


def test_the_notebook_runs_and_shows_the_answer() -> None:
    program = (
        "import nbformat, sys; from nbclient import NotebookClient; "
        "made = NotebookClient(nbformat.read(sys.argv[1], 4), timeout=60).execute(); "
        "print([out['data']['text/markdown'] for cell in made.cells for out in cell.get('outputs', ()) "
        "if 'text/markdown' in out.get('data', {})])"
    )
    command = [sys.executable, "-c", program, str(EXAMPLES / "notebook.ipynb")]
    env = {**os.environ, "JUPYTER_PLATFORM_DIRS": "1", "IPYTHONDIR": os.environ["FINCLAW_HOME"]}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=env)
    assert ran.returncode == 0, ran.stderr
    assert "126.89 USD" in ran.stdout
