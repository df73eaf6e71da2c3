from __future__ import annotations

from pathlib import Path

import pytest

from finclaw_cli.core.tool import ToolContext
from finclaw_cli.sdk.files import Opener
from finclaw_cli.sdk.files.beneath import KernelOpener, WalkingOpener, best_opener
from finclaw_cli.testing.tools import tool_context


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


@pytest.fixture
def ctx(workspace: Path, tmp_path: Path) -> ToolContext:
    """The context of a call whose data folder is outside its workspace."""
    return tool_context(workspace=workspace, home=tmp_path / "home")


@pytest.fixture(params=[KernelOpener, WalkingOpener])
def opener(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Both implementations, also where the kit opens files itself."""
    made: Opener = request.param()
    if isinstance(made, KernelOpener) and not isinstance(best_opener(), KernelOpener):
        pytest.skip("this kernel has no openat2")
    for module in ("root", "beneath"):
        monkeypatch.setattr(f"finclaw_cli.sdk.files.{module}.best_opener", lambda: made)
    return made
