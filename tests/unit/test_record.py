"""Records are frozen dataclasses to whoever uses them, however late their methods are made."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from finclaw_cli.core.record import record

T = TypeVar("T")


@record(kw_only=True)
class Facts:
    """Something by name."""

    name: str
    count: int = 1
    notes: list[str] = field(default_factory=list)
    secret: str = field(default="", repr=False, compare=False)


@record
class Point:
    """Something by place."""

    x: int
    y: int = 0

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("left of everything")


@record(kw_only=True)
class Named(Point):
    """A point with a name."""

    name: str


@record
class Own:
    """A class that says for itself how it is shown and compared."""

    x: int

    def __repr__(self) -> str:
        return "mine"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __hash__(self) -> int:
        return 7


@record
class Box(Generic[T]):
    """Something that holds anything."""

    content: T
    size: int = field(init=False, default=1)
    label: str = field(kw_only=True, default="")


def test_a_generic_one_has_fields_too() -> None:
    assert [item.name for item in fields(Box)] == ["content", "size", "label"]
    assert Box[int](3) == replace(Box(4), content=3)


def test_a_field_says_for_itself_how_it_is_given() -> None:
    assert (Box("x").size, Box("x", label="y").label) == (1, "y")
    with pytest.raises(TypeError, match="positional"):
        Box("x", "y")  # type: ignore[misc]
    with pytest.raises(TypeError, match="size"):
        Box("x", size=2)  # type: ignore[call-arg]
    match Box("x", label="y"):
        case Box(content):
            assert content == "x"


def test_the_same_is_known_of_it_as_of_a_dataclass() -> None:
    @dataclass(kw_only=True)
    class Plain:
        """As `Facts`."""

        name: str
        count: int = 1
        notes: list[str] = field(default_factory=list)
        secret: str = field(default="", repr=False, compare=False)

    told = ("name", "type", "default", "init", "repr", "compare", "kw_only")
    assert [[getattr(item, name) for name in told] for item in fields(Facts)] == [
        [getattr(item, name) for name in told] for item in fields(Plain)
    ]
    assert Facts.__match_args__ == Plain.__match_args__ == ()
    assert Point.__match_args__ == ("x", "y")


def test_arguments_are_those_of_the_fields() -> None:
    assert (Point(1).y, Point(1, 2).y, Point(y=3, x=1).y) == (0, 2, 3)
    with pytest.raises(TypeError, match="missing 1 required"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        Facts("by place")  # type: ignore[misc]


def test_a_default_that_is_made_is_made_for_each() -> None:
    one, other = Facts(name="a"), Facts(name="a")
    one.notes.append("x")
    assert other.notes == []


def test_nothing_can_be_set_or_deleted_later() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del point.x
    with pytest.raises(FrozenInstanceError):
        point.z = 2  # type: ignore[attr-defined]
    assert point.x == 1


def test_what_is_checked_after_making_is_checked() -> None:
    with pytest.raises(ValueError, match="left"):
        Point(-1)
    with pytest.raises(ValueError, match="left"):
        replace(Point(1), x=-1)


def test_a_subclass_has_the_fields_of_both() -> None:
    assert [item.name for item in fields(Named)] == ["x", "y", "name"]
    assert Named(4, name="p") == Named(4, 0, name="p")
    assert Named(4, name="p") != Point(4)


def test_what_a_class_says_for_itself_stays() -> None:
    assert repr(Own(1)) == "mine"
    assert Own(1) == Own(2)
    assert hash(Own(1)) == 7


def test_fields_that_are_left_out_are_neither_shown_nor_compared() -> None:
    assert repr(Facts(name="a", secret="s")) == "Facts(name='a', count=1, notes=[])"
    assert Facts(name="a", secret="s") == Facts(name="a", secret="t")


def test_one_inside_of_another_class_knows_where_it_is() -> None:
    @record
    class Inner:
        x: int

    assert repr(Inner(1)).endswith("knows_where_it_is.<locals>.Inner(x=1)")


def test_there_is_no_room_for_anything_else() -> None:
    assert not hasattr(Point(1), "__dict__")


@given(st.integers(0), st.integers())
def test_copies_and_hashes_go_by_the_values(x: int, y: int) -> None:
    point = Point(x, y)
    twins = (
        Point(x, y),
        copy.deepcopy(point),
        pickle.loads(pickle.dumps(point)),
        replace(point),
        Point(**asdict(point)),
    )
    assert {point, *twins} == {point}
    assert Point(x, y + 1) != point


def test_a_match_takes_it_apart() -> None:
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_it_is_a_dataclass_to_the_standard_library_and_to_pydantic() -> None:
    assert is_dataclass(Facts)
    adapter = TypeAdapter(Facts)
    assert adapter.validate_python({"name": "a", "count": "3"}) == Facts(name="a", count=3)
    assert adapter.dump_python(Facts(name="a")) == {"name": "a", "count": 1, "notes": [], "secret": ""}
