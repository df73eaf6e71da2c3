"""The index of sessions: what is found, and that it follows the files."""

from __future__ import annotations

import os
import re
import sqlite3
import unicodedata
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.errors import OutputFailed, UsageError
from finclaw_cli.search.find import Filters
from finclaw_cli.search.index import opened
from finclaw_cli.search.query import read_query
from finclaw_cli.search.update import forget_removed, update
from finclaw_cli.search.words import index_text, words_of
from tests.full_disk import full_after
from tests.unit.indexed_sessions import BEGIN, Sessions

CALL = {"type": "tool_use", "id": "c", "name": "get_quote", "input": '{"symbol":"acme"}'}


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path)


@pytest.mark.parametrize(
    "query",
    ["acme", "ACME closed", "closed acme", '"acme closed"', "clos*", "126.89", "BRK.B", "^gspc", "2020-04-17",
     "환율", "구독해지", "독해", "환", "환율은", "-globex acme", "café", "get_quote"],
)  # fmt: skip
def test_what_a_message_has_is_found(sessions: Sessions, query: str) -> None:
    sessions.say(
        "a", [{"type": "text", "text": "ACME closed at 126.89, (BRK.B; ^GSPC) on 2020-04-17. Cafe\u0301"}, CALL]
    )
    sessions.say("b", "환율은 어떤가? 구독해지")
    assert len(sessions.found(query)) == 1


@pytest.mark.parametrize(
    "query", ["clo", '"closed acme"', "acme globex", "acme -closed", "해구", "율구", "구독은", "26.89"]
)
def test_what_no_message_has_is_not_found(sessions: Sessions, query: str) -> None:
    sessions.say("a", "ACME closed at 126.89. 환율 구독해지은")
    assert sessions.found(query) == []


@pytest.mark.parametrize(
    "query", ['a" OR b', "NEAR(acme)", "text:acme", "acme AND", "(acme", "acme'); DROP TABLE words", "x* *", "{a} : b"]
)
def test_a_search_is_words_whatever_is_typed(sessions: Sessions, query: str) -> None:
    sessions.say("a", "nothing of that")
    assert sessions.found(query) == []
    assert sessions.found("nothing") == ["a"]


@pytest.mark.parametrize("query", ["", "-acme", '""', "...", "*", "^", "w " * 40, "x" * 2_000])
def test_a_search_for_nothing_or_too_much_is_refused(query: str) -> None:
    with pytest.raises(UsageError):
        read_query(query)


KOREAN = st.text(alphabet="환율은구독해지a ,", max_size=40)
PARTS = st.text(alphabet="환율은구독해지", min_size=2, max_size=4)
ENGLISH = st.text(alphabet="abc ,", max_size=40)
WORDS = st.text(alphabet="abc", min_size=1, max_size=2)


