"""Conditions on the result of `finclaw tools call`: `--expect "max_drawdown.depth >= -0.2"`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.interruption import shortened
from finclaw_cli.core.record import record

_FORM = re.compile(r"([^\s<>=!]++)\s*+(<=|>=|==|!=|<|>)\s*+(\S.*+)")
_UNBOUNDED = re.compile(r"[+-]?(?:s?nan|inf|infinity)", re.IGNORECASE)
_POSITION = re.compile(r"-?[0-9]{1,9}")
_ORDERS: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_WORDS: Mapping[str, object] = {"true": True, "false": False, "null": None}
_MOST_NAMES = 12


@record
class Expectation:
    """A condition on one value of a result."""

    path: str
    """Names and positions from the result's `data`, or from its root, with dots between them."""
    relation: str
    wanted: str

    def failure(self, result: object) -> str | None:
        """What the value is where it does not meet the condition, else None.

        Raises:
            UsageError: the result has no such value, it is a list or an object, or it is not a number and cannot be
                ordered.
        """
        value = _value(result, self.path)
        if self._holds(value):
            return None
        return f"{self.path} is {_shown(value)}, expected {self.relation} {self.wanted}"

    def _holds(self, value: object) -> bool:
        if isinstance(value, dict | list) and self.wanted != "null":
            raise UsageError(f"--expect: {self.path} is {_shown(value)}, not one value", hint=_parts_of(value))
        left, right = _number(value), _number(self.wanted)
        if self.relation in _ORDERS:
            if value is None:
                return False  # a value that could not be computed is within no limit
            if left is None or right is None:
                other = f"{self.path} is {_shown(value)}" if left is None else f"{self.wanted} is given"
                raise UsageError(f"--expect: {self.relation} compares numbers, and {other}")
            return _ORDERS[self.relation](left, right)
        equal = left == right if left is not None and right is not None else value == _constant(self.wanted)
        return equal == (self.relation == "==")


def expectation(condition: str) -> Expectation:
    """Read a condition: a path, a relation, and a number, a text, true, false or null.

    Raises:
        UsageError: it has another form, or the number is not finite.
    """
    found = _FORM.fullmatch(condition.strip())
    if found is None:
        raise UsageError(
            f"--expect: {condition!r} is not a condition",
            hint="Write a path, one of < <= > >= == !=, and a value: --expect 'total_return >= 0'.",
        )
    if _UNBOUNDED.fullmatch(found[3]):
        raise UsageError(
            f"--expect: {found[3]} is no value of a result",
            hint=f"What could not be computed is null: '{found[1]} == null'; a text can have quotes: \"{found[3]}\".",
        )
    return Expectation(found[1], found[2], found[3])


def _value(result: object, path: str) -> object:
    """The value at a path; what a tool answers is in `data`, where a result has that."""
    inner = result.get("data") if isinstance(result, dict) else None
    parts, value = path.split("."), inner if inner is not None else result
    if not _has(value, parts[0]) and _has(result, parts[0]):
        value = result
    for at, part in enumerate(parts):
        if not _has(value, part):
            raise UsageError(f"--expect: the result has no {'.'.join(parts[: at + 1])}", hint=_parts_of(value))
        value = value[int(part)] if isinstance(value, list) else value[part] if isinstance(value, dict) else None
    return value


def _has(value: object, part: str) -> bool:
    if isinstance(value, dict):
        return part in value
    return isinstance(value, list) and _POSITION.fullmatch(part) is not None and -len(value) <= int(part) < len(value)


def _parts_of(value: object) -> str:
    if isinstance(value, dict):
        names = list(map(str, value))
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        return f"There are {', '.join(names[:_MOST_NAMES])}{more}."
    if isinstance(value, list):
        return f"There the result has a list of {len(value)} entries, counted from 0."
    return "There the result has a single value."


def _number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _constant(text: str) -> object:
    """A text, with or without quotes, or a constant of JSON."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return _WORDS.get(text, text)


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, list) else "an object"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return shortened(str(value))
