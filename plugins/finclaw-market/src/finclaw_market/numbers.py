"""Numbers as people and feeds write them, read exactly and never guessed.

`1,234` is one thousand and something in one country and one and a quarter in another. A file is looked through once
for cells that can only be read in one way; where there are none, the owner is asked.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Literal, cast

from finclaw_market.problems import BadCell, FileProblem

Mark = Literal[".", ","]

_PLAIN = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,40})?")
_NUMBER = re.compile(r"(?P<sign>[+-]?)[$€£¥₩]?(?P<body>[0-9.,'’ \u00a0\u202f]+)(?P<exponent>[eE][+-]?[0-9]{1,3})?")
_GROUPERS = "'’ \u00a0\u202f"
_MISSING = frozenset({"", "-", "--", "n/a", "na", "null", "none", "#n/a"})
_UNBOUNDED = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_SUFFIXES = {"K": 1_000, "M": 1_000_000, "B": 1_000_000_000, "T": 1_000_000_000_000}
_MAX_LENGTH = 60
_MAX_MAGNITUDE = 18
_GROUP = 3


class MarkVotes:
    """Collects, cell by cell, what a file shows about its decimal mark."""

    def __init__(self) -> None:
        self._certain: dict[Mark, tuple[int, str]] = {}
        self._open: dict[Mark, tuple[int, str]] = {}

    def look(self, cell: str, line: int) -> None:
        """Take note of one numeric cell."""
        # Once the point is known to be the decimal mark, cells with points only have nothing to add.
        if "," not in cell and ("." not in cell or "." in self._certain):
            return
        found = _NUMBER.fullmatch(cell.strip().rstrip("KMBTkmbt"))
        if found is None:
            return
        mark, certain = _evidence(found["body"], has_exponent=found["exponent"] is not None)
        (self._certain if certain else self._open).setdefault(mark, (line, cell.strip()))

    def decide(self, delimiter: str) -> Mark:
        """The file's decimal mark.

        Raises:
            FileProblem: cells contradict each other, or nothing in the file decides.
        """
        if len(self._certain) > 1:
            (line, cell), (other_line, other) = self._certain["."], self._certain[","]
            raise FileProblem(
                f"numbers contradict each other: line {line} has {cell!r}, line {other_line} has {other!r}; "
                "say --decimal . or --decimal ,"
            )
        if self._certain:
            return next(iter(self._certain))
        if not self._open or (delimiter == "," and "," not in self._open):
            # Files with plain commas between columns have no decimal commas.
            return "."
        line, cell = next(iter(self._open.values()))
        raise FileProblem(f"cannot tell whether {cell!r} (line {line}) has decimals or thousands; say --decimal . or ,")


def _evidence(body: str, *, has_exponent: bool) -> tuple[Mark, bool]:
    """The decimal mark a number speaks for, and whether it could be read in no other way."""
    last = cast("Mark", max(".", ",", key=body.rfind))
    other: Mark = "," if last == "." else "."
    if other in body:
        return last, True
    before, _, after = body.partition(last)
    if last in after:
        return other, True
    whole = before.strip(_GROUPERS)
    looks_grouped = len(after) == _GROUP and 1 <= len(whole) <= _GROUP and not whole.startswith("0")
    return last, has_exponent or not looks_grouped


def parse_number(text: str, mark: Mark = ".") -> Decimal | None:
    """Parse one cell exactly; None where it marks a missing value.

    Raises:
        BadCell: not a number, not finite, or outside what a price or a volume can be.
    """
    if mark == "." and _PLAIN.fullmatch(text):
        return Decimal(text)
    stripped = text.strip()
    if stripped.casefold() in _MISSING:
        return None
    if _UNBOUNDED.fullmatch(stripped):
        raise BadCell(f"{stripped!r} is not a finite number")
    found = _NUMBER.fullmatch(stripped) if len(stripped) <= _MAX_LENGTH else None
    if found is None:
        raise BadCell(f"{stripped[:_MAX_LENGTH]!r} is not a number")
    whole, _, fraction = found["body"].strip().partition(mark)
    digits = f"{found['sign']}{_ungrouped(whole, mark, stripped)}.{fraction}{found['exponent'] or ''}"
    return _bounded(digits, stripped)


def parse_volume(text: str, mark: Mark = ".") -> Decimal | None:
    """Read a volume, which some sites abbreviate: `1.5M`.

    Raises:
        BadCell: see `parse_number`.
    """
    factor = _SUFFIXES.get(text.strip()[-1:].upper())
    if factor is None:
        return parse_number(text, mark)
    number = parse_number(text.strip()[:-1], mark)
    return None if number is None else number * factor


def _ungrouped(whole: str, mark: Mark, shown: str) -> str:
    if whole.isdecimal() or not whole:
        return whole or "0"
    separators = {character for character in whole if not character.isdecimal()}
    allowed = _GROUPERS + ("," if mark == "." else ".")
    groups = re.split(r"[^0-9]", whole)
    # India groups by two above the thousands, hence 2 or 3 digits in the middle.
    regular = 1 <= len(groups[0]) <= _GROUP and len(groups[-1]) == _GROUP and all(len(g) in {2, 3} for g in groups[1:])
    if len(separators) > 1 or not separators <= set(allowed) or not regular:
        raise BadCell(f"{shown!r} is not a number with decimal mark {mark!r}")
    return "".join(groups)


def _bounded(digits: str, shown: str) -> Decimal:
    try:
        number = Decimal(digits)
    except InvalidOperation:
        raise BadCell(f"{shown!r} is not a number") from None
    if number and abs(number.adjusted()) > _MAX_MAGNITUDE:
        raise BadCell(f"{shown!r} is out of range")
    return number
