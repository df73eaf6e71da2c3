"""The values at a path of a tool's result, as the result has them and in base units."""

from __future__ import annotations

import csv
import json
import operator
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Any, assert_never, cast

from finclaw_cli.core.record import record
from finclaw_cli.numbers.expression import Comparison, Name, NoDerivation, Part, Step, Where
from finclaw_cli.numbers.leaves import Leaf, leaves

MOST_VALUES = 5_000
_LONGEST = 40
_COMPARED: dict[Comparison, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip


@record
class Found:
    """One value of a result: a number, or the text of another value."""

    path: str
    raw: Decimal | str
    leaf: Leaf | None = None
    """The same number in base units, with its unit."""


@record
class _Node:
    path: tuple[str, ...]
    value: object
    columns: tuple[str, ...] = ()
    """The names of the cells of a row, or of each row of a list of rows."""


class Lookup:
    """The values of one result by their paths."""

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            self._content = json.loads(text, parse_float=Decimal, parse_int=_whole, parse_constant=str)
        except (ValueError, RecursionError, InvalidOperation):
            self._content = _table(text)

    def at(self, steps: Sequence[Step]) -> list[Found]:
        """The values at a path, in order.

        Raises:
            NoDerivation: there is none, or there are too many.
        """
        nodes, chosen = [_Node((), self._content)], False
        for step in steps:
            # What follows a choice of items chooses among these: `[category="Food"][-1]`.
            lists = [nodes] if chosen else [[node] if isinstance(step, Name) else _items(node) for node in nodes]
            named = nodes if isinstance(step, Part) and step.single else []
            nodes = [node for items in lists for node in _taken(items, step)]
            # A year may be the name of a member: `r1.data.years.2025`.
            nodes = nodes or [member for node in named for member in _member(node, str(cast("Part", step).start))]
            chosen = not isinstance(step, Name) and not (isinstance(step, Part) and step.single)
            if not nodes or len(nodes) > MOST_VALUES:
                raise NoDerivation(f"{len(nodes)} values at a path")
        if len(nodes) == 1 and isinstance(nodes[0].value, list):
            nodes = _items(nodes[0])[:MOST_VALUES]
        return [self._found(node) for node in nodes]

    @cached_property
    def _leaves(self) -> dict[str, Leaf]:
        found: dict[str, Leaf] = {}
        for leaf in leaves(self.text):
            found.setdefault(leaf.path, leaf)
        return found

    def _found(self, node: _Node) -> Found:
        path = ".".join(node.path)
        if isinstance(node.value, list | dict):
            return Found(path, "…")
        leaf, raw = self._leaves.get(path), _number(node.value)
        if raw is None and leaf is not None and leaf.figure is not None and str(node.value).strip() == leaf.figure.text:
            raw = leaf.value
        return Found(path, str(node.value) if raw is None else raw, None if raw is None else leaf)


def _table(text: str) -> object:
    """The columns and rows of CSV with a line of names; nothing where it is none."""
    try:
        columns, *rows = csv.reader(text.strip().splitlines(), strict=True)
    except (csv.Error, ValueError):
        return None
    whole = len(columns) > 1 and all(len(row) == len(columns) for row in rows)
    return {"columns": columns, "rows": rows} if whole else None


def _taken(nodes: Sequence[_Node], step: Step) -> list[_Node]:
    match step:
        case Name(name):
            return [member for node in nodes for member in _member(node, name)]
        case Part(start, end, single):
            return _part(nodes, start, end, single=single)
        case Where(names, comparison, value):
            compare = _COMPARED[comparison]
            return [node for node in nodes if any(compare(*_alike(one, value)) for one in _members(node, names))]
        case _:
            assert_never(step)


def _members(node: _Node, names: Sequence[str]) -> list[_Node]:
    """The member of a member, and so on."""
    found = [node]
    for name in names:
        found = [member for one in found for member in _member(one, name)]
    return found


def _member(node: _Node, name: str) -> Iterator[_Node]:
    value = node.value
    if isinstance(value, dict):
        if name in value:
            columns = value.get("columns") if name == "rows" else None
            of_rows = tuple(map(str, columns)) if isinstance(columns, list) else ()
            yield _Node((*node.path, name), value[name], of_rows)
        elif not node.path and isinstance(value.get("data"), dict):
            yield from _member(_Node(("data",), value["data"]), name)
    elif isinstance(value, list) and value and isinstance(value[0], list | dict):
        for item in _items(node):
            yield from _member(item, name)
    elif isinstance(value, list) and name in node.columns[: len(value)]:
        yield _Node((*node.path, name), value[node.columns.index(name)])


def _items(node: _Node) -> list[_Node]:
    if not isinstance(node.value, list):
        return []
    return [
        _Node((*node.path, str(place)), item, node.columns if isinstance(item, list) else ())
        for place, item in enumerate(node.value)
    ]


def _part(items: Sequence[_Node], start: int | None, end: int | None, *, single: bool) -> list[_Node]:
    if not single or start is None:
        return list(items[start:end])
    return [items[start]] if -len(items) <= start < len(items) else []


def _alike(node: _Node, value: str | Decimal) -> tuple[object, object]:
    """Both sides of a comparison as numbers, or as texts."""
    number = _number(node.value)
    wanted = value if isinstance(value, Decimal) else _number(value)
    return (str(node.value), str(value)) if number is None or wanted is None else (number, wanted)


def _number(value: object) -> Decimal | None:
    if isinstance(value, str) and len(value) < _LONGEST:
        try:
            value = Decimal(value)
        except InvalidOperation:
            return None
    return value if isinstance(value, Decimal) and value.is_finite() else None


def _whole(digits: str) -> Decimal | str:
    return Decimal(digits) if len(digits) < _LONGEST else digits
