from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from folders import names

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_cli.testing.tools import tool_context
from finclaw_workspace.editing import edit, preview_edit
from finclaw_workspace.reading import read
from finclaw_workspace.writing import preview_write, write

ToolText = Callable[..., str]


def test_lines_have_numbers(ok: ToolText, workspace: Path) -> None:
    (workspace / "a.txt").write_text("one\n\nthree")
    assert ok(read, path="a.txt") == "[a.txt: 3 lines, 10 bytes]\n1\tone\n2\t\n3\tthree"


def test_a_page_says_where_it_goes_on(ok: ToolText, workspace: Path) -> None:
    (workspace / "a.txt").write_text("".join(f"line {n}\n" for n in range(1, 101)))
    said = ok(read, path="a.txt", offset=11, limit=5).splitlines()
    assert said[0] == "[a.txt: lines 11 to 15 of 100 lines, 792 bytes; go on with offset=16]"
    assert said[1] == "11\tline 11"
    assert len(said) == 6
    assert "nothing from line 200" in ok(read, path="a.txt", offset=200)


def test_an_empty_file(ok: ToolText, workspace: Path) -> None:
    (workspace / "a.txt").touch()
    assert ok(read, path="a.txt") == "[a.txt: 0 lines, 0 bytes; nothing from line 1 on]"


def test_html_reaches_the_model_as_it_is(ok: ToolText, workspace: Path) -> None:
    page = "<!DOCTYPE html><html><head><title>T</title></head><body><p>Hello <b>you</b></p></body></html>"
    (workspace / "a.html").write_text(page + "\n")
    assert page in ok(read, path="a.html")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_with_a_mark_are_read_and_kept(ok: ToolText, workspace: Path, encoding: str) -> None:
    file = workspace / "a.txt"
    file.write_bytes("가격\r\n둘\r\n".encode(encoding))
    assert ok(read, path="a.txt").splitlines()[1:] == ["1\t가격", "2\t둘"]
    ok(edit, path="a.txt", old="둘\n", new="셋\n넷\n")
    assert file.read_bytes() == "가격\r\n셋\r\n넷\r\n".encode(encoding)


@pytest.mark.parametrize("data", [b"PK\x03\x04\0\0", b"caf\xe9\n", "가".encode("euc-kr")])
def test_what_is_no_text_is_refused(refused: ToolText, workspace: Path, data: bytes) -> None:
    (workspace / "a").write_bytes(data)
    assert refused(read, path="a").startswith("NOT_TEXT: ")
    assert refused(edit, path="a", old="x", new="y").startswith("NOT_TEXT: ")


def test_long_lines_are_cut(ok: ToolText, workspace: Path) -> None:
    (workspace / "a").write_text("x" * 5_000_000 + "\nshort\n")
    said = ok(read, path="a").splitlines()
    assert said[1].endswith("… (4,999,000 more characters)")
    assert said[2] == "2\tshort"


def test_a_huge_file_costs_little(ok: ToolText, workspace: Path) -> None:
    with (workspace / "a").open("wb") as file:
        file.write(b"line\n" * 10_000)
        file.truncate(10_000_000_000)  # sparse
    assert "10,000,000,000 bytes; go on with offset=6" in ok(read, path="a", limit=5)


def test_much_text_is_cut_at_a_line(ok: ToolText, workspace: Path) -> None:
    (workspace / "a").write_text(("y" * 900 + "\n") * 1000)
    said = ok(read, path="a")
    assert len(said) < 61_000
    assert "go on with offset=" in said


@pytest.mark.parametrize(("name", "least", "greatest"), [("offset", 1, 1_000_000_000), ("limit", 1, 5000)])
def test_bounds_are_said(
    ok: ToolText, refused: ToolText, workspace: Path, *, name: str, least: int, greatest: int
) -> None:
    (workspace / "a").touch()
    for allowed in (least, greatest):
        assert ok(read, path="a", **{name: allowed}).startswith("[a: 0 lines")
    for wrong in (least - 1, greatest + 1):
        bounds = f"BAD_INPUT: {name} is {wrong}, not between {least} and {greatest}"
        assert refused(read, path="a", **{name: wrong}).startswith(bounds)


def test_a_line_of_1000_characters_is_shown_as_it_is(ok: ToolText, workspace: Path) -> None:
    (workspace / "a").write_text("x" * 1000 + "\n" + "x" * 1001 + "\n")
    shown = ok(read, path="a").splitlines()
    assert shown[1:] == ["1\t" + "x" * 1000, "2\t" + "x" * 1000 + "… (1 more characters)"]


def test_a_page_has_at_most_60000_characters(ok: ToolText, workspace: Path) -> None:
    # With its number of three digits, a tab and a line end, a line counts as 1,000 characters.
    (workspace / "a").write_text("\n" * 100 + ("x" * 995 + "\n") * 100)
    assert ok(read, path="a", offset=101).startswith("[a: lines 101 to 160 of 200 lines, ")
    assert ok(read, path="a", offset=100).startswith("[a: lines 100 to 159 of 200 lines, ")


def test_write_creates_with_folders(ok: ToolText, workspace: Path) -> None:
    old = os.umask(0o027)
    try:
        assert ok(write, path="a/b/c.txt", content="one\n") == "created a/b/c.txt (4 bytes)"
    finally:
        os.umask(old)
    assert (workspace / "a/b/c.txt").read_text() == "one\n"
    assert (workspace / "a/b/c.txt").stat().st_mode & 0o777 == 0o640


