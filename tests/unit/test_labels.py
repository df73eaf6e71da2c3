"""Tags and notes of sessions, in one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from finclaw_cli.core.errors import UsageError
from finclaw_cli.transcript.labels import (
    FILE,
    LONGEST_NOTE,
    MOST_TAGS,
    Labels,
    change_labels,
    checked_note,
    checked_tag,
    forget_labels,
    read_labels,
)


def test_without_a_file_no_session_has_labels(tmp_path: Path) -> None:
    assert read_labels(tmp_path / "sessions") == {}


def test_each_session_keeps_its_own_labels(tmp_path: Path) -> None:
    change_labels(tmp_path, "a", lambda old: Labels(("x",), old.note))
    change_labels(tmp_path, "b", lambda _: Labels((), "음, a note"))
    change_labels(tmp_path, "a", lambda old: Labels(old.tags, "too"))
    assert read_labels(tmp_path) == {"a": Labels(("x",), "too"), "b": Labels((), "음, a note")}


def test_a_session_without_labels_is_not_in_the_file(tmp_path: Path) -> None:
    change_labels(tmp_path, "a", lambda _: Labels(("x",)))
    change_labels(tmp_path, "a", lambda _: Labels())
    assert read_labels(tmp_path) == {}


def test_too_many_tags_change_nothing(tmp_path: Path) -> None:
    many = tuple(f"t{number}" for number in range(MOST_TAGS + 1))
    change_labels(tmp_path, "a", lambda _: Labels(many[1:]))
    with pytest.raises(UsageError, match="at most 32 tags"):
        change_labels(tmp_path, "a", lambda _: Labels(many))
    assert read_labels(tmp_path)["a"].tags == many[1:]


def test_labels_of_removed_sessions_are_dropped(tmp_path: Path) -> None:
    forget_labels(tmp_path, {"a"})
    assert not (tmp_path / FILE).exists()
    for name in "ab":
        change_labels(tmp_path, name, lambda _: Labels(("x",)))
    before = (tmp_path / FILE).read_bytes()
    forget_labels(tmp_path, {"c"})
    assert (tmp_path / FILE).read_bytes() == before
    forget_labels(tmp_path, {"a", "c"})
    assert read_labels(tmp_path).keys() == {"b"}


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', '{"a": {"tags": 1, "note": ""}}', "[" * 100_000])
def test_a_file_of_another_form_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(UsageError, match=r"labels\.json cannot be read"):
        read_labels(tmp_path)


def test_a_file_that_the_system_does_not_open_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / FILE).symlink_to(FILE)
    with pytest.raises(UsageError, match=r"labels\.json cannot be read: Too many levels of symbolic links"):
        read_labels(tmp_path)


@pytest.mark.parametrize(("text", "tag"), [("Review", "review"), ("year:2026", "year:2026"), ("실적", "실적")])
def test_a_tag_is_stored_in_lower_case(text: str, tag: str) -> None:
    assert checked_tag(text) == tag


@pytest.mark.parametrize("text", ["", "two words", "-x", "_x", "x" * 41, "a\x1b"])
def test_what_is_no_tag_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="cannot be a tag"):
        checked_tag(text)


def test_a_note_is_one_line_of_bounded_length() -> None:
    assert checked_note(" a\n b ") == "a b"
    with pytest.raises(UsageError, match="at most 2000"):
        checked_note("x" * (LONGEST_NOTE + 1))
