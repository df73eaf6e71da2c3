"""What a file says becomes the record that declares it, or one error that says where and why."""

from __future__ import annotations

from dataclasses import asdict, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.checked import AtMost, Matching, ReadBy, Within, WrongValue, checked
from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.core.numerals import number
from finclaw_cli.core.record import record


def amount(given: object) -> Decimal:
    try:
        return Decimal(given if isinstance(given, str) else "")
    except ArithmeticError:
        raise ValueError("must be an amount") from None


@record(kw_only=True)
class Inner:
    """A table in a table."""

    host: str
    share: Annotated[float, Within(0, 1)] = 0.5


@record(kw_only=True)
class Outer:
    """A table of everything."""

    name: Annotated[str, Matching(r"\A[a-z]+\Z")] = "a"
    level: Literal["low", "high"] | None = None
    count: Annotated[int, Within(0, 9, above=True)] | None = None
    flag: bool = False
    day: date | None = None
    price: Annotated[Decimal, ReadBy(amount)] = Decimal(0)
    words: Annotated[list[str], AtMost(2)] = field(default_factory=list)
    pair: tuple[int, ...] = ()
    inner: dict[str, Inner] = field(default_factory=dict)
    anything: JsonValue = None
    schema: JsonObject = field(default_factory=dict)


GOOD = {
    "name": "abc",
    "level": "high",
    "count": 9,
    "flag": True,
    "day": "2026-01-02",
    "price": "0.10",
    "words": ["a", "b"],
    "pair": [1, 2],
    "inner": {"x": {"host": "h", "share": 1}},
    "anything": [1, {"a": None}],
    "schema": {"type": "object"},
}


def test_everything_that_is_declared_can_be_said() -> None:
    assert checked(Outer, GOOD) == Outer(
        name="abc",
        level="high",
        count=9,
        flag=True,
        day=date(2026, 1, 2),
        price=Decimal("0.10"),
        words=["a", "b"],
        pair=(1, 2),
        inner={"x": Inner(host="h", share=1.0)},
        anything=[1, {"a": None}],
        schema={"type": "object"},
    )


def test_what_is_not_said_is_the_default() -> None:
    assert checked(Outer, {}) == Outer()


@pytest.mark.parametrize(
    ("said", "where", "why"),
    [
        ({"nmae": "a"}, "nmae", "no such key"),
        ({"name": 1}, "name", "a text"),
        ({"name": "A"}, "name", "must match"),
        ({"name": "a\n"}, "name", "must match"),
        ({"level": "middle"}, "level", "'low' or 'high'"),
        ({"level": []}, "level", "'low' or 'high'"),
        ({"count": 0}, "count", "greater than 0"),
        ({"count": 10}, "count", "less than or equal to 9"),
        ({"count": True}, "count", "a whole number"),
        ({"count": 1.0}, "count", "a whole number"),
        ({"flag": 1}, "flag", "true or false"),
        ({"day": "tomorrow"}, "day", "YYYY-MM-DD"),
        ({"day": "20260102"}, "day", "YYYY-MM-DD"),
        ({"day": "2026-W01-5"}, "day", "YYYY-MM-DD"),
        ({"day": datetime(2026, 1, 2, tzinfo=UTC)}, "day", "YYYY-MM-DD"),
        ({"price": 1}, "price", "an amount"),
        ({"words": "a"}, "words", "a list"),
        ({"words": ["a", "b", "c"]}, "words", "at most 2"),
        ({"words": ["a", 1]}, "words.1", "a text"),
        ({"pair": [1, "2"]}, "pair.1", "a whole number"),
        ({"inner": []}, "inner", "a table"),
        ({"inner": {"x": {}}}, "inner.x.host", "is missing"),
        ({"inner": {"x": {"host": "h", "share": float("nan")}}}, "inner.x.share", "a number"),
        ({"inner": {"x": {"host": "h", "share": 1.5}}}, "inner.x.share", "less than or equal to 1"),
        ({"anything": {"a": float("inf")}}, "anything", "a text, a number"),
        ({"anything": [date(2026, 1, 2)]}, "anything", "a text, a number"),
        ({"schema": []}, "schema", "a table"),
        ([], "", "a table"),
    ],
)
def test_the_first_mistake_is_named_with_its_place(said: object, where: str, why: str) -> None:
    with pytest.raises(WrongValue, match=why) as caught:
        checked(Outer, said)
    assert ".".join(caught.value.where) == where


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*GOOD, "other"]), ANYTHING, max_size=3))
def test_nothing_but_a_record_or_a_wrong_value_comes_of_anything(said: dict[str, object]) -> None:
    try:
        found = checked(Outer, said)
    except WrongValue:
        return
    assert checked(Outer, {**asdict(found), "price": str(found.price)}) == found


@pytest.mark.parametrize("text", ["1_0", "٥", "x", "", "1e"])
@pytest.mark.parametrize("kind", [int, float])
def test_a_number_in_a_variable_is_written_in_plain_digits(text: str, kind: type[int | float]) -> None:
    with pytest.raises(ValueError, match=r"number|literal|convert"):
        number(text, kind)


def test_plain_digits_are_a_number() -> None:
    assert (number(" 10 ", int), number("1.5", float), number("1e2", float)) == (10, 1.5, 100.0)
