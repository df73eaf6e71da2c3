from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from folders import names
from permissions import needs_permissions

from finclaw_cli.sdk.files.beneath import Opener
from finclaw_workspace.editing import edit
from finclaw_workspace.finding import glob
from finclaw_workspace.reading import read
from finclaw_workspace.searching import grep
from finclaw_workspace.writing import write

ToolText = Callable[..., str]
pytestmark = pytest.mark.usefixtures("opener")


@pytest.fixture
def tree(workspace: Path, secret: Path) -> Path:
    """A workspace with every kind of way out."""
    (workspace / "sub/deep").mkdir(parents=True)
    (workspace / "sub/deep/file.txt").write_text("inner\n")
    (workspace / "inner").symlink_to("sub/deep")
    (workspace / "inner-file").symlink_to("sub/../sub/deep/file.txt")
    (workspace / "sub/up").symlink_to("../sub/deep/")
    (workspace / "out").symlink_to("../outside")
    (workspace / "out-absolute").symlink_to(secret.parent)
    (workspace / "out-file").symlink_to(secret)
    (workspace / "out-nothing").symlink_to("../outside/nothing")
    (workspace / "out-absolute-nothing").symlink_to(secret.parent / "nothing")
    (workspace / "out-and-in").symlink_to("../ws/sub")
    (workspace / "magic").symlink_to("/proc/self/root")
    (workspace / "loop").symlink_to("loop")
    return workspace


WAYS_OUT = [
    "../outside/secret.txt",
    "..",
    "sub/../../outside/secret.txt",
    "/etc/passwd",
    "/nonexistent",
    "//etc/passwd",
    "~/secret",
    "out/secret.txt",
    "out/nothing",
    "out-absolute/secret.txt",
    "out-absolute/nothing",
    "out-file",
    "out-nothing",
    "out-absolute-nothing",
    "out-and-in/deep/file.txt",
    "magic/etc/passwd",
    "loop",
    "loop/x",
    "inner/../../../outside/secret.txt",
]


@pytest.mark.parametrize("path", WAYS_OUT)
@pytest.mark.usefixtures("tree")
def test_nothing_outside_is_reached(refused: ToolText, secret: Path, path: str) -> None:
    assert refused(read, path=path) == refused(grep, path=path, pattern="x")
    for said in (
        refused(read, path=path),
        refused(write, path=path, content="x"),
        refused(edit, path=path, old="CANARY", new="x"),
        refused(glob, path=path, pattern="**"),
    ):
        assert said.startswith("OUTSIDE_WORKSPACE: ")
        assert "CANARY" not in said
    assert secret.read_text() == "CANARY\n"
    assert names(secret.parent) == ["secret.txt"]


@pytest.mark.usefixtures("tree")
def test_what_is_outside_is_not_told(refused: ToolText) -> None:
    def told(there: str, absent: str) -> bool:
        return refused(read, path=there).replace(there, "X") == refused(read, path=absent).replace(absent, "X")

    assert told("out/secret.txt", "out/nothing.txt")
    assert told("/etc/passwd", "/etc/nothing")
    assert told("out-file", "out-absolute-nothing")


@pytest.mark.parametrize("path", ["inner/file.txt", "inner-file", "sub/up/file.txt", "./sub//deep/./file.txt"])
def test_inner_links_are_followed(ok: ToolText, tree: Path, path: str) -> None:
    assert "inner" in ok(read, path=path)
    assert "replaced sub/deep/file.txt" in ok(write, path=path, content="other\n")
    assert (tree / "sub/deep/file.txt").read_text() == "other\n"
    assert (tree / "inner-file").is_symlink()


def test_absolute_paths_inside_are_taken(ok: ToolText, tree: Path) -> None:
    assert "inner" in ok(read, path=str(tree / "sub/deep/file.txt"))


@pytest.mark.parametrize(
    "path",
    [
        ".git/config", ".git", ".GIT/config", ".Git/hooks/pre-commit", "sub/.git/config", ".finclaw/x", ".finclaw.toml",
        ".FINCLAW.toml", "link/hooks/x", "deeper/x", "toml", "git~1/config", ".git./config", ".git /config", ".gıt/x",
        ".git::$INDEX_ALLOCATION/x", "secrets/key", "secrets",
    ],
)  # fmt: skip
@pytest.mark.parametrize("exists", [True, False])
def test_protected_names_are_read_only_even_when_absent(
    refused: ToolText, workspace: Path, path: str, exists: bool
) -> None:
    if path == ".gıt/x":
        path = ".g\u200cit/x"  # what HFS+ leaves out
    if exists:
        (workspace / ".git/hooks").mkdir(parents=True)
        (workspace / ".git/config").write_text("[core]\n")
        (workspace / ".finclaw.toml").write_text("model = 'x'\n")
    (workspace / "link").symlink_to(".git")
    (workspace / "deeper").symlink_to("link/hooks")
    (workspace / "toml").symlink_to(".finclaw.toml")
    said = refused(write, {"protected": ["secrets"]}, path=path, content="x")
    # A link to what is absent cannot be resolved; nothing is made through it either.
    assert said.startswith(("PROTECTED: ", "NOT_FOUND: ", "NOT_A_FOLDER: ")), said
    if exists or path not in {"link/hooks/x", "deeper/x", "toml"}:
        assert said.startswith("PROTECTED: ")
    found = {str(file.relative_to(workspace)) for file in workspace.rglob("*")}
    before = {".git", ".git/hooks", ".git/config", ".finclaw.toml"} if exists else set()
    assert found == before | {"link", "deeper", "toml"}
    assert not exists or (workspace / ".git/config").read_text() == "[core]\n"


