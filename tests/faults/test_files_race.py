"""An attacker swaps folders for links all the time, while files are opened through `Root`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from finclaw_cli.sdk.files import Opener, Refused, Root, existing, replace
from tests.sdk.conftest import opener, workspace

__all__ = ["opener", "workspace"]

OPENS = 10_000
WRITES = 8_000
# How often each outcome has to be seen, so that there was a race; and how much longer that is waited for where one of
# the two is slow.
SEEN, LONGEST = 50, 20
# `d` is by turns a folder inside and a link to the outside; in `e`, a file and a link to a file outside.
SWAP = """
import os, shutil
os.chdir({workspace!r})
def link(name, target):
    os.rename(name, name + ".in")
    try:
        os.symlink(target, name)
    except FileExistsError:  # it was written just now
        pass
def back(name):
    if os.path.isdir(name) and not os.path.islink(name):
        shutil.rmtree(name)
    else:
        os.unlink(name)
    os.rename(name + ".in", name)
print("ready", flush=True)
while True:
    try:
        link("d", "../outside")
        link("e/f.txt", "../../outside/f.txt")
        back("d")
        back("e/f.txt")
    except OSError:  # the other side was quicker
        for name in ("d", "e/f.txt"):
            if os.path.lexists(name + ".in"):
                try: back(name)
                except OSError: pass
"""


@contextmanager
def attacked(workspace: Path) -> Iterator[None]:
    code = SWAP.format(workspace=str(workspace))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as attacker:
        try:
            assert attacker.stdout is not None
            assert attacker.stdout.readline() == b"ready\n"
            yield
            assert attacker.poll() is None, "the attacker gave up, so nothing was tested"
        finally:
            attacker.kill()


@pytest.fixture
def field(tmp_path: Path, workspace: Path) -> Path:
    for folder, text in ((workspace / "d", "inside"), (workspace / "e", "inside"), (tmp_path / "outside", "CANARY")):
        folder.mkdir()
        (folder / "f.txt").write_text(text)
    return workspace


def rounds(usual: int, seen: dict[str, int]) -> Iterator[int]:
    """The usual number of rounds, and more until every outcome was seen."""
    for number in range(usual * LONGEST):
        if number >= usual and min(seen.values()) >= SEEN:
            return
        yield number


def test_no_read_leaks(field: Path, opener: Opener) -> None:
    seen = {"inside": 0, "refused": 0}
    with attacked(field), Root(field, opener=opener) as root:
        for number in rounds(OPENS, seen):
            try:
                with root.reading("d/f.txt" if number % 2 else "e/f.txt") as (found, _):
                    seen[os.read(found.fd, 100).decode()] += 1  # anything else is a KeyError
            except Refused:
                seen["refused"] += 1
    assert min(seen.values()) >= SEEN, seen


def test_no_folder_leaks(field: Path, opener: Opener, tmp_path: Path) -> None:
    (tmp_path / "outside/CANARY").touch()
    with attacked(field), Root(field, opener=opener) as root:
        for _ in range(2000):
            with suppress(Refused), root.folder("d") as found:
                assert "CANARY" not in [entry.name for entry in os.scandir(found.fd)]


def test_no_write_leaves(field: Path, opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda fd: None)  # what is durable is not asked here
    seen = {"written": 0, "refused": 0}
    (tmp_path / "outside/sub").mkdir()
    paths = ("d/f.txt", "d/new.txt", "d/sub/deep/x.txt", "e/f.txt")
    with attacked(field), Root(field, opener=opener) as root:
        for number in rounds(WRITES, seen):
            try:
                with root.writing(paths[number % 4], make=True) as target:
                    replace(target, b"written", existing(target, to_write=True), lambda t=target: root.still_inside(t))
                    seen["written"] += 1
            except Refused:
                seen["refused"] += 1
    assert min(seen.values()) >= SEEN, seen
    outside = sorted(str(path.relative_to(tmp_path / "outside")) for path in (tmp_path / "outside").rglob("*"))
    assert outside == ["f.txt", "sub"]
    assert (tmp_path / "outside/f.txt").read_text() == "CANARY"
