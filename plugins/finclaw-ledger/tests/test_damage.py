from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from answers import Answer
from statements import SAVINGS

Run = Callable[..., tuple[int, str, str]]
File = Callable[..., Path]
Load = Callable[..., str]
Ask = Callable[..., Answer]


@pytest.mark.parametrize(
    "content",
    [
        bytes(number for number in range(1, 256)) * 20,
        b"\x89PNG\r\n\x1a\n\x01\x02,\xf0\x9f,;;\x1b[31m" * 50,
        b"PK\x03\x04\x14\x06\x08\x08|,a,b,c,\xd0\xcf\x11\xe0" * 20,
    ],
)
def test_nothing_of_a_binary_file_is_printed(run: Run, file: File, content: bytes) -> None:
    code, out, err = run("import", file(content, "x.csv"), "--account", "A", "--currency", "EUR")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.strip().isprintable()
    assert "\ufffd" not in err
    assert len(err) < 300


def test_a_header_with_a_mark_that_does_not_print_is_cleaned_and_cut(run: Run, file: File) -> None:
    header = "Foo\x1b,Bar," + "x" * 1_000
    _, _, err = run("import", file(header + "\n1,2,3\n", "x.csv"), "--account", "A", "--currency", "EUR")
    assert "the header may be: Foo ,Bar,xxx" in err
    assert len(err) < 400


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entries SET amount = 'much'",
        "UPDATE entries SET account = 'nobody'",
        "UPDATE entries SET source_id = 99",
        "DROP TABLE spans",
    ],
)
def test_damaged_rows_say_what_to_do(load: Load, ask: Ask, home: Path, damage: str) -> None:
    load(SAVINGS, "s.csv", "--account", "S", "--currency", "EUR")
    with sqlite3.connect(home / "books.db") as connection:
        connection.execute(damage)
    connection.close()
    answer = ask("ledger_transactions")
    assert answer.code == "NOT_CONFIGURED"
    assert "books.db" in answer.text
    assert "move it away, with its -wal file if there is one, and import your files again" in answer.text
