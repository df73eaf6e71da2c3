"""What is known of a number that has the form of a social security number, and what that says it is.

Each kind of evidence has one place here. Where there is none, a number with hyphens is taken for one and a number with
spaces is not, as a reader would.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from finclaw_cli.masking.columns import Columns
from finclaw_cli.masking.context import has_clean_edges, is_amount, is_locator
from finclaw_cli.masking.markup import Headings
from finclaw_cli.masking.reading import Reading
from finclaw_cli.masking.social import governor
from finclaw_cli.masking.social_after import described, person_after, stated
from finclaw_cli.masking.social_nouns import Governor
from finclaw_cli.masking.social_text import column_of_insert, plain

_ZEROS = str.maketrans("123456789", "0" * 9)
_BEFORE, _AFTER = 200, 60
# Three numbers of a row, where there are more of them.
_ROW_BEFORE = re.compile(r"(?:^|[^0-9/.,-])[0-9]+(?:[.,][0-9]+)*[%a-z]{0,2}[ \t]$")
_ROW_AFTER = re.compile(r"[ \t][-+$(]?[0-9][0-9.,]{0,12}(?![0-9.,%/-])")
_UNIT = re.compile(
    r"[ \t]?(?:[nµu]m|[cmk]m|ft|yd|[mk]?g|lbs?|oz|[mc]?l|gal|[kmg]?hz|[kmg]?wh?|[kmg]?v|psi|rpm|mph|kmh|pp|pages|"
    r"penn(?:y|ies)|pcs|pieces|pallets|boxes|cases|cartons|items|points|pts|votes|steps|miles|feet|inches|meters|metres)"
    r"(?![\w-])"
)
_ARITHMETIC = re.compile(r"[ \t]?(?:=[ \t]*[-+]?[0-9]|[ \t][+*×÷][ \t][0-9])")
_BLANK = " \t>*-\"'`([•·|"
_CELL = re.compile(r"[|\t;,][ \"']*$|(?:^|  )$")
_THREE_COLUMNS = re.compile(r"\S+(?: \S+)*(?:(?: {2,}|\t)\S+(?: \S+)*){2}")


class Tables:
    """The headers of the tables in a text; its numbers ask for them in their order."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._columns, self._headings = Columns(reading), Headings(reading.view, reading.low)

    def evidence(self, line: str, start: int, end: int) -> Governor:
        """What the header of the column that a number is in says, after what stands before it in its line."""
        if name := column_of_insert(line) or self._headings.at(start):
            return governor(f"{name}:")
        if "\n" not in self._reading.low or not _CELL.search(line):
            return Governor.NOTHING
        column = self._columns.at(start, end)
        if not (column.has_header and column.is_even):
            return Governor.NOTHING
        found = governor(f"{column.name}:")
        if found is Governor.NOTHING and governor(line) is Governor.THING:
            return Governor.NOTHING
        return found


class Place:
    """What stands around a number, with every digit 0."""

    def __init__(self, reading: Reading, start: int, end: int, *, is_spaced: bool) -> None:
        self._reading, self._start, self._end = reading, start, end
        self._is_spaced = is_spaced
        self._left = reading.view[max(0, start - _BEFORE) : start].translate(_ZEROS)

    @cached_property
    def line(self) -> str:
        """What stands before it in its line; in JSON, in its string or, where that is all, after its key."""
        if not self._reading.is_json:
            return self._left.rpartition("\n")[2]
        first = self._start - self._reading.string_around(self._start)[0]
        inside = self._left[len(self._left) - min(first, len(self._left)) :]
        return inside.rpartition("\n")[2] if "\n" in inside else self._left.replace("\n", " ")

    @property
    def right(self) -> str:
        """What stands after it in its line; in JSON, in its string."""
        text = self._reading.view[self._end : self._end + _AFTER].translate(_ZEROS).partition("\n")[0]
        return text.partition('"')[0] if self._reading.is_json else text

    @property
    def is_possible(self) -> bool:
        """Whether it stands for itself: no amount, and no part of a path, of arithmetic or of a row of numbers."""
        left, right = self._reading.around(self._start, self._end)
        if not has_clean_edges(left, right) or is_amount(left, right) or _UNIT.match(right) or _ARITHMETIC.match(right):
            return False
        return not self._is_spaced or not (_ROW_BEFORE.search(left) or _ROW_AFTER.match(right) or is_locator(left))

    def judge(self, tables: Tables, sibling: Governor) -> Governor:
        """What the strongest evidence says that the number is."""
        evidence = self._evidence(tables, sibling)
        return next((found for found in evidence if found is not Governor.NOTHING), Governor.NOTHING)

    def is_social(self, found: Governor) -> bool:
        """Whether it is a social security number, after what the evidence says."""
        if self._left[-1:] == "/" and found is not Governor.PERSON:
            return False  # part of a path
        return found in {Governor.SSN, Governor.PERSON} or (found is Governor.NOTHING and not self._is_spaced)

    def _evidence(self, tables: Tables, sibling: Governor) -> Iterator[Governor]:
        """The kinds of evidence, the strongest first."""
        is_first, said = not plain(self.line).strip(_BLANK), stated(self.right)
        yield Governor.NOTHING if said is Governor.PERSON else said
        yield Governor.THING if is_first and self._is_row_of_three() else Governor.NOTHING
        yield tables.evidence(self.line, self._start, self._end)
        yield governor(self._above, above=True) if is_first else governor(self.line)
        yield person_after(self.right) if said is Governor.NOTHING else said
        yield described(self.right) if is_first else Governor.NOTHING
        yield sibling

    @property
    def _above(self) -> str:
        """The line above, or the one above a blank one."""
        return self._left[: len(self._left) - len(self.line)].rstrip().rpartition("\n")[2]

    def _is_row_of_three(self) -> bool:
        """Whether its groups are three numbers, each under a heading of its own."""
        is_row = self._is_spaced and not self.right.strip() and _THREE_COLUMNS.fullmatch(self._above)
        return bool(is_row) and governor(self._above, above=True) is not Governor.SSN
