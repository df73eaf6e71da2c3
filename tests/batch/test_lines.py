"""From lines to items: ids, and what is wrong with a line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.batch.lines import ReadLines, read_lines


def read(*lines: object) -> ReadLines:
    return read_lines([line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines], {})


def reason(line: object) -> str:
    (bad,) = read(line).bad
    return bad.reason


def test_a_line_is_an_item() -> None:
    (item,) = read({"id": "a", "prompt": "Hi", "session": "s", "model": "demo"}).items
    assert (item.name, item.line, item.session) == ("a", 1, "s")
    assert json.loads(item.input) == {"prompt": "Hi", "session": "s", "options": {"model": "demo"}}


def test_blank_lines_are_passed_over_and_counted() -> None:
    assert [item.line for item in read(b"\n", {"prompt": "a"}, b"  \n", {"prompt": "b"}).items] == [2, 4]


def test_a_batch_is_the_same_in_another_order() -> None:
    assert read({"prompt": "a"}, {"prompt": "b"}).batch == read({"prompt": "b"}, {"prompt": "a"}).batch


def test_an_item_is_another_one_under_other_settings() -> None:
    lines = [b'{"prompt":"a"}']
    assert read_lines(lines, {"model": "x"}).items[0].id != read_lines(lines, {"model": "y"}).items[0].id


def test_a_doubled_line_needs_an_id() -> None:
    assert reason_of_second({"prompt": "a"}, {"prompt": "a"}).startswith("the same as line 1")
    assert len(read({"prompt": "a", "id": "1"}, {"prompt": "a", "id": "2"}).items) == 2


def test_an_id_is_given_once() -> None:
    assert reason_of_second({"prompt": "a", "id": "x"}, {"prompt": "b", "id": "x"}) == 'has the "id" of line 1'


def reason_of_second(*lines: object) -> str:
    (bad,) = read(*lines).bad
    assert bad.line == 2
    return bad.reason


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"[1]", "not a JSON object"),
        ({"prompt": "a", "promt": "b"}, "unknown key 'promt'"),
        ({"prompt": "a", "output": "json"}, "unknown key 'output'"),
        ({"id": "a"}, "there is no prompt"),
        ({"prompt": " "}, "there is no prompt"),
        ({"prompt": 1}, "prompt has to be a text"),
        ({"prompt": "a", "id": ""}, "id: has to be"),
        ({"prompt": "a", "session": "../x"}, "no session can be called"),
        ({"prompt": "a", "max_turns": "many"}, "max_turns"),
        ({"prompt": "a", "schema": {"type": 1}}, "schema"),
    ],
)
def test_what_is_wrong_is_named(line: object, expected: str) -> None:
    assert expected in reason(line)


@given(st.lists(st.binary(max_size=40), max_size=5))
def test_every_line_is_an_item_or_bad_or_blank(lines: list[bytes]) -> None:
    found = read_lines(lines, {})
    assert len(found.items) + len(found.bad) == sum(1 for line in lines if line.strip())