def test_protected_files_may_be_read(ok: ToolText, workspace: Path) -> None:
    (workspace / ".finclaw.toml").write_text("model = 'x'\n")
    assert "model" in ok(read, path=".finclaw.toml")


def test_finclaws_own_data_is_hidden(
    ok: ToolText, refused: ToolText, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = workspace / "state"
    home.mkdir()
    (home / "log").write_text("CANARY\n")
    (workspace / "alias").symlink_to("state")
    monkeypatch.setenv("FINCLAW_HOME", str(home))
    for path in ("state/log", "alias/log", "state"):
        assert refused(read, path=path).startswith("PROTECTED: ")
        assert refused(write, path=path, content="x").startswith("PROTECTED: ")
    assert "CANARY" not in ok(grep, pattern="CANARY")
    assert ok(glob, pattern="state/**") == "[nothing matches]"


def test_special_files_are_refused_at_once(refused: ToolText, workspace: Path) -> None:
    os.mkfifo(workspace / "fifo")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(workspace)
        try:
            server.bind("socket")
        finally:
            os.chdir(here)
        (workspace / "folder").mkdir()
        for name in ("fifo", "socket"):
            assert refused(read, path=name).startswith("NOT_A_FILE: ")
            assert refused(write, path=name, content="x").startswith("NOT_A_FILE: ")
            assert refused(edit, path=name, old="a", new="b").startswith("NOT_A_FILE: ")
        assert refused(read, path="folder").startswith("IS_A_FOLDER: ")
        assert refused(write, path="folder", content="x").startswith("IS_A_FOLDER: ")
        assert refused(write, path=".", content="x").startswith("IS_A_FOLDER: ")


@pytest.mark.skipif(os.getuid() != 0, reason="only root makes devices")
def test_devices_are_refused(refused: ToolText, workspace: Path) -> None:
    try:
        os.mknod(workspace / "zero", 0o20666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("no devices here")
    assert refused(read, path="zero").startswith("NOT_A_FILE: ")


def test_hard_links_are_not_written(refused: ToolText, ok: ToolText, workspace: Path, secret: Path) -> None:
    os.link(secret, workspace / "second")
    assert refused(write, path="second", content="x").startswith("HARD_LINK: ")
    assert refused(edit, path="second", old="CANARY", new="x").startswith("HARD_LINK: ")
    assert secret.read_text() == "CANARY\n"


@pytest.mark.parametrize("path", ["a\0b", "a\nb", "\x1b[31mred", "a\u202eb", "", "x" * 300, "y/" * 3000])
def test_odd_names_are_refused(refused: ToolText, path: str) -> None:
    for said in (refused(read, path=path), refused(write, path=path, content="x")):
        assert said.startswith("BAD_INPUT: ")
        assert said.isprintable()


def test_odd_names_on_disk_are_shown_safely(ok: ToolText, workspace: Path) -> None:
    (workspace / "a\n\x1b]0;x\x07b.txt").write_text("CANARY\n")
    Path(os.fsdecode(os.fsencode(workspace) + b"/\xff.txt")).write_text("CANARY\n")
    (workspace / "한글.txt").write_text("CANARY\n")
    for text in (ok(glob, pattern="*.txt"), ok(grep, pattern="CANARY")):
        assert len(text.splitlines()) == 3
        assert "\x1b" not in text
        assert "\\xff.txt" in text
        assert "한글.txt" in text


def test_a_file_is_no_folder(refused: ToolText, workspace: Path) -> None:
    (workspace / "file").write_text("x")
    assert refused(read, path="file/x").startswith("NOT_A_FOLDER: ")
    assert refused(write, path="file/x/y", content="x").startswith("NOT_A_FOLDER: ")
    assert refused(glob, path="file", pattern="*").startswith("NOT_A_FOLDER: ")
    assert (workspace / "file").read_text() == "x"


def test_near_names_are_said(refused: ToolText, workspace: Path) -> None:
    (workspace / "README.md").write_text("x")
    assert "Near: README.md" in refused(read, path="READM.md")
    assert "Near: README.md" in refused(edit, path="REDME.md", old="a", new="b")


def test_a_workspace_that_is_gone(refused: ToolText, workspace: Path) -> None:
    workspace.rmdir()
    for tool, arguments in (
        (read, {"path": "x"}),
        (write, {"path": "x", "content": "x"}),
        (glob, {"pattern": "*"}),
        (grep, {"pattern": "x"}),
    ):
        assert refused(tool, **arguments).startswith("NOT_FOUND: the workspace")
    assert not workspace.exists()


@needs_permissions
def test_what_may_not_be_read_is_said(opener: Opener, refused: ToolText, workspace: Path) -> None:
    (workspace / "x").write_text("x")
    (workspace / "x").chmod(0)
    assert refused(read, path="x").startswith("NO_PERMISSION: ")
