"""What a tool gave, as it may go on."""

from __future__ import annotations

import json
import tracemalloc
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.json_text import jsonable
from finclaw_cli.core.tool import PlainText, ToolSpec
from finclaw_cli.tools.guard import Guard, Guarded, GuardSettings, ToolGuard
from finclaw_cli.tools.render import render

TOOL = ToolSpec(name="t", description="", input_schema={"type": "object"})
CARD = "4111 1111 1111 1111"


def guarded(value: object, **settings: object) -> Guarded:
    return Guard(GuardSettings(**settings)).result(value, TOOL)  # type: ignore[arg-type]


@pytest.mark.parametrize("nothing", [None, ""])
def test_nothing_becomes_a_word(nothing: object):
    assert guarded(nothing).text == "[No result returned]"


def test_a_value_becomes_json():
    assert json.loads(guarded({"close": [1, 2.5]}).text) == {"close": [1, 2.5]}


def test_stacks_and_details_are_dropped():
    value = {"content": "ok", "details": {"x": 1}, "stack": "at a.py", "traceback": "…"}
    assert json.loads(guarded(value).text) == {"content": "ok"}


def test_details_that_are_the_result_stay():
    assert json.loads(guarded({"details": {"x": 1}}).text) == {"details": {"x": 1}}


def test_an_error_loses_its_traceback_and_keeps_its_message():
    message = (
        'Tool execution error: x\nTraceback (most recent call last):\n  File "a.py", line 1\n    f()\nValueError: x\n'
    )
    assert Guard(GuardSettings()).error(message, TOOL).text == "Tool execution error: x\nValueError: x\n"


@pytest.mark.parametrize(
    ("evil", "left"),
    [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x9b2Jb", "ab"),
        ("a\u202eb\u2066c", "abc"),
        ("pay\u200b\u2060load", "payload"),
        ("tag\U000e0041\U000e0042s", "tags"),
        ("a\x00\x08b", "ab"),
        ("tab\tline\nreturn\r\n", "tab\tline\nreturn\r\n"),
        ("👨‍👩‍👧 한국어", "👨‍👩‍👧 한국어"),
    ],
)
def test_what_hides_or_controls_is_removed(evil: str, left: str):
    assert guarded(evil).text == left


def test_a_page_becomes_its_text():
    page = "<html><head><title>x</title><script>evil()</script></head><body><p>5 &lt; 6</p><p>Two</p></body></html>"
    assert guarded(page).text.split() == ["x", "5", "<", "6", "Two"]


@pytest.mark.parametrize(
    "text", ["a < b and c > d", "List<int> x", "<name> is required", "x <- 5 & 7", '{"a": "<b>x</b>"}']
)
def test_text_with_angle_brackets_is_no_page(text: str):
    assert guarded(text).text == text


def test_the_source_of_a_page_survives_where_the_tool_says_so():
    page = "<html><body><p>x</p></body></html>"
    assert guarded(PlainText(page)).text == page


def test_private_data_is_masked_and_counted():
    result = guarded(f"The card {CARD} was charged.")
    assert (result.text, dict(result.masked)) == ("The card [REDACTED:card] was charged.", {"card": 1})


PAGE = "<html><body><p>One</p></body></html>"


@pytest.mark.parametrize(("allow_html", "text"), [(False, "One"), (True, PAGE)])
def test_a_page_is_reduced_to_its_text_where_the_user_does_not_allow_html(*, allow_html: bool, text: str):
    assert guarded(PAGE, tools={"t": ToolGuard(allow_html=allow_html)}).text == text


def test_what_is_set_for_one_tool_does_not_hold_for_others():
    other = {"other": ToolGuard(allow_html=True, mask_private=False)}
    assert guarded(PAGE, tools=other).text == "One"
    assert CARD not in guarded(f"The card {CARD}", tools=other).text


def test_a_tool_can_be_left_unmasked():
    assert guarded(f"The card {CARD}", tools={"t": ToolGuard(mask_private=False)}).text == f"The card {CARD}"


def test_what_is_long_is_cut_and_marked():
    result = guarded("x" * 200_000)
    assert (len(result.text), result.truncated, result.original_chars) == (
        100_000 + len("\n... [truncated]"),
        True,
        200_000,
    )


def test_a_card_cannot_hide_behind_the_cut():
    result = guarded("x" * 95 + f" {CARD}", max_chars=105)
    assert "[REDACTED" in result.text
    assert "4111" not in result.text


def test_what_is_thrown_away_is_not_looked_at():
    """The beginning of a card at the edge of what was looked at is not shown."""
    result = guarded(f"card {CARD};" * 50_000)
    assert "4111" not in result.text
    assert (result.truncated, result.text.endswith("[truncated]")) == (True, True)


@dataclass
class Quote:
    symbol: str
    price: Decimal


LARGE: dict[str, Callable[[], object]] = {
    "text": lambda: "x" * 200_000_000,
    "a page": lambda: "<p>" + "x" * 200_000_000,
    "a list": lambda: [1] * 20_000_000,
    "text in a list": lambda: {"rows": ["x" * 200_000_000]},
    "rows": lambda: {"rows": [{"symbol": "ACME", "price": Decimal("1.5")}] * 20_000_000},
    "a range": lambda: range(10**12),
    "objects": lambda: [Quote("ACME", Decimal(1))] * 20_000_000,
}


@pytest.mark.parametrize("kind", LARGE)
def test_a_large_result_takes_no_memory_of_its_size(kind: str):
    value = LARGE[kind]()
    guarded("x")  # what is imported for the first one
    tracemalloc.start()
    try:
        result = guarded(value)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (result.truncated, len(result.text) < 110_000) == (True, True)
    assert peak < 60_000_000


FLOATS, DECIMALS = st.floats(allow_nan=False, allow_infinity=False), st.decimals(allow_nan=False, allow_infinity=False)
LEAVES = st.none() | st.booleans() | st.integers() | FLOATS | st.text() | DECIMALS | st.datetimes() | st.dates()
VALUES = st.recursive(
    LEAVES | st.builds(Quote, st.text(), DECIMALS),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.text() | st.integers(), inner)
        | st.builds(deque, st.lists(st.text() | st.integers()))
    ),
)


@given(VALUES.filter(lambda value: not isinstance(value, str) and value is not None))
def test_a_value_becomes_the_same_json_in_pieces(value: object):
    assert json.loads(render(value)) == json.loads(json.dumps(jsonable(value)))
    assert render(value, 7) == render(value)[:7]
