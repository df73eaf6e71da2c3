"""`finclaw sessions tag` and `note`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw

pytestmark = pytest.mark.by_agent


@pytest.fixture
def talked(own: Finclaw) -> Finclaw:
    """The command with two sessions."""
    for name in ("first", "second"):
        own("run", "-o", "ndjson", "-m", own.script({"text": "Done."}), "--session", name, f"the question of {name}")
    return own


def labels_file(own: Finclaw) -> Path:
    return own.home / "sessions" / "labels.json"


def listed(own: Finclaw, *options: str) -> dict[str, tuple[list[str], str | None]]:
    ran = own("sessions", "list", "--json", *options)
    assert ran.code == 0, ran.stderr
    return {one["name"]: (one["tags"], one["note"]) for one in json.loads(ran.stdout)}


def test_tags_are_added_removed_and_shown(talked: Finclaw) -> None:
    assert talked("sessions", "tag", "first", "Review", "q4").text == "q4, review\n"
    assert talked("sessions", "tag", "first", "--remove", "q4", "year:2026").text == "review, year:2026\n"
    assert talked("sessions", "tag", "first").text == "review, year:2026\n"
    assert talked("sessions", "tag", "second").text == "It has no tags.\n"


def test_a_note_is_one_line_and_can_be_cleared(talked: Finclaw) -> None:
    assert talked("sessions", "note", "first", "ask \n again").text == "ask again\n"
    assert talked("sessions", "note", "first").text == "ask again\n"
    assert talked("sessions", "note", "first", "--clear").text == "It has no note.\n"


def test_the_list_shows_them_and_is_filtered_by_a_tag(talked: Finclaw) -> None:
    talked("sessions", "tag", "first", "review")
    talked("sessions", "note", "first", "My note.")
    assert listed(talked, "--tag", "review") == {"first": (["review"], "My note.")}
    assert listed(talked) == {"first": (["review"], "My note."), "second": ([], None)}
    assert "[review] My note." in talked("sessions", "list").text


def test_a_search_is_filtered_by_a_tag(talked: Finclaw) -> None:
    talked("sessions", "tag", "second", "review")
    ran = talked("sessions", "search", "question", "--tag", "review", "--json")
    assert [hit["session"] for hit in json.loads(ran.stdout)] == ["second"]


def test_a_removed_session_has_no_labels_left(talked: Finclaw) -> None:
    talked("sessions", "tag", "first", "review")
    talked("sessions", "rm", "--yes", "first")
    assert json.loads(labels_file(talked).read_text()) == {}


def test_labels_are_private(talked: Finclaw) -> None:
    talked("sessions", "tag", "first", "review")
    assert labels_file(talked).stat().st_mode & 0o777 == 0o600


def test_a_name_may_be_a_prefix(talked: Finclaw) -> None:
    talked("sessions", "tag", "fir", "review")
    assert listed(talked)["first"][0] == ["review"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["tag", "first", "two words"], "'two words'"),
        (["tag", "first", "-x"], "-x"),
        (["tag", "first", *(f"t{number}" for number in range(33))], "32"),
        (["tag", "nowhere", "x"], "nowhere"),
        (["note", "first", "x" * 2_001], "2000"),
        (["note", "first", "x", "--clear"], "--clear"),
        (["list", "--tag", "no tag"], "'no tag'"),
    ],
)
def test_what_is_no_label_is_refused(talked: Finclaw, arguments: list[str], named: str) -> None:
    ran = talked("sessions", *arguments)
    assert (ran.code, ran.stdout) == (2, b"")
    assert named in ran.stderr
    assert not labels_file(talked).exists()


@pytest.mark.parametrize("content", [b"garbage", b"[]", b'{"first": {}}', b"[" * 100_000])
def test_a_damaged_file_is_named_and_not_replaced(talked: Finclaw, content: bytes) -> None:
    labels_file(talked).write_bytes(content)
    ran = talked("sessions", "tag", "first", "review")
    assert (ran.code, "labels.json cannot be read" in ran.stderr) == (2, True)
    assert labels_file(talked).read_bytes() == content


@pytest.mark.parametrize("content", [b"garbage", b"[]", b'{"first": {}}', b"\xff"])
def test_sessions_are_listed_without_the_labels_of_a_damaged_file(talked: Finclaw, content: bytes) -> None:
    labels_file(talked).write_bytes(content)
    ran = talked("sessions", "list")
    assert (ran.code, "the question of first" in ran.text) == (0, True)
    assert "labels.json cannot be read: it " in ran.stderr
    assert "move it away" in ran.stderr


def test_a_fifo_in_the_place_of_the_file_holds_up_nothing(talked: Finclaw) -> None:
    os.mkfifo(labels_file(talked))
    ran = talked("sessions", "list")
    assert (ran.code, "labels.json" in ran.stderr) == (0, True)


def test_a_control_sequence_in_a_note_does_not_reach_the_terminal(talked: Finclaw) -> None:
    talked("sessions", "note", "first", "a\x1b[31mred")
    assert b"\x1b" not in talked("sessions", "note", "first").stdout
    assert b"\x1b" not in talked("sessions", "list").stdout
