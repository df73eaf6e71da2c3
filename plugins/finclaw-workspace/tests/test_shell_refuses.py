from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from folders import names

from finclaw_cli.testing.tools import run_tool
from finclaw_workspace.sandbox import checked_workspace
from finclaw_workspace.shelling import shell

ToolText = Callable[..., str]


@pytest.mark.parametrize("arguments", [{"command": ""}, {"command": "a\0b"}, {"command": "x", "timeout_s": 0}])
def test_wrong_input(refused: ToolText, arguments: dict[str, object]) -> None:
    assert refused(shell, **arguments).startswith("BAD_INPUT: ")


def test_without_bubblewrap_nothing_runs(
    refused: ToolText, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    said = refused(shell, command="touch ran")
    assert said.startswith("NO_SANDBOX: there is no bwrap on the PATH")
    assert "apt install bubblewrap" in said
    assert names(workspace) == []


def test_a_bubblewrap_that_cannot_work_runs_nothing(
    refused: ToolText, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    (folder / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    said = refused(shell, command="touch ran")
    assert said.startswith("NO_SANDBOX: bwrap cannot make a sandbox here (bwrap: No permissions to create new name")
    assert names(workspace) == []


def test_a_bubblewrap_from_the_workspace_is_not_trusted(
    refused: ToolText, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / "bwrap").write_text("#!/bin/sh\ntouch ran\n")
    (workspace / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{workspace}:/usr/bin")
    assert refused(shell, command="true").startswith("NO_SANDBOX: ")
    assert names(workspace) == ["bwrap"]


@pytest.mark.parametrize("folder", ["/", "/usr", "/usr/lib", "/etc", "/proc/self", "/home", "~", "/tmp"])
def test_folders_that_hold_too_much_are_refused(finclaw_home: Path, folder: str) -> None:
    answer = run_tool(shell, {"command": "true"}, workspace=Path(folder).expanduser())
    assert answer.content.startswith("PROTECTED: the workspace ")


def test_a_folder_above_the_home_folder_is_refused(
    finclaw_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from finclaw_cli.sdk.files.refusal import Refused

    monkeypatch.setenv("HOME", str(tmp_path / "people/me"))
    with pytest.raises(Refused):
        checked_workspace(tmp_path / "people", finclaw_home)
    (tmp_path / "link").symlink_to("people")
    with pytest.raises(Refused):
        checked_workspace(tmp_path / "link", finclaw_home)
    assert checked_workspace(tmp_path / "people/me/project", finclaw_home)
