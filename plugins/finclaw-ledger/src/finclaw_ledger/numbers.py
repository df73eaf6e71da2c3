"""Amounts as banks and brokers write them, read exactly; the decimal mark is never guessed."""

from __future__ import annotations

import re
from decimal import Context, Decimal, Inexact, InvalidOperation
from typing import Literal, cast

from finclaw_ledger.problems import BadCell, FileProblem
from finclaw_ledger.wording import echoed

Mark = Literal[".", ","]

EXACT = Context(prec=200, traps=[InvalidOperation, Inexact])
_SIGNS = str.maketrans({"−": "-", "–": "-", "\u00a0": " ", "\u202f": " ", "’": "'"})
_DRESS = re.compile(r"(?:[$€£¥₩원]|\b(?:EUR|USD|GBP|CHF|KRW|JPY)\b)")
_BODY = re.compile(r"[0-9][0-9.,' ]*|[.,][0-9]+")
_MAX_WHOLE = 15
_MAX_DECIMALS = 12
_MAX_LENGTH = 60
_GROUP = 3


def plus(left: Decimal, right: Decimal) -> Decimal:
    """The exact sum."""
    return EXACT.add(left, right)


def total(numbers: list[Decimal]) -> Decimal:
    """The exact sum of all."""
    result = Decimal(0)
    for number in numbers:
        result = plus(result, number)
    return result


def plain(number: Decimal) -> str:
    """The number as text, with its own decimals and no exponent; zero has no sign."""
    return format(number or abs(number), "f")


class MarkVotes:
    """Collects, cell by cell, what a file shows about its decimal mark."""

    def __init__(self) -> None:
        self._certain: dict[Mark, tuple[int, str]] = {}
        self._open: tuple[int, str] | None = None

    def look(self, cell: str, line: int) -> None:
        """Take note of one cell with an amount."""
        body = _undressed(cell)[1]
        if "." not in body and "," not in body:
            return
        last = cast("Mark", max(".", ",", key=body.rfind))
        other: Mark = "," if last == "." else "."
        before, _, after = body.partition(last)
        if other in body:
            self._certain.setdefault(last, (line, cell))
        elif last in after:
            self._certain.setdefault(other, (line, cell))
        elif len(after) == _GROUP and 1 <= len(before) <= _GROUP and not before.startswith("0"):
            self._open = self._open or (line, cell)
        else:
            self._certain.setdefault(last, (line, cell))

    def decide(self) -> tuple[Mark, str]:
        """The decimal mark and the evidence for it.

        Raises:
            FileProblem: amounts contradict each other, or none decides.
        """
        if len(self._certain) > 1:
            (line, cell), (other_line, other) = self._certain["."], self._certain[","]
            raise FileProblem(
                f"amounts contradict each other: line {line} has {echoed(cell)}, line {other_line} has "
                f"{echoed(other)}; say --decimal . or --decimal ,"
            )
        for mark, (line, cell) in self._certain.items():
            return mark, f"{echoed(cell)} in line {line}"
        if self._open:
            line, cell = self._open
            raise FileProblem(
                f"cannot tell whether {echoed(cell)} (line {line}) has decimals or thousands; "
                "say --decimal . or --decimal ,"
            )
        return ".", "whole numbers only"


def _undressed(cell: str) -> tuple[bool, str]:
    """Whether a minus stands somewhere, and the digits with their marks; "" where it is no number."""
    text = _DRESS.sub("", cell[: _MAX_LENGTH + 1].translate(_SIGNS)).strip()
    negative = False
    if text.startswith("(") and text.endswith(")"):
        negative, text = True, text[1:-1].strip()
    elif text[:1] in {"-", "+"}:
        negative, text = text[0] == "-", text[1:].strip()
    elif text[-1:] in {"-", "+"}:
        negative, text = text[-1] == "-", text[:-1].strip()
    return negative, text if _BODY.fullmatch(text) else ""


def parse_amount(cell: str, mark: Mark) -> Decimal | None:
    """Read one cell exactly; None where it is empty.

    Raises:
        BadCell: not a number, or not one of money.
    """
    if cell.strip() in {"", "-", "--"}:
        return None
    negative, body = _undressed(cell)
    if not body or len(cell) > _MAX_LENGTH:
        raise BadCell(f"{echoed(cell)} is not an amount")
    whole, _, fraction = body.partition(mark)
    digits = _ungrouped(whole.strip(), mark)
    if digits is None or (fraction and not fraction.isdigit()):
        raise BadCell(f"{echoed(cell)} is not an amount with decimal mark {mark!r}")
    if len(digits.lstrip("0")) > _MAX_WHOLE or len(fraction) > _MAX_DECIMALS:
        raise BadCell(f"{echoed(cell)} is out of range")
    number = Decimal(f"{digits or '0'}.{fraction}" if fraction else digits or "0")
    return number.copy_negate() if negative and number else number


def _ungrouped(whole: str, mark: Mark) -> str | None:
    if whole.isdigit() or not whole:
        return whole
    separators = {sign for sign in whole if not sign.isdigit()}
    groups = re.split(r"[^0-9]", whole)
    # India groups by two above the thousands, hence 2 or 3 digits in the middle.
    regular = len(groups[0]) in {1, 2, 3} and len(groups[-1]) == _GROUP and all(len(g) in {2, 3} for g in groups[1:])
    return "".join(groups) if len(separators) == 1 and mark not in separators and regular else None