def test_write_replaces_and_keeps_the_mode(ok: ToolText, workspace: Path) -> None:
    file = workspace / "run.sh"
    file.write_text("a\nb\nc\n")
    file.chmod(0o750)
    said = ok(write, path="run.sh", content="a\nB\nc\n")
    assert said == "replaced run.sh (6 bytes)\n--- a/run.sh\n+++ b/run.sh\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c"
    assert file.stat().st_mode & 0o777 == 0o750
    assert names(workspace) == ["run.sh"]


def test_the_settings_can_forbid_writing(refused: ToolText, workspace: Path) -> None:
    assert refused(write, {"writable": False}, path="a", content="x").startswith("PROTECTED: ")
    assert names(workspace) == []


def test_previews_change_nothing(workspace: Path, finclaw_home: Path) -> None:
    context = tool_context(workspace=workspace)
    assert preview_write("x/y.txt", "new\n", context).startswith("creates x/y.txt (4 bytes)\n--- a/x/y.txt")
    assert names(workspace) == []
    (workspace / "a").write_text("one\n")
    assert "-one\n+two" in preview_edit("a", "one", "two", context)
    assert "-one\n+two" in preview_write("a", "two\n", context)
    assert (workspace / "a").read_text() == "one\n"


def test_a_diff_is_bounded(ok: ToolText, workspace: Path) -> None:
    (workspace / "a").write_text("".join(f"{n}\n" for n in range(100_000)))
    assert len(ok(write, path="a", content="".join(f"{n}x\n" for n in range(100_000)))) < 500
    assert len(ok(write, path="a", content="")) < 13_000


def test_where_more_than_1500_lines_differ_only_their_numbers_are_shown(ok: ToolText, workspace: Path) -> None:
    def text(changed: str, count: int) -> str:
        return "".join(["a\n", "b\n", *(f"{changed}{n}\n" for n in range(count)), "z\n"])

    (workspace / "a").write_text(text("x", 1500))
    shown = ok(write, path="a", content=text("y", 1500)).splitlines()
    assert shown[1:7] == ["--- a/a", "+++ b/a", "@@ -1,1503 +1,1503 @@", " a", " b", "-x0"]
    shown = ok(write, path="a", content=text("x", 1501)).splitlines()
    assert shown[1:] == ["(too many changes to show: 1,500 lines become 1,501 lines, from line 3 on)"]
    assert ok(write, path="a", content=text("x", 1501)).endswith("\n(no line changes)")


def test_a_diff_counts_lines_of_the_whole_file(ok: ToolText, workspace: Path) -> None:
    (workspace / "a").write_text("".join(f"{n}\n" for n in range(1, 101)))
    said = ok(edit, path="a", old="50\n", new="fifty\n")
    assert "@@ -47,7 +47,7 @@\n 47\n 48\n 49\n-50\n+fifty\n 51" in said


def test_edit_wants_one_match(ok: ToolText, refused: ToolText, workspace: Path) -> None:
    file = workspace / "a"
    file.write_text("x\ny\nx\n")
    assert "old occurs 2 times, at lines 1, 3." in refused(edit, path="a", old="x", new="z")
    assert ok(edit, path="a", old="x", new="z", replace_all=True).startswith("edited a in 2 places\n")
    assert file.read_text() == "z\ny\nz\n"


def test_edit_says_what_is_alike(refused: ToolText, workspace: Path) -> None:
    (workspace / "a.py").write_text("def f():\n    return total_amount\n")
    assert "2\t    return total_amount" in refused(edit, path="a.py", old="\treturn total_amount", new="x")
    assert "2\t    return total_amount" in refused(edit, path="a.py", old="return total_amout", new="x")
    assert "Nothing in it looks alike" in refused(edit, path="a.py", old="qqq", new="x")


@pytest.mark.parametrize(("old", "new"), [("", "x"), ("x", "x")])
def test_an_edit_must_change_something(refused: ToolText, workspace: Path, old: str, new: str) -> None:
    (workspace / "a").write_text("x")
    assert refused(edit, path="a", old=old, new=new).startswith("BAD_INPUT: ")


def test_a_missing_last_newline_stays_missing(ok: ToolText, workspace: Path) -> None:
    (workspace / "a").write_text("one\ntwo")
    assert "No newline at end of file" in ok(edit, path="a", old="two", new="three")
    assert (workspace / "a").read_text() == "one\nthree"


def test_mixed_line_ends_stay_mixed(ok: ToolText, workspace: Path) -> None:
    (workspace / "a").write_bytes(b"one\r\ntwo\nthree\n")
    ok(edit, path="a", old="three", new="3")
    assert (workspace / "a").read_bytes() == b"one\r\ntwo\n3\n"


def test_a_file_that_changed_meanwhile_is_left_alone(
    workspace: Path, tool_context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = workspace / "a"
    file.write_text("one\n")
    monkeypatch.setattr("finclaw_workspace.editing.unified", lambda *_: file.write_text("theirs\n") and "")
    with pytest.raises(ToolError, match=r"^CHANGED: "):
        edit("a", "one", "two", replace(tool_context, workspace=workspace))
    assert file.read_text() == "theirs\n"
    assert names(workspace) == ["a"]
