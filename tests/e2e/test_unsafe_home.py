"""A data folder that others can change is refused before anything in it is read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw


def world_writable(home: Path) -> None:
    home.chmod(0o777)


def writable_sessions(home: Path) -> None:
    (home / "sessions").mkdir()
    (home / "sessions").chmod(0o1777)


def linked_sessions(home: Path) -> None:
    (home / "elsewhere").mkdir()
    (home / "sessions").symlink_to(home / "elsewhere")


def linked_cache(home: Path) -> None:
    (home / "cache").rename(home / "elsewhere")
    (home / "cache").symlink_to(home / "elsewhere")


def linked_lanes(home: Path) -> None:
    (home / "elsewhere").mkdir()
    (home / "lanes").symlink_to(home / "elsewhere")


def foreign(home: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    os.chown(home, 12_345, -1)


CASES = {
    world_writable: "can be written by everybody",
    writable_sessions: "can be written by everybody",
    linked_sessions: "is a link",
    linked_cache: "is a link",
    linked_lanes: "is a link",
    foreign: "belongs to another user (uid 12345)",
}
COMMANDS = (
    ("run", "-m", "scripted:script.json", "x"),
    ("tools", "list"),
    ("sessions", "list"),
    ("cost",),
    ("config", "show"),
    ("plugins", "trust", "finclaw-kit"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("made", CASES, ids=lambda made: made.__name__)
def test_an_unsafe_data_folder_is_refused(own: Finclaw, made: Callable[[Path], None], command: tuple[str, ...]):
    own.script({"text": "Fine."})
    made(own.home)
    ran = own(*command)
    assert (ran.code, ran.text) == (2, "")
    assert CASES[made] in ran.stderr
    assert "point FINCLAW_HOME at a folder of your own" in ran.stderr


def test_a_run_in_an_unsafe_data_folder_has_its_result(own: Finclaw):
    world_writable(own.home)
    ran = own("run", "-o", "ndjson", "-m", own.script({"text": "Fine."}), "x")
    assert (ran.code, ran.result["error"]["code"]) == (2, "unsafe_home")
    assert {path.name for path in own.home.iterdir()} == {"trust.json", "cache"}


def test_a_data_folder_behind_a_link_of_the_users_own_is_used(own: Finclaw):
    link = own.cwd / "link"
    link.symlink_to(own.home)
    ran = own("run", "-m", own.script({"text": "Fine."}), "x", env={"FINCLAW_HOME": str(link)})
    assert (ran.code, ran.text) == (0, "Fine.\n")


def test_doctor_says_what_is_wrong_with_the_data_folder(own: Finclaw):
    world_writable(own.home)
    ran = own("doctor")
    assert ran.code == 1
    assert "can be written by everybody" in ran.text
