"""The laws of the house that no linter knows."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from finclaw_cli.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
MAX_LINES = 300
MAX_FUNCTION_LINES = 40
PLUGINS = [f"plugins/{folder.name}/src" for folder in sorted((ROOT / "plugins").iterdir()) if folder.is_dir()]
# Typer reads options from parameters: one a line, each with its help.
OPTION_LISTS = {"run", "replay", "import_"}


def sources(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if ".venv" not in path.parts and "build" not in path.parts]


def test_no_file_is_longer_than_one_can_hold_in_the_head() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for path in sources("finclaw_cli", "plugins", "tests")
    }
    assert len(lengths) > 1_000
    assert {name: lines for name, lines in lengths.items() if lines > MAX_LINES} == {}


def functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            # What a function takes and says of itself is a list; what it does has to be held in the head.
            documented = ast.get_docstring(node) is not None and len(node.body) > 1
            begin = node.body[1].lineno if documented else node.lineno
            yield node.name, (node.end_lineno or begin) - begin + 1


def test_functions_are_small() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {name} has {lines} lines"
        for path in sources("finclaw_cli", *PLUGINS)
        for name, lines in functions(path)
        if lines > MAX_FUNCTION_LINES and name not in OPTION_LISTS
    ]
    assert long == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_short_help_of_a_command_is_its_own_first_words(name: str) -> None:
    module, text = COMMANDS[name]
    command = typer.main.get_command(importlib.import_module(module).app)
    assert (command.help or "").splitlines()[:1] == [text]
