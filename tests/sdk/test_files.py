"""Files of a workspace, as plugins read and write them."""

from __future__ import annotations

import fcntl
import os
import stat
from contextlib import suppress
from dataclasses import replace as changed
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_cli.sdk.files import Refused, Root, private_copy, read_file, workspace_root, write_file
from finclaw_cli.sdk.files.names import parts_of

pytestmark = pytest.mark.usefixtures("opener")


def code_of(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.code


def always(before: bytes) -> bool:
    return before is not None


def test_a_file_is_read_by_its_relative_and_by_its_absolute_path(ctx: ToolContext) -> None:
    (ctx.workspace / "a").mkdir()
    (ctx.workspace / "a/b.csv").write_bytes(b"text")
    for path in ("a/b.csv", "./a//b.csv", str(ctx.workspace / "a/b.csv")):
        assert read_file(ctx, path, 4) == b"text"


def test_more_bytes_than_the_limit_are_refused(ctx: ToolContext) -> None:
    (ctx.workspace / "b.csv").write_bytes(b"text!")
    with pytest.raises(Refused, match="more than 4 bytes") as refused:
        read_file(ctx, "b.csv", 4)
    assert code_of(refused) == "TOO_LARGE"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("", "BAD_INPUT"),
        ("a\0b", "BAD_INPUT"),
        ("x" * 5000, "BAD_INPUT"),
        ("../out.csv", "OUTSIDE_WORKSPACE"),
        ("/etc/passwd", "OUTSIDE_WORKSPACE"),
        ("none.csv", "NOT_FOUND"),
        (".", "IS_A_FOLDER"),
        ("pipe", "NOT_A_FILE"),
        ("link", "LINK"),
        ("folder/in.csv", "LINK"),
        ("leads-out/out.csv", "OUTSIDE_WORKSPACE"),
    ],
)
def test_what_is_not_a_plain_file_of_the_workspace_is_refused(ctx: ToolContext, path: str, code: str) -> None:
    workspace = ctx.workspace
    (workspace.parent / "out.csv").write_text("secret")
    (workspace / "real").mkdir()
    (workspace / "real/in.csv").write_text("inside")
    os.mkfifo(workspace / "pipe")
    (workspace / "link").symlink_to("real/in.csv")
    (workspace / "folder").symlink_to("real")
    (workspace / "leads-out").symlink_to("..")
    with pytest.raises(Refused) as refused:
        read_file(ctx, path, 100)
    assert code_of(refused) == code
    with pytest.raises(Refused), private_copy(ctx, path, 100):
        pytest.fail("it was copied")


@pytest.mark.parametrize("spelling", [".finclaw", ".FinClaw", ".finclaw."])
def test_finclaws_own_data_is_not_read_in_any_spelling(ctx: ToolContext, spelling: str) -> None:
    inside = changed(ctx, home=ctx.workspace / ".finclaw")
    (ctx.workspace / spelling).mkdir()
    (ctx.workspace / spelling / "keys").write_text("secret")
    inside.home.mkdir(exist_ok=True)
    with pytest.raises(Refused, match="own data"):
        read_file(inside, f"{spelling}/keys", 100)


def test_a_private_copy_has_the_name_and_the_bytes_and_is_removed(ctx: ToolContext) -> None:
    (ctx.workspace / "b.csv").write_bytes(b"text")
    with private_copy(ctx, "b.csv", 4) as copy:
        (ctx.workspace / "b.csv").write_bytes(b"changed")
        assert (copy.name, copy.read_bytes()) == ("b.csv", b"text")
    assert not copy.exists()


def test_a_file_is_written_whole_and_nothing_else_is_left(ctx: ToolContext) -> None:
    write_file(ctx, "b.svg", b"one", may_replace=always)
    write_file(ctx, "b.svg", b"two", may_replace=lambda before: before == b"one")
    assert [(path.name, path.read_bytes()) for path in ctx.workspace.iterdir()] == [("b.svg", b"two")]


def test_a_file_that_may_not_be_replaced_stays(ctx: ToolContext) -> None:
    (ctx.workspace / "b.svg").write_bytes(b"mine")
    with pytest.raises(Refused) as refused:
        write_file(ctx, "b.svg", b"two", may_replace=lambda before: before != b"mine")
    assert code_of(refused) == "EXISTS"
    assert (ctx.workspace / "b.svg").read_bytes() == b"mine"


