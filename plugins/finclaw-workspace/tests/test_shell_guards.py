from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from folders import names
from sandboxes import needs_sandbox

from finclaw_cli.testing.tools import ToolResult, run_tool_async
from finclaw_workspace.shelling import shell
from finclaw_workspace.writing import write

ToolText = Callable[..., str]
FORBIDDEN = (".git", ".finclaw", ".finclaw.toml")


@needs_sandbox
def test_the_installation_that_runs_finclaw_is_read_only(
    ok: ToolText, refused: ToolText, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / "tools/env/bin").mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(workspace / "tools/env"))
    assert "Read-only" in ok(shell, command="echo x > tools/env/bin/python; mv tools t2; rm -rf tools")
    assert refused(write, path="tools/env/bin/python", content="x").startswith("PROTECTED: ")
    assert names(workspace / "tools/env") == ["bin"]


@needs_sandbox
def test_finclaws_home_inside_the_workspace_is_hidden(
    ok: ToolText, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = workspace / "state/home"
    home.mkdir(parents=True)
    (home / "session").write_text("CANARY")
    monkeypatch.setenv("FINCLAW_HOME", str(home))
    for settings in ({}, {"writable": False}):
        said = ok(shell, settings, command="cat state/home/*; echo x > state/home/y; mv state s2; umount state/home")
        assert "CANARY" not in said
    assert "session" in names(home)


@needs_sandbox
@pytest.mark.parametrize("exists", [True, False])
def test_protected_names_cannot_be_changed_or_made(ok: ToolText, workspace: Path, exists: bool) -> None:
    if exists:
        (workspace / ".git/hooks").mkdir(parents=True)
        (workspace / ".finclaw").mkdir()
        (workspace / ".finclaw.toml").write_text("model = 'x'\n")
    attacks = "; ".join(
        f"rm -rf {name}; mv {name} away; mkdir -p {name}; echo x > {name}; echo x > {name}/x; ln -sfn /tmp {name};"
        f" mv -T /tmp/home {name}; umount {name}; mount -o remount,rw {name}; chmod 777 {name};"
        f" unshare -Ur umount {name}; ln -f {name} second; ln -f {name}/config second; cp second {name}"
        for name in FORBIDDEN
    )
    ok(shell, command=f"{attacks}; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; git init; true")
    expected = [".finclaw", ".finclaw.toml", ".git"] if exists else []
    assert names(workspace) == expected
    if exists:
        assert names(workspace / ".git") == ["hooks"]
        assert names(workspace / ".git/hooks") == []
        assert (workspace / ".finclaw.toml").read_text() == "model = 'x'\n"


@needs_sandbox
@pytest.mark.usefixtures("left_clean")
def test_protected_paths_further_down(ok: ToolText, workspace: Path) -> None:
    (workspace / "sub/.git").mkdir(parents=True)
    (workspace / "conf").mkdir()
    (workspace / "conf/prod.toml").write_text("original")
    said = ok(
        shell,
        {"protected": ["conf/prod.toml", "keys/private/a.pem"]},
        command="mv sub s2; mv conf c2; mkdir -p conf keys/private; echo x > conf/prod.toml; echo x > sub/.git/x;"
        " rm -rf conf sub keys; echo x > keys/private/a.pem; echo free > conf/other",
    )
    assert "Device or resource busy" in said
    assert names(workspace) == ["conf", "sub"]
    assert (workspace / "conf/prod.toml").read_text() == "original"
    assert names(workspace / "sub/.git") == []
    assert (workspace / "conf/other").read_text() == "free\n"


@needs_sandbox
def test_a_protected_link_is_refused(ok: ToolText, refused: ToolText, workspace: Path, secret: Path) -> None:
    (workspace / ".git").symlink_to(secret.parent)
    assert refused(shell, command="true").startswith("PROTECTED: .git is a link")
    assert "exit code 0" in ok(shell, {"writable": False}, command="true")
    assert names(workspace) == [".git"]


@needs_sandbox
def test_a_read_only_workspace(ok: ToolText, workspace: Path) -> None:
    assert "Read-only file system" in ok(shell, {"writable": False}, command="echo x > x")
    assert names(workspace) == []


@needs_sandbox
@pytest.mark.usefixtures("left_clean")
async def test_commands_wait_for_each_other(workspace: Path, finclaw_home: Path) -> None:
    async def one(seconds: float) -> ToolResult:
        command = f"sleep {seconds}; echo x > .git/x; mkdir .finclaw/y; ls -d .git .finclaw .finclaw.toml"
        return await run_tool_async(shell, {"command": command}, workspace=workspace)

    async with asyncio.TaskGroup() as group:
        calls = [group.create_task(one(seconds)) for seconds in (0.1, 0.5, 0.9)]
    for call in calls:
        assert call.result().content.count("Read-only file system") == 2
    assert names(workspace) == []


@needs_sandbox
@pytest.mark.usefixtures("left_clean")
def test_what_a_killed_process_left_is_taken_away(ok: ToolText, workspace: Path, finclaw_home: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from finclaw_cli.testing.tools import run_tool;"
        "from finclaw_workspace.shelling import shell;"
        "run_tool(shell, {'command': 'echo > ready; sleep 30'}, workspace=Path(sys.argv[1]))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", code, str(workspace)], env=environment) as child:
        until = time.monotonic() + 20
        while "ready" not in names(workspace) and time.monotonic() < until:
            time.sleep(0.05)
        child.kill()
    assert ".git" in names(workspace)
    ok(shell, command="true")
    assert names(workspace) == ["ready"]


