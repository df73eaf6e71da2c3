"""The grammar of derivations: `r2.data.revenue.value / r1.data.revenue.value - 1`.

A derivation is arithmetic on numbers of results (`r1`, `r2`, …), on figures of the user (`q1`, …) and on few constants.
Nothing of it is run as code: it is parsed here, within limits of length, depth and number of operations.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal, cast

from finclaw_cli.core.record import record

LONGEST = 400
MOST_OPERATIONS, _DEEPEST, _MOST_STEPS = 12, 20, 16
# Counts of periods up to the months of a year; hours, weeks, minutes, days, trading days; months of 30, years of 360.
CONSTANTS = frozenset(map(Decimal, (*range(1, 13), 24, 30, 52, 60, 252, 360, 365)))
_GREATEST_POWER_OF_TEN = 12
FUNCTIONS = ("abs", "sqrt", "ceil", "floor", "min", "max", "sum", "mean", "count", "days", "text")
_OTHER_NAMES = {"avg": "mean", "average": "mean", "len": "count"}
_OTHER_SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-", "“": '"', "”": '"'})

Operator = Literal["+", "-", "*", "/", "**"]
Comparison = Literal["=", "!=", "<", ">", "<=", ">="]


class NoDerivation(ValueError):
    """The text is no derivation, or its value cannot be computed."""


@record
class Constant:
    """One of the constants."""

    value: Decimal


@record
class Words:
    """A quoted date, or a quoted number of a text."""

    text: str


@record
class Name:
    """The member of an object, or the column of a row."""

    name: str


@record
class Part:
    """The items of a list from `start` up to `end`; a single one where `single`."""

    start: int | None = None
    end: int | None = None
    single: bool = False


@record
class Where:
    """The items of a list whose member satisfies a comparison."""

    names: tuple[str, ...]
    """The member, and those of it in turn."""
    comparison: Comparison
    value: str | Decimal


Step = Name | Part | Where


@record
class Path:
    """A place of a result, or a figure of the user, which has no steps."""

    source: Literal["r", "q"]
    number: int
    steps: tuple[Step, ...]
    text: str
    """The steps as they were written."""


@record
class Operation:
    """Two operands of one operator."""

    operator: Operator
    left: Expression
    right: Expression


@record
class Call:
    """A function of its arguments; the sign of a number is `negative`."""

    name: str
    arguments: tuple[Expression, ...]


Expression = Constant | Words | Path | Operation | Call

_SPACE = re.compile(r"\s*")
_CONSTANT = re.compile(r"(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})(?:e\d{1,2})?")
_QUOTED = r"""(?:"([^"\n]{0,80})"|'([^'\n]{0,80})')"""
_WORDS = re.compile(_QUOTED)
_WORD = re.compile(r"[^\W\d]\w{0,80}")
_SOURCE = re.compile(r"([rq])(\d{1,3})(?!\w)")
_MEMBER = re.compile(r"\.\s?([^\W\d]\w{0,80}|\d{1,6})")
_ITEM = re.compile(r"\[\s?(-?\d{1,6})\s?\]")
_ITEMS = re.compile(r"\[\s?(?:\*|(-?\d{1,6})?\s?:\s?(-?\d{1,6})?)\s?\]")
_KEY = re.compile(rf"\[\s?{_QUOTED}\s?\]")
_WHERE = re.compile(
    rf"\[\s?(?:{_QUOTED}|([^\W\d][\w.]{{0,80}}))\s?(==?|!=|<=|>=|<|>)\s?(?:{_QUOTED}|(-?\d{{1,15}}(?:\.\d{{1,9}})?))\s?\]"
)


