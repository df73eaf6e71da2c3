"""The examples of `docs/how-to/plugin-files.md`."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import pytest

from finclaw_cli.testing.tools import run_tool
from tests.docs.pages import ROOT, files_of

GUIDE = ROOT / "docs" / "how-to" / "plugin-files.md"


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    """A folder with the files of the guide."""
    for name, text in files_of(GUIDE).items():
        (tmp_path / name).write_text(text, "utf-8")
    yield tmp_path
    for name in ("notes", "fees", "shown"):
        sys.modules.pop(f"guide_{name}", None)


def module(files: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"guide_{name}", files / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


def test_notes_are_added_and_other_files_are_left_alone(files: Path, workspace: Path, finclaw_home: Path) -> None:
    add_note = module(files, "notes").add_note
    for note in ("one", "two"):
        added = run_tool(add_note, {"path": "n.md", "note": note}, workspace=workspace)
        assert not added.is_error, added.content
    assert (workspace / "n.md").read_text() == "# notes of finclaw-notes\none\ntwo\n"
    (workspace / "mine.md").write_text("mine")
    (workspace / "link.md").symlink_to(files / "fees.csv")
    for path, code in (("mine.md", "EXISTS"), ("link.md", "OUTSIDE_WORKSPACE"), ("../n.md", "OUTSIDE_WORKSPACE")):
        refused = run_tool(add_note, {"path": path, "note": "x"}, workspace=workspace)
        assert refused.is_error
        assert code in refused.content


def test_fees_are_summed_and_a_bad_row_is_rejected(files: Path) -> None:
    total, rejected = module(files, "fees").read_fees(files / "fees.csv")
    assert total == Decimal("1234.75")
    assert [f"{row.file}:{row.line}: {row.reason}" for row in rejected] == ["fees.csv:4: '2,x0' is not an amount"]


def test_positions_are_shown(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = module(files, "shown")
    shown.show({"ACME": Decimal("10.50")})
    assert capsys.readouterr().out == "SYMBOL  QUANTITY\nACME    10.5\n"
    assert shown.unknown("a\x1b[1m\nb") == "'a [1m b' is no position"