@given(texts=st.lists(KOREAN, min_size=1, max_size=5), part=PARTS, form=st.sampled_from(["NFC", "NFD"]))
def test_any_part_of_a_korean_word_is_found_as_by_a_scan(
    texts: list[str], part: str, form: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    sessions = Sessions(tmp_path_factory.mktemp("search"))
    for number, text in enumerate(texts):
        sessions.say(f"s{number}", unicodedata.normalize(form, text))
    expected = [f"s{number}" for number, text in enumerate(texts) if part in text]
    assert sorted(sessions.found(unicodedata.normalize(form, part))) == expected


@given(texts=st.lists(ENGLISH, min_size=1, max_size=5), word=WORDS)
def test_a_word_is_found_as_by_a_scan(texts: list[str], word: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    sessions = Sessions(tmp_path_factory.mktemp("search"))
    for number, text in enumerate(texts):
        sessions.say(f"s{number}", text)
    expected = [f"s{number}" for number, text in enumerate(texts) if word in re.split("[ ,]+", text)]
    assert sorted(sessions.found(word)) == expected


@given(text=st.text() | st.text(alphabet="aZ1é_.^-환율日ア・ \n,\u0301\ud800"))
def test_the_index_makes_of_a_text_the_words_that_queries_have(text: str) -> None:
    assert [word for word in re.split(r"[^\w._^\x80-\U0010ffff-]+", index_text(text)) if word] == words_of(text)


def test_the_newest_is_first_and_the_best_where_that_is_asked_for(sessions: Sessions) -> None:
    sessions.say("old", "close close close", day=0)
    sessions.say("new", "the close of a day with many other words in the message", day=1)
    assert sessions.found("close") == ["new", "old"]
    assert sessions.found("close", ranked=True) == ["old", "new"]


def test_a_line_of_context_is_read_back(sessions: Sessions) -> None:
    sessions.say("a", "word " * 100 + "the needle\nand more")
    assert "the needle and more" in sessions.context("needle")


def test_a_session_that_goes_on_is_found_with_what_it_had_before(sessions: Sessions) -> None:
    sessions.say("a", "first")
    assert sessions.found("first") == ["a"]
    sessions.say("a", "second")
    assert (sessions.found("first"), sessions.found("second"), sessions.found("first second")) == (["a"], ["a"], [])


def test_a_file_that_was_written_anew_is_read_anew(
    sessions: Sessions, tmp_path_factory: pytest.TempPathFactory
) -> None:
    sessions.say("a", "first")
    sessions.say("b", "other")
    assert sessions.found("first") == ["a"]
    elsewhere = Sessions(tmp_path_factory.mktemp("elsewhere"))
    elsewhere.say("a", "another text, which is longer than the one before")
    (elsewhere.folder / "a.jsonl").replace(sessions.folder / "a.jsonl")
    assert (sessions.found("first"), sessions.found("another"), sessions.found("other")) == ([], ["a"], ["b"])


def test_removed_sessions_are_not_found_and_their_words_are_gone(sessions: Sessions) -> None:
    sessions.say("a", "secretword")
    sessions.say("b", "another")
    assert sessions.found("secretword") == ["a"]
    (sessions.folder / "a.jsonl").unlink()
    forget_removed(sessions.index, sessions.folder)
    assert not sessions.index.exists() or b"secretword" not in sessions.index.read_bytes()
    assert (sessions.found("secretword"), sessions.found("another")) == ([], ["b"])


def test_a_removed_file_is_noticed_without_a_command(sessions: Sessions) -> None:
    sessions.say("a", "first")
    sessions.say("b", "second")
    assert sessions.found("first") == ["a"]
    (sessions.folder / "a.jsonl").unlink()
    assert (sessions.found("first"), sessions.found("second")) == ([], ["b"])


def test_a_file_whose_name_is_no_text_is_no_session(sessions: Sessions) -> None:
    sessions.say("a", "first")
    os.link(sessions.folder / "a.jsonl", os.fsencode(sessions.folder) + b"/\xff.jsonl")
    assert sessions.found("first") == ["a"]


@pytest.mark.parametrize("content", [b"garbage" * 1_000, b"SQLite format 3\0" + b"\xff" * 8_000])
def test_a_damaged_index_is_made_anew(sessions: Sessions, content: bytes) -> None:
    sessions.say("a", "first")
    assert sessions.found("first") == ["a"]
    sessions.index.write_bytes(content)
    assert sessions.found("first") == ["a"]


def test_an_index_of_another_version_is_made_anew(sessions: Sessions) -> None:
    sessions.say("a", "first")
    with sqlite3.connect(sessions.index) as other:
        other.execute("CREATE TABLE sessions (name)")
    other.close()
    assert sessions.found("first") == ["a"]


def test_a_folder_in_the_place_of_the_index_is_named(sessions: Sessions) -> None:
    sessions.index.mkdir()
    with pytest.raises(OutputFailed, match="a directory"):
        sessions.found("first")


def test_the_index_is_private(sessions: Sessions) -> None:
    sessions.found("first")
    assert sessions.index.stat().st_mode & 0o777 == 0o600


def test_damaged_records_are_left_out(sessions: Sessions) -> None:
    sessions.say("a", "first")
    sessions.say("a", "second")
    path = sessions.folder / "a.jsonl"
    path.write_bytes(path.read_bytes().replace(b"first", b"f\xffrst") + b'{"v":1,"seq":2')
    assert (sessions.found("first"), sessions.found("second")) == ([], ["a"])


@pytest.fixture
def recorded(sessions: Sessions) -> Sessions:
    for name, models, end in (
        ("a", ["anthropic:claude-opus"], 0),
        ("b", ["openai:gpt"], 4),
        ("c", ["openai:gpt"], None),
    ):
        sessions.add(name, "agent.start", {"models": models})
        sessions.say(name, "close" if name != "c" else [CALL], role="assistant", day=ord(name) - ord("a"))
        if end is not None:
            sessions.add(name, "agent.result", {"exit_code": end, "cost_usd": "0.25" if name == "a" else None})
    return sessions


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"model": "GPT"}, ["b", "c"]), ({"tool": "get_quote"}, ["c"]), ({"symbol": "ACME"}, ["c"]),
        ({"failed": True}, ["b", "c"]), ({"cost_over": Decimal("0.2")}, ["a"]), ({"cost_over": Decimal("0.25")}, []),
        ({"model": "gpt", "tool": "get_quote"}, ["c"]), ({"model": "%"}, []),
    ],
)  # fmt: skip
def test_sessions_are_filtered(recorded: Sessions, filters: dict[str, Any], names: list[str]) -> None:
    assert recorded.with_filters(**filters) == names


