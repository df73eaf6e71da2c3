"""Tables and sentences on a terminal: they fit, and words stay whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.output.cells import width, wrapped
from finclaw_cli.output.fitted import fitted_table, fitted_text
from finclaw_cli.output.table import Column, draw

WORDS = st.lists(st.text("abc한é", min_size=1, max_size=12), min_size=1, max_size=12)


def words_column(title: str, *cells: str, rank: int = 0) -> Column:
    return Column(title=title, cells=cells, wraps=True, rank=rank)


@given(WORDS, st.integers(24, 60))
def test_wrapped_words_stay_whole_and_in_order(words: list[str], cells: int) -> None:
    lines = wrapped(" ".join(words), cells)
    assert max(map(width, lines)) <= cells
    assert " ".join(lines).split() == words


@given(st.text("ab-/한", max_size=60), st.integers(2, 20))
def test_a_word_that_is_too_long_is_cut_without_loss(word: str, cells: int) -> None:
    lines = wrapped(word, cells)
    assert max(map(width, lines)) <= cells
    assert "".join(lines) == word


def test_a_long_word_is_cut_behind_its_punctuation() -> None:
    assert wrapped("/home/user/settings/config.toml", 20) == ["/home/user/settings/", "config.toml"]


@given(st.lists(WORDS, min_size=2, max_size=4), st.integers(20, 90))
def test_no_line_of_a_table_is_wider_than_its_room(rows: list[list[str]], room: int) -> None:
    columns = [words_column(f"C{at}", " ".join(words), rank=at) for at, words in enumerate(rows)]
    assert max(map(width, draw(columns, room).lines)) <= room


def test_the_column_of_the_highest_rank_goes_before_a_word_is_broken() -> None:
    columns = [
        words_column("NAME", "a" * 20),
        words_column("FROM", "b" * 20, rank=2),
        words_column("FOR", "c d", rank=1),
    ]
    drawn = draw(columns, 39)
    assert drawn.left_out == ("FROM",)
    assert drawn.lines == ("NAME                  FOR", f"{'a' * 20}  c d")


def test_what_is_wrapped_goes_on_below_its_own_column() -> None:
    columns = [words_column("NAME", "calc"), words_column("FOR", "exact arithmetic for every number")]
    assert draw(columns, 24).lines == ("NAME  FOR", "calc  exact arithmetic", "      for every number")


def test_columns_that_are_not_shown_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    table = fitted_table(("NAME", "FROM", "FOR"), [("a" * 16, "b" * 16, "c" * 9)], ("FROM", "FOR"))
    assert table.splitlines()[0] == "NAME              FOR"
    assert "Not shown for want of room: from." in " ".join(table.splitlines())


def test_indented_lines_stay_as_they_are() -> None:
    assert fitted_text("one two\n    $ a long command line", 7) == "one two\n    $ a long command line"


def test_the_name_in_the_first_column_is_the_last_that_is_cut() -> None:
    columns = [
        Column(title="NAME", cells=("a" * 16,), is_name=True, least=16),
        Column(title="FROM", cells=("b" * 16,), is_name=True, least=16),
    ]
    drawn = draw(columns, 26)
    assert "a" * 16 in drawn.lines[1]
