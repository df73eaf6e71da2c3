"""Numbers as exports write them, read exactly; the decimal mark is never guessed.

`1,234` is more than one thousand in one country and less than two in another. `MarkVotes` takes all cells of a file and
finds those that can be read in one way only; where there are none, the user is asked.

`parse_number` reads quantities as data services write them (exponents, `N/A`), `parse_amount` money as banks write it
(currencies, a minus after the number, parentheses).
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Literal, cast

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular.problems import BadCell, BadOption, FileProblem

Mark = Literal[".", ","]

# Expressions are compiled for the first cell that needs them: most calls of a plugin that imports this read none.
_compiled = cache(re.compile)
_PLAIN = r"[0-9]{1,20}(?:\.[0-9]{1,40})?"
_NUMBER = r"(?P<sign>[+-]?)[$€£¥₩]?(?P<body>[0-9.,'’ \u00a0\u202f]+)(?P<exponent>[eE][+-]?[0-9]{1,3})?"
_GROUPERS = "'’ \u00a0\u202f"
_MISSING = frozenset({"", "-", "--", "n/a", "na", "null", "none", "#n/a"})
_UNBOUNDED = r"(?i)[+-]?(?:nan|inf|infinity)"
_SUFFIXES = {"K": 1_000, "M": 1_000_000, "B": 1_000_000_000, "T": 1_000_000_000_000}
_MAX_LENGTH = 60
_MAX_MAGNITUDE = 18
_GROUP = 3

_TYPED = str.maketrans({"−": "-", "–": "-", "\u00a0": " ", "\u202f": " ", "’": "'"})
_CURRENCY = r"(?:[$€£¥₩원]|\b(?:EUR|USD|GBP|CHF|KRW|JPY)\b)"
_PLAIN_AMOUNT = r"-?[0-9]{1,15}(?:\.[0-9]{1,12})?"
_AMOUNT = r"[0-9][0-9.,' ]*|[.,][0-9]+"
_MAX_AMOUNT_DIGITS = 15
_MAX_AMOUNT_DECIMALS = 12


def decimal_mark(given: str | None) -> Mark | None:
    """A decimal mark from an option.

    Raises:
        BadOption: it is neither a point nor a comma.
    """
    if given is None or given in {".", ","}:
        return cast("Mark | None", given)
    raise BadOption(f"--decimal is . or , and not {quoted(given)}")


class MarkVotes:
    """Collects, cell by cell, what a file shows about its decimal mark."""

    def __init__(self) -> None:
        self._certain: dict[Mark, tuple[int, str]] = {}
        self._open: dict[Mark, tuple[int, str]] = {}

    def may_add(self, cell: str) -> bool:
        """Whether a cell can show more than what is known."""
        # Once the point is known to be the decimal mark, one more point adds nothing.
        return "," in cell or ("." in cell and ("." not in self._certain or cell.count(".") > 1))

    def look(self, cell: str, line: int) -> None:
        """Take one numeric cell."""
        if not self.may_add(cell):
            return
        found = _body_of(cell)
        if found is None or not {".", ","} & set(found[0]):
            return
        mark, certain = _evidence(*found)
        (self._certain if certain else self._open).setdefault(mark, (line, cell.strip()))

    def decide(self, delimiter: str | None = None) -> tuple[Mark, str]:
        """The file's decimal mark, and the evidence for it.

        Args:
            delimiter: of the columns, if numbers with a comma are quoted where it is a comma.

        Raises:
            FileProblem: cells contradict each other, or no cell decides.
        """
        if len(self._certain) > 1:
            (line, cell), (other_line, other) = self._certain["."], self._certain[","]
            raise FileProblem(
                f"numbers contradict each other: line {line} has {quoted(cell)}, line {other_line} has "
                f"{quoted(other)}; say --decimal . or --decimal ,"
            )
        for mark, (line, cell) in self._certain.items():
            return mark, f"{quoted(cell)} in line {line}"
        if not self._open:
            return ".", "whole numbers only"
        if delimiter == "," and "," not in self._open:
            return ".", "the comma separates the columns"
        line, cell = min(self._open.values())
        raise FileProblem(
            f"cannot tell whether {quoted(cell)} (line {line}) has decimals or thousands; "
            "say --decimal . or --decimal ,"
        )


def _body_of(cell: str) -> tuple[str, bool] | None:
    """The digits and marks of a cell, and whether an exponent follows; None where it is no number."""
    found = _compiled(_NUMBER).fullmatch(cell.strip().rstrip("KMBTkmbt"))
    if found is not None:
        return found["body"].strip(), found["exponent"] is not None
    body = _amount_parts(cell)[1]
    return (body, False) if body else None


def _evidence(body: str, has_exponent: bool) -> tuple[Mark, bool]:  # noqa: FBT001 - a pair of `_body_of`
    """The decimal mark that a number shows, and whether it can be read in no other way."""
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
    """Parse one cell exactly; None where it stands for a missing value.

    Raises:
        BadCell: not a number, not finite, or out of range.
    """
    if mark == "." and _compiled(_PLAIN).fullmatch(text):
        return Decimal(text)
    stripped = text.strip()
    if stripped.casefold() in _MISSING:
        return None
    if _compiled(_UNBOUNDED).fullmatch(stripped):
        raise BadCell(f"{quoted(stripped)} is not a finite number")
    found = _compiled(_NUMBER).fullmatch(stripped) if len(stripped) <= _MAX_LENGTH else None
    if found is None:
        raise BadCell(f"{quoted(stripped)} is not a number")
    whole, _, fraction = found["body"].strip().partition(mark)
    digits = _ungrouped(whole, mark)
    if digits is None:
        raise BadCell(f"{quoted(stripped)} is not a number with decimal mark {mark!r}")
    return _in_range(f"{found['sign']}{digits or '0'}.{fraction}{found['exponent'] or ''}", stripped)


def parse_volume(text: str, mark: Mark = ".") -> Decimal | None:
    """Parse a volume, which may be abbreviated: `1.5M`.

    Raises:
        BadCell: like `parse_number`.
    """
    factor = _SUFFIXES.get(text.strip()[-1:].upper())
    if factor is None:
        return parse_number(text, mark)
    number = parse_number(text.strip()[:-1], mark)
    return None if number is None else number * factor


def _in_range(digits: str, shown: str) -> Decimal:
    try:
        number = Decimal(digits)
    except InvalidOperation:
        raise BadCell(f"{quoted(shown)} is not a number") from None
    if number and abs(number.adjusted()) > _MAX_MAGNITUDE:
        raise BadCell(f"{quoted(shown)} is out of range")
    return number


def parse_amount(cell: str, mark: Mark) -> Decimal | None:
    """Parse an amount of money exactly; None where the cell is empty.

    Raises:
        BadCell: not a number, or out of range.
    """
    if mark == "." and _compiled(_PLAIN_AMOUNT).fullmatch(cell):
        number = Decimal(cell)
        return number or number.copy_abs()
    if cell.strip() in {"", "-", "--"}:
        return None
    negative, body = _amount_parts(cell)
    if not body or len(cell) > _MAX_LENGTH:
        raise BadCell(f"{quoted(cell)} is not an amount")
    whole, _, fraction = body.partition(mark)
    digits = _ungrouped(whole.strip(), mark)
    if digits is None or not f"0{fraction}".isdigit():
        raise BadCell(f"{quoted(cell)} is not an amount with decimal mark {mark!r}")
    if len(digits.lstrip("0")) > _MAX_AMOUNT_DIGITS or len(fraction) > _MAX_AMOUNT_DECIMALS:
        raise BadCell(f"{quoted(cell)} is out of range")
    number = Decimal(f"{digits or '0'}.{fraction}".rstrip("."))
    return number.copy_negate() if negative and number else number


def _amount_parts(cell: str) -> tuple[bool, str]:
    """Whether an amount is negative, and its digits and marks; "" where it is no number."""
    text = _compiled(_CURRENCY).sub("", cell[: _MAX_LENGTH + 1].translate(_TYPED)).strip()
    negative = False
    if text.startswith("(") and text.endswith(")"):
        negative, text = True, text[1:-1].strip()
    elif text[:1] in {"-", "+"}:
        negative, text = text[0] == "-", text[1:].strip()
    elif text[-1:] in {"-", "+"}:
        negative, text = text[-1] == "-", text[:-1].strip()
    return negative, text if _compiled(_AMOUNT).fullmatch(text) else ""


def _ungrouped(whole: str, mark: Mark) -> str | None:
    """The digits before the decimal mark without separators; None where they are not grouped regularly."""
    if whole.isdecimal() or not whole:
        return whole
    separators = set(re.sub(r"[0-9]", "", whole))
    groups = re.split(r"[^0-9]", whole)
    # India groups by two above the thousands, hence 2 or 3 digits in the middle.
    regular = 1 <= len(groups[0]) <= _GROUP and len(groups[-1]) == _GROUP and all(len(g) in {2, 3} for g in groups[1:])
    allowed = _GROUPERS + ("," if mark == "." else ".")
    return "".join(groups) if len(separators) == 1 and separators <= set(allowed) and regular else None