def test_filters_and_words_count_together(recorded: Sessions) -> None:
    assert recorded.found("close") == ["b", "a"]
    assert recorded.found("close", Filters(failed=True)) == ["b"]
    assert recorded.found("close", Filters(since=BEGIN + timedelta(days=1))) == ["b"]
    assert recorded.found("close", Filters(cost_over=Decimal("0.1"))) == ["a"]


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file whose first read fails")
def test_a_session_that_cannot_be_read_leaves_nothing_in_the_index(sessions: Sessions) -> None:
    sessions.say("a", "ACME closed")
    (sessions.folder / "b.jsonl").symlink_to("/proc/self/mem")
    assert sessions.found("acme") == ["a"]
    with sqlite3.connect(sessions.index) as index:
        assert index.execute("SELECT name FROM sessions").fetchall() == [("a",)]


def test_an_index_that_another_process_holds_is_left_as_it_is(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions.say("a", "ACME closed")
    assert sessions.found("acme") == ["a"]
    monkeypatch.setattr("finclaw_cli.search.index.PATIENCE_S", 0.0)
    before = sessions.index.stat().st_ino
    with sqlite3.connect(sessions.index, isolation_level=None) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        assert sessions.found("acme") == ["a"]
        other.execute("ROLLBACK")
    assert sessions.index.stat().st_ino == before


def test_what_cannot_be_written_on_a_full_disk_is_found_and_indexed_later(sessions: Sessions) -> None:
    sessions.say("a", "ACME closed")
    assert sessions.found("acme") == ["a"]
    sessions.say("b", " ".join(f"acme{number}" for number in range(20_000)))
    with full_after(sessions.index.stat().st_size):
        assert sessions.found("acme1999*") == ["b"]
    assert sessions.found("acme") == ["a"]
    assert sessions.found("acme1999*") == ["b"]


def test_what_is_appended_within_one_tick_of_the_clock_is_found(sessions: Sessions) -> None:
    sessions.say("s", "before")
    assert sessions.found("before") == ["s"]
    written = (sessions.folder / "s.jsonl").stat()
    sessions.say("s", "after")
    os.utime(sessions.folder / "s.jsonl", ns=(written.st_atime_ns, written.st_mtime_ns))
    assert sessions.found("after") == ["s"]


def test_what_has_not_changed_is_not_read_again(sessions: Sessions) -> None:
    sessions.say("s", "before")
    with opened(sessions.index) as connection:
        update(connection, sessions.folder)
        written = connection.total_changes
        update(connection, sessions.folder)
        assert (written > 0, connection.total_changes) == (True, written)
