from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from folders import names

from finclaw_cli.sdk import PROTECTED_NAMES, ToolContext
from finclaw_cli.sdk.files import beneath
from finclaw_cli.sdk.files.beneath import KernelOpener, Opener, WalkingOpener, best_opener
from finclaw_cli.testing.tools import ToolResult, run_tool, the_tool

Call = Callable[..., ToolResult]
ToolHandler = Callable[[Any, ToolContext], Awaitable[object]]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file outside."""
    folder = tmp_path / "outside"
    folder.mkdir()
    file = folder / "secret.txt"
    file.write_text("CANARY\n")
    return file


@pytest.fixture(params=[KernelOpener, WalkingOpener])
def opener(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Both ways of opening; the tools use it, too."""
    made: Opener = request.param()
    if isinstance(made, KernelOpener) and not isinstance(best_opener(), KernelOpener):
        pytest.skip("this kernel has no openat2")
    monkeypatch.setattr("finclaw_cli.sdk.files.root.best_opener", lambda: made)
    monkeypatch.setattr(beneath, "best_opener", lambda: made)
    return made


@pytest.fixture
def call(workspace: Path, finclaw_home: Path) -> Call:
    def run(tool: object, settings: dict[str, Any] | None = None, **arguments: object) -> ToolResult:
        definition, given = the_tool(tool), settings or {}

        def with_settings(handler: ToolHandler) -> ToolHandler:
            return lambda sent, context: handler(sent, replace(context, settings=given))

        # Through the handler, because a run takes a tool's settings from the user's, and those name its distribution.
        configured = replace(
            definition,
            handler=with_settings(definition.handler),
            preview=with_settings(definition.preview) if definition.preview else None,
        )
        return run_tool(configured, arguments, workspace=workspace)

    return run


@pytest.fixture
def ok(call: Call) -> Callable[..., str]:
    def run(tool: object, settings: dict[str, Any] | None = None, **arguments: object) -> str:
        answer = call(tool, settings, **arguments)
        assert not answer.is_error, answer.content
        return answer.content

    return run


@pytest.fixture
def refused(call: Call) -> Callable[..., str]:
    def run(tool: object, settings: dict[str, Any] | None = None, **arguments: object) -> str:
        answer = call(tool, settings, **arguments)
        assert answer.is_error, answer.content
        return answer.content

    return run


@pytest.fixture
def left_clean(workspace: Path) -> Iterator[None]:
    """Nothing that a sandbox needs stays in the workspace."""
    before = names(workspace)
    yield
    assert [name for name in names(workspace) if name in PROTECTED_NAMES and name not in before] == []
