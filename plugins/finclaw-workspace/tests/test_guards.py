"""Placeholders for what is protected and absent, while a command runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from finclaw_workspace.guards import Hold


@pytest.fixture
def top(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "workspace").mkdir()
    folder = os.open(tmp_path / "workspace", os.O_RDONLY)
    yield folder
    os.close(folder)


@pytest.fixture
def hold(top: int, tmp_path: Path) -> Hold:
    return Hold(top, str(tmp_path / "workspace"), tmp_path, [(".git",), (".mcp.json",)])


def test_they_stand_while_a_command_runs_and_are_gone_after_it(hold: Hold, tmp_path: Path) -> None:
    assert set(hold.enter()) == {(".git",), (".mcp.json",)}
    assert sorted(path.name for path in (tmp_path / "workspace").iterdir()) == [".git", ".mcp.json"]
    hold.leave()
    assert list((tmp_path / "workspace").iterdir()) == []


def test_what_was_put_in_the_place_of_one_stays(hold: Hold, tmp_path: Path) -> None:
    hold.enter()
    (tmp_path / "new").mkdir()
    (tmp_path / "workspace/.git").rename(tmp_path / "old")
    (tmp_path / "new").rename(tmp_path / "workspace/.git")
    hold.leave()
    assert [path.name for path in (tmp_path / "workspace").iterdir()] == [".git"]
