"""What is typed at a prompt: lines put together to messages, and the history of them."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.cli.terminal.compose import FIRST, NEXT, Composer
from finclaw_cli.cli.terminal.input_history import MAX_ENTRIES, InputHistory, entry_of, line_of
from finclaw_cli.core.secrets import PROCESS


def composed(*lines: str) -> list[str]:
    composer = Composer()
    return [message for line in lines if (message := composer.add(line)) is not None]


@pytest.mark.parametrize(
    ("lines", "messages"),
    [
        (["one", "two"], ["one", "two"]),
        (["  "], [""]),
        (["one \\", "two"], ["one \ntwo"]),
        (["one\\", "\\", "two"], ["one\n\ntwo"]),
        (['"""', "one", "", "two\\", '"""'], ["one\n\ntwo\\"]),
        (["```", '"""', "/exit", "```", "two"], ['"""\n/exit', "two"]),
        (['"""', '"""'], [""]),
        (["one\\", '"""'], ['one\n"""']),
        (["one\ntwo\n"], ["one\ntwo"]),
        (["one\\", "two\nthree"], ["one\ntwo\nthree"]),
        (['"""\none\n"""'], ["one"]),
        (['"""', "one\ntwo", '"""'], ["one\ntwo"]),
        (["one\n"], ["one"]),
    ],
)
def test_lines_become_messages(lines: list[str], messages: list[str]):
    assert composed(*lines) == messages


def test_the_prompt_says_that_more_is_waited_for():
    composer = Composer()
    assert composer.prompt == FIRST
    composer.add('"""')
    assert composer.prompt == NEXT
    composer.clear()
    assert (composer.prompt, composer.add("two")) == (FIRST, "two")


@given(st.text(st.characters(exclude_characters="\r\v\f\x1c\x1d\x1e\x85\u2028\u2029", exclude_categories=["Cs"])))
def test_an_entry_is_one_line_and_comes_back(entry: str):
    line = line_of(entry)
    assert len(line.splitlines()) <= 1
    assert entry_of(line) == entry.removesuffix("\n")


def test_the_history_is_private_and_has_no_secrets(tmp_path: Path):
    PROCESS.add("sk-very-secret-key-0123456789")
    history = InputHistory(tmp_path / "home" / "history", keeps=True)
    history.add("use sk-very-secret-key-0123456789\nplease")
    (entry,) = history.load()
    assert "very-secret" not in entry
    assert entry.endswith("\nplease")
    assert stat.S_IMODE((tmp_path / "home" / "history").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def test_a_history_that_has_grown_long_is_cut_to_its_newest_entries(tmp_path: Path):
    path = tmp_path / "history"
    path.write_text("".join(f"{number}\n" for number in range(MAX_ENTRIES + 5)))
    assert InputHistory(path, keeps=True).load() == [str(number) for number in range(5, MAX_ENTRIES + 5)]
    assert len(path.read_text().splitlines()) == MAX_ENTRIES
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {file.name for file in tmp_path.glob("history*")} == {"history", "history.lock"}


def test_where_nothing_is_kept_nothing_is_written(tmp_path: Path):
    InputHistory(tmp_path / "history", keeps=False).add("one")
    assert not (tmp_path / "history").exists()


def test_a_history_that_cannot_be_written_is_none(tmp_path: Path):
    (tmp_path / "file").write_text("")
    history = InputHistory(tmp_path / "file" / "history", keeps=True)
    history.add("one")
    assert history.load() == []
    (tmp_path / "link").symlink_to(tmp_path / "file")
    InputHistory(tmp_path / "link", keeps=True).add("one")
    assert (tmp_path / "file").read_text() == ""


def test_only_a_conversation_imports_what_reads_lines():
    code = "import sys, finclaw_cli.cli.run.launch as x; print(*({'readline', 'finclaw_cli.cli.terminal.line_input'} & {*sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