@needs_sandbox
def test_what_somebody_put_into_a_placeholder_stays(ok: ToolText, workspace: Path) -> None:
    # `git init` by the user, outside the sandbox, while a command runs.
    async def both() -> None:
        running = asyncio.create_task(run_tool_async(shell, {"command": "sleep 0.6"}, workspace=workspace))
        while ".git" not in names(workspace):  # noqa: ASYNC110 - a folder sends no event
            await asyncio.sleep(0.02)
        (workspace / ".git/HEAD").write_text("ref: refs/heads/main\n")
        await running

    asyncio.run(both())
    assert names(workspace) == [".git"]


@pytest.fixture
def linked(workspace: Path, secret: Path) -> Path:
    """A file in the workspace that is also one outside."""
    (workspace / "conf").mkdir()
    os.link(secret, workspace / "conf/second")
    return secret


@needs_sandbox
@pytest.mark.usefixtures("left_clean", "linked")
def test_a_file_with_a_second_name_cannot_be_changed(
    ok: ToolText, refused: ToolText, workspace: Path, secret: Path
) -> None:
    mode = secret.stat().st_mode
    assert refused(write, path="conf/second", content="x").startswith("HARD_LINK: ")
    said = ok(
        shell,
        command="cat conf/second; echo x > conf/second; chmod 777 conf/second; truncate -s 0 conf/second;"
        " ln conf/second third; echo x > third; mv conf c2; mv conf/second fourth; rm -f conf/second;"
        " python3 -c \"open('conf/second', 'r+').write('x')\"; umount conf/second; echo x > conf/second;"
        " echo free > conf/other",
    )
    assert said.count("CANARY") == 1
    assert (secret.read_text(), secret.stat().st_mode) == ("CANARY\n", mode)
    assert (workspace / "conf/other").read_text() == "free\n"


@needs_sandbox
@pytest.mark.usefixtures("left_clean")
@pytest.mark.parametrize("folder", ["node_modules", ".venv"])
def test_a_folder_of_packages_that_are_links_cannot_be_changed(
    ok: ToolText, workspace: Path, secret: Path, folder: str
) -> None:
    (workspace / folder / "deep/.git").mkdir(parents=True)
    for number in range(400):
        os.link(secret, workspace / folder / f"deep/{number}")
    ok(shell, command=f"echo x > {folder}/deep/7; echo x > {folder}/new; echo x > {folder}/deep/new; mv {folder} b")
    assert secret.read_text() == "CANARY\n"
    assert names(workspace / folder) == ["deep"]
    assert "new" not in names(workspace / folder / "deep")


@needs_sandbox
@pytest.mark.usefixtures("left_clean")
def test_too_many_files_with_a_second_name_are_refused(
    ok: ToolText, refused: ToolText, workspace: Path, secret: Path
) -> None:
    for number in range(301):
        os.link(secret, workspace / f"{number}")
    assert "hard links" in refused(shell, command="true")
    assert "exit code 0" in ok(shell, {"writable": False}, command="true")


@needs_sandbox
def test_memory_is_limited(ok: ToolText) -> None:
    take = "python3 -c \"x = bytearray(300_000_000); print('taken')\""
    assert "taken" in ok(shell, command=take)
    assert "MemoryError" in ok(shell, {"max_memory_mb": 200}, command=take)
    raised = ok(shell, {"max_memory_mb": 200}, command=f"ulimit -d unlimited; ulimit -Hd 9999999; {take}")
    assert "taken" not in raised


@needs_sandbox
def test_the_number_of_processes_is_limited(ok: ToolText) -> None:
    assert "512 512" in ok(shell, command='echo "$(ulimit -Su) $(ulimit -Hu)"')
    if os.geteuid() != 0:  # the kernel does not count those of root
        said = ok(shell, {"max_processes": 20}, command="for n in $(seq 40); do sleep 9 & done; jobs -p | wc -l")
        assert "fork" in said
