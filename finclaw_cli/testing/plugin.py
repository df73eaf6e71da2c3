"""The fixtures that pytest finds by itself. Loading this imports nothing of finclaw: a fixture does when it is used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def finclaw_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder of the test's own, as `$FINCLAW_HOME`."""
    folder = tmp_path / "finclaw-home"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("FINCLAW_HOME", str(folder))
    return folder


@pytest.fixture
def tool_context(finclaw_home: Path) -> Any:  # noqa: ARG001 - the context's home
    """A `ToolContext`; `dataclasses.replace` gives another."""
    from finclaw_cli.testing.tools import tool_context as make

    return make()


@pytest.fixture
def scripted_run(finclaw_home: Path) -> Any:  # noqa: ARG001 - where the tools keep their data
    """The function `play` of `finclaw_cli.testing.runs`: a whole run with a scripted model and real tools."""
    from finclaw_cli.testing.runs import play

    return play
