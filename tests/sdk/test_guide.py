"""The examples of `docs/guide/plugin-data.md` do what the page promises."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from finclaw_cli.testing.contract import check_plugin
from finclaw_cli.testing.tools import run_tool

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "plugin-data.md"
BLOCK = re.compile(r"^```python (\w+)\.py\n(.*?)^```$", re.MULTILINE | re.DOTALL)

Example = Callable[[str], ModuleType]


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Example:
    for name, text in BLOCK.findall(PAGE.read_text("utf-8")):
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return import_module


def test_the_notes_are_kept(example: Example, finclaw_home: Path) -> None:
    notes = example("notes")
    assert run_tool(notes.list_notes, {"symbol": "ACME"}).content == "[]"
    assert run_tool(notes.add_note, {"symbol": "ACME", "text": "sound"}).content == "kept"
    assert run_tool(notes.list_notes, {"symbol": "ACME"}).content == '["sound"]'


def test_damage_reaches_the_model_as_one_line(example: Example, finclaw_home: Path) -> None:
    notes = example("notes")
    finclaw_home.mkdir(exist_ok=True)
    (finclaw_home / "notes.db").write_bytes(b"not a database at all" * 100)
    answer = run_tool(notes.list_notes, {"symbol": "ACME"})
    assert answer.is_error
    assert "notes.db: file is not a database; it is damaged: move it away" in answer.content


@pytest.mark.parametrize("name", [name for name, _ in BLOCK.findall(PAGE.read_text("utf-8"))])
def test_the_examples_keep_the_contract(example: Example, name: str) -> None:
    assert [problem for problem in check_plugin(example(name)) if problem.severity == "error"] == []
