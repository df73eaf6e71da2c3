from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.sdk.files.refusal import Refused
from finclaw_cli.testing.tools import run_tool_async
from finclaw_workspace.finding import glob
from finclaw_workspace.patterns import PathPattern
from finclaw_workspace.searching import grep

ToolText = Callable[..., str]


@pytest.fixture
def tree(workspace: Path) -> Path:
    for name in ("a.py", "src/b.py", "src/deep/c.py", "src/d.txt", ".git/x.py", "node_modules/m/x.py", ".venv/x.py"):
        file = workspace / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# {name}\nprice = 1\nPRICE = 2\n")
    return workspace


@pytest.mark.parametrize(
    ("pattern", "path", "found"),
    [
        ("*.py", ".", "a.py"),
        ("**/*.py", ".", "a.py src/b.py src/deep/c.py"),
        ("src/*", ".", "src/b.py src/d.txt src/deep/"),
        ("**/*.{txt,md}", ".", "src/d.txt"),
        ("**", "src", "src/b.py src/d.txt src/deep/ src/deep/c.py"),
        ("**/deep/**", ".", "src/deep/c.py"),
        ("[ab].py", ".", "a.py"),
        ("?.py", "src", "src/b.py"),
        ("*.rs", ".", "[nothing matches]"),
    ],
)
@pytest.mark.usefixtures("tree")
def test_glob(ok: ToolText, pattern: str, path: str, found: str) -> None:
    assert ok(glob, pattern=pattern, path=path) == found.replace(" ", "\n").replace("[nothing\n", "[nothing ")


def test_links_are_listed_but_not_entered(ok: ToolText, tree: Path, secret: Path) -> None:
    (tree / "out").symlink_to(secret.parent)
    assert "secret" not in ok(glob, pattern="**")
    assert ok(grep, pattern="CANARY") == "[nothing matches in .]"


def test_much_is_cut(ok: ToolText, workspace: Path) -> None:
    for number in range(1100):
        (workspace / f"{number:04}").touch()
    said = ok(glob, pattern="*").splitlines()
    assert len(said) == 1001
    assert said[-1].startswith("[only the first 1000")


@pytest.mark.parametrize("pattern", ["/etc/*", "../*", "", "a/../../b", "{" * 3 + "a,b,c,d,e}" * 3, "x" * 2000])
def test_odd_patterns(call: Callable[..., object], workspace: Path, pattern: str) -> None:
    answer = call(glob, pattern=pattern)
    assert getattr(answer, "is_error") or "nothing matches" in getattr(answer, "content")  # noqa: B009


@given(st.text("*a?[]{},/b", max_size=30), st.lists(st.text("ab", min_size=1, max_size=40), max_size=6))
def test_any_pattern_ends(pattern: str, parts: list[str]) -> None:
    with suppress(Refused):
        PathPattern(pattern).matches(tuple(parts))


def test_many_stars_are_harmless() -> None:
    assert not PathPattern("**/" * 100 + "*a" * 100 + "b").matches(("a" * 255,) * 15)


@pytest.mark.usefixtures("tree")
def test_grep(ok: ToolText) -> None:
    assert ok(grep, pattern="^price", path="src") == (
        "src/b.py:2: price = 1\nsrc/d.txt:2: price = 1\nsrc/deep/c.py:2: price = 1"
    )
    assert ok(grep, pattern="price", glob="*.txt", ignore_case=True) == "src/d.txt:2: price = 1\nsrc/d.txt:3: PRICE = 2"
    assert ok(grep, pattern="price", glob="src/**/*.py") == "src/b.py:2: price = 1\nsrc/deep/c.py:2: price = 1"
    assert ok(grep, pattern="price", path="a.py") == "a.py:2: price = 1"
    assert ok(grep, pattern="=", limit=1) == "a.py:2: price = 1\n[stopped after 1 lines; there may be more]"


def test_grep_leaves_out_what_is_no_text(ok: ToolText, workspace: Path) -> None:
    (workspace / "binary").write_bytes(b"CANARY\0")
    (workspace / "utf16").write_text("CANARY\n", "utf-16")
    os.mkfifo(workspace / "fifo")
    (workspace / "long").write_text("x" * 5000 + "CANARY" + "y" * 5000)
    said = ok(grep, pattern="CANARY").splitlines()
    assert [line.split(":")[0] for line in said] == ["long", "utf16"]
    assert len(said[0]) < 400


def test_of_a_long_line_the_300_characters_around_the_match_are_shown(ok: ToolText, workspace: Path) -> None:
    lines = {
        "x" * 294 + "CANARY": "x" * 294 + "CANARY",
        "x" * 400 + "CANARY" + "y" * 400: "…" + "x" * 100 + "CANARY" + "y" * 194 + "…",
        "x" * 100 + "CANARY" + "y" * 400: "x" * 100 + "CANARY" + "y" * 194 + "…",
        "x" * 101 + "CANARY" + "y" * 400: "…" + "x" * 100 + "CANARY" + "y" * 194 + "…",
        "x" * 400 + "CANARY" + "y" * 194: "…" + "x" * 100 + "CANARY" + "y" * 194,
    }
    (workspace / "a").write_text("\n".join(lines))
    assert ok(grep, pattern="CANARY").splitlines() == [f"a:{n}: {shown}" for n, shown in enumerate(lines.values(), 1)]


@pytest.mark.parametrize("pattern", ["(", "a{99999999999}", "(?P<x>", "\\"])
def test_what_is_no_expression_is_said(refused: ToolText, pattern: str) -> None:
    assert refused(grep, pattern=pattern).startswith("BAD_INPUT: the pattern is no regular expression")


def test_an_expression_that_never_ends_is_ended(ok: ToolText, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("finclaw_workspace.searching._SEARCH_S", 0.5)
    (workspace / "a").write_text("ok\n" + "a" * 40 + "!\n")
    said = ok(grep, pattern=r"^(a+)+$|ok")
    assert said == "a:1: ok\n[gave up after 0.5 s, at a:2: simplify the pattern or narrow path]"


async def test_a_cancelled_search_leaves_no_process(workspace: Path, finclaw_home: Path) -> None:
    (workspace / "a").write_text("a" * 40 + "!\n")
    running = asyncio.create_task(run_tool_async(grep, {"pattern": "^(a+)+$"}, workspace=workspace))
    await asyncio.sleep(0.7)
    assert workers()
    running.cancel()
    await asyncio.wait([running], timeout=4)
    assert not workers()


def workers() -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == os.getpid() and any(b"finclaw_workspace.worker" in word for word in words):
            found.append(process.name)
    return found
