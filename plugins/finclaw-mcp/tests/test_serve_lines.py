"""Lines that a client gets wrong: each has one error as its answer, under its id where it has one, and ends nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Servers
from hypothesis import given
from hypothesis import strategies as st
from raw_client import META, served
from served import ECHO, ERAS, ORDER, Desk

from finclaw_cli.sdk.jsonrpc import INVALID_REQUEST, PARSE_ERROR, is_id, refusal

HEAD = '"jsonrpc": "2.0"'
CALL = (
    f'{{{HEAD}, "id": 7, "method": "tools/call", "params": '
    f'{{"name": "{ORDER}", "arguments": {{"text": %s}}, "_meta": %s}}}}'
)
DEEP = '{"a":' * 400 + "1" + "}" * 400
LINES = {
    "no json": ("{no json", None, PARSE_ERROR),
    "deeper than can be read": ("[" * 100_000, None, PARSE_ERROR),
    "a list": ("[1]", None, INVALID_REQUEST),
    "nothing in it": ("{}", None, INVALID_REQUEST),
    "params as a list": (f'{{{HEAD}, "id": "a", "method": "tools/call", "params": []}}', "a", INVALID_REQUEST),
    "a method that is a number": (f'{{{HEAD}, "id": 2, "method": 5}}', 2, INVALID_REQUEST),
    "an id that is a fraction": (f'{{{HEAD}, "id": 8.5, "method": "tools/list"}}', None, INVALID_REQUEST),
    "an id that is half a character": (f'{{{HEAD}, "id": "\\ud800", "method": "tools/list"}}', None, INVALID_REQUEST),
    "an answer that is no object": (f'{{{HEAD}, "id": 2, "result": 5}}', None, INVALID_REQUEST),
    "half a character": (CALL % ('"\\ud800"', "{}"), 7, INVALID_REQUEST),
    "no UTF-8": (CALL % ('"\udcff"', "{}"), 7, INVALID_REQUEST),
    "400 deep": (CALL % (DEEP, "{}"), 7, INVALID_REQUEST),
    "5000 digits": (CALL % ("9" * 5_000, "{}"), 7, INVALID_REQUEST),
}


@pytest.fixture
def desk(servers: Servers) -> Desk:
    return Desk(servers)


@pytest.mark.parametrize("era", ERAS)
def test_a_wrong_line_has_one_error_as_its_answer_and_ends_nothing(desk: Desk, era: str):
    found: dict[str, Any] = {}
    with served(desk, era) as raw:
        for name, (line, *_) in LINES.items():
            raw.write(line)
            answer = raw.read()
            found[name] = (answer["id"], answer["error"]["code"])
        raw.write("")
        meta = {"_meta": META} if era == ERAS[1] else {}
        assert [tool["name"] for tool in raw.ask("tools/list", meta, 2)["tools"]] == [ECHO, ORDER]
        assert raw.left() == (0, "")
    assert found == {name: tuple(wanted) for name, (_, *wanted) in LINES.items()}
    assert desk.orders == []


@pytest.mark.parametrize("era", ERAS)
def test_arguments_that_can_be_passed_to_no_tool_are_an_error_of_their_call(desk: Desk, era: str):
    deep = '{"a":' * 150 + "1" + "}" * 150
    wrong = {"NaN": "finite", "-Infinity": "finite", "1e999": "finite", '[{"deep": 1e999}]': "finite", deep: "100 deep"}
    with served(desk, era) as raw:
        for value, reason in wrong.items():
            raw.write(CALL % (value, json.dumps(META if era == ERAS[1] else {})))
            answer = raw.read()
            text = answer["result"]["content"][0]["text"]
            assert (answer["id"], answer["result"]["isError"], reason in text) == (7, True, True)
            assert text.startswith("BAD_INPUT: ")
        assert raw.left() == (0, "")
    assert desk.orders == []


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_line_can_be_refused(line: bytes):
    found = json.loads(json.dumps(refusal(line, "why"), allow_nan=False))
    assert found["id"] is None or is_id(found["id"])
    assert found["error"]["code"] in {PARSE_ERROR, INVALID_REQUEST}