def test_a_file_with_a_second_name_is_not_replaced(ctx: ToolContext, tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"mine")
    (ctx.workspace / "b.svg").hardlink_to(tmp_path / "outside")
    with pytest.raises(Refused) as refused:
        write_file(ctx, "b.svg", b"two", may_replace=always)
    assert code_of(refused) == "HARD_LINK"


@pytest.mark.parametrize("path", [".git/hooks/a", "sub/.GIT/a", ".finclaw/a", ".finclaw.toml", "link.svg", "in/a"])
def test_no_protected_file_and_no_link_is_written(ctx: ToolContext, path: str) -> None:
    (ctx.workspace / "link.svg").symlink_to("new.svg")
    (ctx.workspace / "real").mkdir()
    (ctx.workspace / "in").symlink_to("real")
    (ctx.workspace / path).parent.mkdir(parents=True, exist_ok=True)
    with pytest.raises(Refused):
        write_file(ctx, path, b"x", may_replace=always)
    assert not (ctx.workspace / "new.svg").exists()
    assert list((ctx.workspace / "real").iterdir()) == []


def test_a_cancelled_call_writes_nothing(ctx: ToolContext) -> None:
    ctx.cancelled.set()  # type: ignore[attr-defined]
    with pytest.raises(Refused) as refused:
        write_file(ctx, "b.svg", b"x", may_replace=always)
    assert code_of(refused) == "CANCELLED"
    assert list(ctx.workspace.iterdir()) == []


def test_a_folder_that_another_process_locks_is_busy(ctx: ToolContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("finclaw_cli.sdk.files.locking.PATIENCE_S", 0.0)
    folder = os.open(ctx.workspace, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    try:
        with pytest.raises(Refused) as refused:
            write_file(ctx, "b.svg", b"x", may_replace=always)
    finally:
        os.close(folder)
    assert code_of(refused) == "BUSY"


def test_a_refusal_inside_the_workspace_is_an_error_of_the_tool(ctx: ToolContext) -> None:
    with pytest.raises(ToolError, match=r"^NOT_FOUND: none"), workspace_root(ctx) as root, root.reading("none"):
        pytest.fail("it was opened")


def test_a_file_that_is_missing_is_refused_with_the_names_near_it(ctx: ToolContext) -> None:
    (ctx.workspace / "docs").mkdir()
    (ctx.workspace / "docs/report.md").touch()
    near = r"docs/repot\.md does not exist\. Near: report\.md\."
    with pytest.raises(ToolError, match=near), workspace_root(ctx) as root, root.reading("docs/repot.md"):
        pytest.fail("it was opened")


def test_links_inside_the_workspace_are_followed_by_a_root(ctx: ToolContext) -> None:
    (ctx.workspace / "real").write_bytes(b"text")
    (ctx.workspace / "link").symlink_to("real")
    with Root(ctx.workspace) as root, root.reading("link") as (found, _):
        assert (found.parts, os.read(found.fd, 9)) == (("real",), b"text")


@given(st.text(st.sampled_from("ab./~\\ \u200e\n:é"), max_size=30))
def test_no_path_leads_out(path: str) -> None:
    with suppress(Refused):
        parts = parts_of(path, ("/ws",))
        assert not {"", ".", ".."} & set(parts)
        assert not any("/" in part or "\n" in part or "\u200e" in part for part in parts)


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o000, 0o666), (0o077, 0o600)])
def test_a_new_file_has_the_mode_of_the_umask(ctx: ToolContext, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        write_file(ctx, "new.svg", b"one", may_replace=always)
    finally:
        os.umask(before)
    assert stat.S_IMODE((ctx.workspace / "new.svg").stat().st_mode) == mode


def test_a_file_that_is_replaced_keeps_its_mode(ctx: ToolContext) -> None:
    (ctx.workspace / "old.svg").write_bytes(b"one")
    (ctx.workspace / "old.svg").chmod(0o640)
    write_file(ctx, "old.svg", b"two", may_replace=always)
    assert stat.S_IMODE((ctx.workspace / "old.svg").stat().st_mode) == 0o640
