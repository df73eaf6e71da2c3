"""The value of a derivation, computed in decimal with 60 digits; whatever is doubtful has none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import (
    ROUND_CEILING,
    ROUND_FLOOR,
    Context,
    Decimal,
    DecimalException,
    DivisionByZero,
    InvalidOperation,
    Overflow,
    Subnormal,
    localcontext,
)
from typing import assert_never

from finclaw_cli.core.record import record
from finclaw_cli.numbers.expression import Call, Constant, Expression, NoDerivation, Operation, Operator, Path, Words

_EXPONENT, _MOST_POWER = 60, 400
_CONTEXT = Context(
    prec=60, Emin=-_EXPONENT, Emax=_EXPONENT, traps=[InvalidOperation, DivisionByZero, Overflow, Subnormal]
)
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)(?:$|[T ])")
Value = Decimal | str | list[Decimal | str]
"""A number, a text, or the values of a path that leads to several."""
Read = Callable[[Path], list[Decimal | str]]
Written = Callable[[Path, str], Decimal]


@record
class Operands:
    """Where the operands come from: the values of a path, and a number that is written in the text of a result."""

    read: Read
    written: Written
    quoted: Callable[[str], bool]
    """Whether a quoted date is in a result or in a message of the user."""


def evaluate(expression: Expression, operands: Operands) -> Decimal:
    """Evaluate a derivation to one number.

    Raises:
        NoDerivation: it has no value, or a part of it exceeds a limit of size.
    """
    try:
        with localcontext(_CONTEXT):
            return _scalar(_Evaluation(operands).of(expression))
    except DecimalException as error:
        raise NoDerivation(f"no value: {type(error).__name__}") from error


class _Evaluation:
    def __init__(self, operands: Operands) -> None:
        self._operands = operands

    def of(self, expression: Expression) -> Value:
        match expression:
            case Constant(value):
                return value
            case Words(text):
                return text
            case Path():
                values = self._operands.read(expression)
                return values[0] if len(values) == 1 else list(values)
            case Operation(operator, left, right):
                return _combined(operator, self.of(left), self.of(right))
            case Call("text", arguments):
                return self._written(arguments)
            case Call("days", arguments):
                return self._days(arguments)
            case Call(name, arguments):
                return _applied(name, [self.of(argument) for argument in arguments])
            case _:
                assert_never(expression)

    def _written(self, arguments: Sequence[Expression]) -> Decimal:
        match tuple(arguments):
            case (Path("r", _, ()) as path, Words(quote)):
                return self._operands.written(path, quote)
            case _:
                raise NoDerivation("text takes a result and a quoted number")

    def _days(self, arguments: Sequence[Expression]) -> Decimal:
        dates = [self._date(argument) for argument in arguments]
        if len(dates) != 2:  # noqa: PLR2004 - the first day and the last one
            raise NoDerivation("days takes two dates")
        return Decimal(abs((dates[1] - dates[0]).days))

    def _date(self, argument: Expression) -> date:
        value = self.of(argument)
        if isinstance(argument, Words) and not self._operands.quoted(argument.text):
            raise NoDerivation("a date that no result has")
        found = _DATE.match(value) if isinstance(value, str) else None
        try:
            return date.fromisoformat(found[1] if found else "")
        except ValueError as error:
            raise NoDerivation("no date") from error


def _applied(name: str, values: Sequence[Value]) -> Value:
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    if name == "count":
        return Decimal(len(flat))
    numbers = [_scalar(one) for one in flat]
    match name, len(values), len(numbers):
        case "sum", _, _:
            return _total(numbers)
        case "mean", _, count:
            return _total(numbers) / count
        case "min" | "max", _, _:
            return min(numbers) if name == "min" else max(numbers)
        case "abs" | "negative" | "sqrt" | "ceil" | "floor", 1, count:
            made: list[Decimal | str] = [_of_one(name, number) for number in numbers]
            return made[0] if count == 1 else made
        case _:
            raise NoDerivation(f"{name} takes one argument")


def _of_one(name: str, number: Decimal) -> Decimal:
    match name:
        case "abs":
            return abs(number)
        case "sqrt":
            return number.sqrt()
        case "ceil" | "floor":
            return number.to_integral_value(ROUND_CEILING if name == "ceil" else ROUND_FLOOR)
        case _:
            return -number


def _total(numbers: Sequence[Decimal]) -> Decimal:
    total = Decimal(0)
    for number in numbers:
        total += number
    return total


def _combined(operator: Operator, left: Value, right: Value) -> Value:
    """The result of an operator; of two lists of one length, that of each pair."""
    if not isinstance(left, list) and not isinstance(right, list):
        return _computed(operator, _scalar(left), _scalar(right))
    length = max(len(value) for value in (left, right) if isinstance(value, list))
    lefts, rights = (value if isinstance(value, list) else [value] * length for value in (left, right))
    if len(lefts) != len(rights):
        raise NoDerivation("lists of different lengths")
    return [_computed(operator, _scalar(one), _scalar(two)) for one, two in zip(lefts, rights, strict=True)]


def _computed(operator: Operator, left: Decimal, right: Decimal) -> Decimal:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case "**":
            if abs(right) > _MOST_POWER:
                raise NoDerivation(f"a power greater than {_MOST_POWER}")
            return left**right
        case _:
            assert_never(operator)


def _scalar(value: Value) -> Decimal:
    if not isinstance(value, Decimal):
        raise NoDerivation("several values" if isinstance(value, list) else "no number")
    return +value