def parse(text: str) -> Expression:
    """Parse a derivation.

    Raises:
        NoDerivation: it is none, or exceeds a limit.
    """
    if len(text) > LONGEST:
        raise NoDerivation(f"longer than {LONGEST} characters")
    return _Parser(text.translate(_OTHER_SIGNS)).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = self._operations = 0

    def whole(self) -> Expression:
        found = self._sum()
        self._skip()
        if self._at < len(self._text):
            raise self._unexpected()
        return found

    def _sum(self) -> Expression:
        left = self._product()
        while operator := self._operator("+", "-"):
            left = Operation(operator, left, self._product())
        return left

    def _product(self) -> Expression:
        left = self._signed()
        while operator := self._operator("*", "/"):
            left = Operation(operator, left, self._signed())
        return left

    def _signed(self) -> Expression:
        if not self._taken("-"):
            return self._power()
        self._deeper()
        negative = Call("negative", (self._signed(),))
        self._depth -= 1
        return negative

    def _power(self) -> Expression:
        base = self._operand()
        if not self._operator("**"):
            return base
        self._deeper()
        power = Operation("**", base, self._signed())
        self._depth -= 1
        return power

    def _operand(self) -> Expression:
        if self._taken("("):
            self._deeper()
            inner = self._sum()
            self._expect(")")
            self._depth -= 1
            return inner
        if constant := self._match(_CONSTANT):
            return _constant(constant[0])
        if words := self._match(_WORDS):
            return Words(words[1] or words[2] or "")
        if source := self._match(_SOURCE):
            return self._path(cast("Literal['r', 'q']", source[1]), int(source[2]))
        return self._call()

    def _call(self) -> Expression:
        word = self._match(_WORD)
        name = _OTHER_NAMES.get(word[0], word[0]) if word else ""
        if name not in FUNCTIONS:
            raise self._unexpected()
        self._expect("(")
        self._deeper()
        self._count()
        arguments = [self._sum()]
        while self._taken(","):
            arguments.append(self._sum())
        self._expect(")")
        self._depth -= 1
        return Call(name, tuple(arguments))

    def _path(self, source: Literal["r", "q"], number: int) -> Path:
        start, steps = self._at, list[Step]()
        while source == "r" and (step := self._step()) is not None:
            steps.append(step)
        if len(steps) > _MOST_STEPS:
            raise NoDerivation(f"a path of more than {_MOST_STEPS} steps")
        return Path(source, number, tuple(steps), self._text[start : self._at].strip())

    def _step(self) -> Step | None:
        if found := self._here(_MEMBER):
            return Part(int(found[1]), single=True) if found[1].isdigit() else Name(found[1])
        if found := self._here(_KEY):
            return Name(found[1] or found[2] or "")
        if found := self._here(_ITEM):
            return Part(int(found[1]), single=True)
        if found := self._here(_ITEMS):
            start, end = found.groups()
            return Part(int(start) if start else None, int(end) if end else None)
        if found := self._here(_WHERE):
            quoted, single, plain, comparison, text, other, number = found.groups()
            names = tuple(plain.split(".")) if plain else (quoted or single or "",)
            value = Decimal(number) if number else text or other or ""
            return Where(names, cast("Comparison", comparison.replace("==", "=")), value)
        return None

    def _operator(self, *operators: Operator) -> Operator | None:
        self._skip()
        for operator in operators:
            if self._text.startswith(operator, self._at) and not (
                operator == "*" and self._text.startswith("**", self._at)
            ):
                self._at += len(operator)
                self._count()
                return operator
        return None

    def _count(self) -> None:
        self._operations += 1
        if self._operations > MOST_OPERATIONS:
            raise NoDerivation(f"more than {MOST_OPERATIONS} operations")

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise NoDerivation(f"deeper than {_DEEPEST} levels")

    def _taken(self, sign: str) -> bool:
        self._skip()
        found = self._text.startswith(sign, self._at)
        self._at += len(sign) if found else 0
        return found

    def _expect(self, sign: str) -> None:
        if not self._taken(sign):
            raise self._unexpected()

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._skip()
        return self._here(pattern)

    def _here(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return found

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _unexpected(self) -> NoDerivation:
        return NoDerivation(f"unexpected at {self._at}: {self._text[self._at : self._at + 10]!r}")


def _constant(digits: str) -> Constant:
    value = Decimal(digits)
    is_power = value.normalize().as_tuple().digits == (1,) and abs(value.adjusted()) <= _GREATEST_POWER_OF_TEN
    if value not in CONSTANTS and not is_power:
        raise NoDerivation(f"{digits} is none of the constants")
    return Constant(value)
