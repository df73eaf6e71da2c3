"""What is known of a number that has the form of a social security number, and what it is for that reason.

Each kind of evidence has one place here. Where there is none, a number with hyphens is taken for one and a number with
spaces is not, as a reader would. The words around it (`social_model`) overrule the evidence where they clearly
contradict it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from finclaw_cli.masking.columns import Columns
from finclaw_cli.masking.context import has_clean_edges, is_amount
from finclaw_cli.masking.markup import Headings
from finclaw_cli.masking.reading import Reading
from finclaw_cli.masking.social import governor, nearest
from finclaw_cli.masking.social_above import asked, headed, in_clause, is_answer, is_of_person, titled
from finclaw_cli.masking.social_after import described, person_after, stated
from finclaw_cli.masking.social_model import log_odds
from finclaw_cli.masking.social_nouns import UNITS, Governor
from finclaw_cli.masking.social_text import column_of_insert, plain, zeroed

_BEFORE, _AFTER, _FAR = 200, 60, 600
# The logarithm of the odds above which a number is one, by the evidence; without any, by whether it has hyphens.
_LEAST = {Governor.SSN: -4.5, Governor.PERSON: -3.25, Governor.THING: 2.0}
_LEAST_WITH_HYPHENS, _LEAST_WITH_SPACES = -2.0, 0.5
# More numbers of a row than the three that the groups can be.
_ROW_BEFORE = re.compile(r"(?:^|[^0-9/.,-])[0-9]+(?:[.,][0-9]+)*[ \t]$")
_ROW_AFTER = re.compile(r"[ \t][0-9][0-9.,]*(?![0-9.,%/-])")
_UNIT = re.compile(r"[ \t]?(?:= [a-z]|[×@] ?[0-9]|\(qty |(?:[0-9]{1,4} )?(?P<unit>[a-zµ]+)(?![\w-]))")
_BLANK = " \t>*-\"'`([•·|"
_ITEM = re.compile(r"^\s*\(?0{1,3}[).]\s")
_FILE = re.compile(r"_[A-Za-z0]|(?:_[\w-]*)?\.(?:pdf|docx?|xlsx?|csv|txt|zip|jpe?g|png|tiff?)(?!\w)", re.IGNORECASE)
_FIELDS = re.compile(r'(?:"(?:fields|columns|headers?|cols|names)"\s*:\s*|^\s*\[\s*)\[([^\[\]]{1,400})\]')
_STRINGS = re.compile(r'"([^"]*)"')
_ID = re.compile(r"(?<![a-z])id_?(?:number|no)[\]\"']*\s?[=:]\s?[\"']?$", re.IGNORECASE)
_NEAR_PERSON = re.compile(r"ssn|date_?of_?birth|birth_?date|\bdob\b|individual\[", re.IGNORECASE)
_KEY = re.compile(r"[a-z]\w{0,20}")
_REPLY = re.compile(r'"(?:a|answer|content|text|value|val|response|reply|message|body|input)"\s?:\s?"$', re.IGNORECASE)
_GROUPS = 3
_RULES, _LINES = " \t>*-=+|_:,{}[]", 5
_CELL = re.compile(r"[|\t;,][ \"']*$|(?:^|  )$")
_CELLS = re.compile(r" {2,}| ?[|\t;,] ?")
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[^\W\d_]")


class Tables:
    """The headers of the tables in a text; its numbers ask for them in their order."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._columns, self._headings = Columns(reading), Headings(reading.view, reading.low)

    def evidence(self, line: str, start: int, end: int) -> Governor:
        """What the header of the column that a number is in means, given what stands before it in its line."""
        if name := column_of_insert(line) or self._headings.at(start) or self._field(start):
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

    def _field(self, start: int) -> str:
        """The name of the column of JSON that lists the names of its columns, and then rows without them."""
        if not self._fields:
            return ""
        view = self._reading.view
        row = view.rfind("[", max(0, start - _FAR), start)
        index = _STRINGS.sub("", view[row + 1 : start].rstrip('"')).count(",") if row >= 0 else -1
        return self._fields[index] if 0 <= index < len(self._fields) else ""

    @cached_property
    def _fields(self) -> list[str]:
        found = _FIELDS.search(self._reading.view) if self._reading.is_json else None
        names: list[str] = _STRINGS.findall(found.group(1)) if found else []
        return names


class Place:
    """What stands around a number, with every digit 0."""

    def __init__(self, reading: Reading, start: int, end: int, *, is_spaced: bool) -> None:
        self._reading, self._start, self._end = reading, start, end
        self._is_spaced = is_spaced
        self._left = zeroed(reading.view[max(0, start - _BEFORE) : start])

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
        text = zeroed(self._reading.view[self._end : self._end + _AFTER]).partition("\n")[0]
        return text.partition('"')[0] if self._reading.is_json else text

    @property
    def is_possible(self) -> bool:
        """Whether it stands for itself: no amount, and no part of a path, of arithmetic or of a row of numbers."""
        left, right = self._reading.around(self._start, self._end)
        if self._is_in_file_name:
            left, right = f"{left[:-1]} ", ""
        is_in_row = self._is_spaced and (_ROW_BEFORE.search(left) or _ROW_AFTER.match(right))
        unit = _UNIT.match(right)
        is_quantity = unit is not None and (unit.group("unit") is None or unit.group("unit") in UNITS)
        return has_clean_edges(left, right) and not (is_in_row or is_quantity or is_amount(left, right))

    def judge(self, tables: Tables) -> Governor:
        """What the number is by the strongest evidence."""
        evidence = self._evidence(tables)
        return next((found for found in evidence if found is not Governor.NOTHING), Governor.NOTHING)

    def is_social(self, found: Governor) -> bool:
        """Whether it is a social security number, given the evidence."""
        if self._left[-1:] == "/" and found is not Governor.PERSON:
            return False  # part of a path
        if found is Governor.NOTHING and not _LETTER.search(self._left + self.right.partition("0")[0]):
            return not self._is_spaced  # one of a list of numbers
        least = _LEAST.get(found, _LEAST_WITH_SPACES if self._is_spaced else _LEAST_WITH_HYPHENS)
        return log_odds(self._reading.view, self._start, self._end) > least

    def is_labelled(self, tables: Tables) -> bool:
        """Whether a label, a header or a request for such numbers is what it belongs to, though it has no form."""
        return Governor.SSN in self._direct(tables)

    def _direct(self, tables: Tables) -> Iterator[Governor]:
        """The kinds of evidence that names the number itself, the strongest first."""
        near, states = nearest(self.line), stated(self.right)
        yield Governor.SSN if near is Governor.SSN or self._is_id_of_person else Governor.NOTHING
        yield Governor.NOTHING if states is Governor.PERSON else states
        yield Governor.THING if self._is_row_of_three else Governor.NOTHING
        yield asked(self._lines, self._answer)
        yield self._titled
        yield tables.evidence(self.line, self._start, self._end)
        yield self._headed
        yield near

    def _evidence(self, tables: Tables) -> Iterator[Governor]:
        """The kinds of evidence, the strongest first."""
        yield from self._direct(tables)
        is_first, states = self._is_first, stated(self.right)
        yield person_after(self.right) if states is Governor.NOTHING else states
        yield Governor.PERSON if is_first and is_of_person(self._lines) else Governor.NOTHING
        if self._lines or not is_first:
            yield governor(self._lines[0], above=True) if is_first else governor(self.line)
        yield described(self.right) if is_first else Governor.NOTHING

    @cached_property
    def _answer(self) -> str:
        """What stands before it in its line; in the string of JSON that has the words of a conversation or a form."""
        first = self._reading.string_around(self._start)[0] if self._reading.is_json else 0
        size = self._start - first
        if not self._reading.is_json or size > len(self._left):
            return self.line
        before, inside = self._left[: len(self._left) - size], self._left[len(self._left) - size :]
        return inside if _REPLY.search(before) else self.line

    @cached_property
    def _titled(self) -> Governor:
        """What the line above is a title for, where nothing else stands in its own line."""
        return titled(self._lines) if self._is_first or is_answer(self._answer) else Governor.NOTHING

    @cached_property
    def _headed(self) -> Governor:
        """What the key, the section or the comment names that its line is below."""
        if self._reading.is_json:
            return Governor.NOTHING
        above = zeroed(self._reading.view[max(0, self._start - _FAR) : self._start]).split("\n")[-2::-1]
        return headed((line for line in above if line.strip()), self.line)

    @property
    def _is_in_file_name(self) -> bool:
        """Whether it is one of the words of a file's name: "Doe_Jane_512-33-8841_W2.pdf"."""
        return self._left[-1:] == "_" or bool(_FILE.match(self.right))

    @property
    def _is_first(self) -> bool:
        """Whether nothing, or only a number of a list, stands before it in its line."""
        return not _ITEM.sub("", plain(self.line)).strip(_BLANK)

    @property
    def is_other(self) -> bool:
        """Whether its clause is that of another thing."""
        return Governor.THING in {in_clause(self.line), stated(self.right)}

    @property
    def _is_id_of_person(self) -> bool:
        """Whether it is an "id_number" beside what is asked of people only."""
        around = self._reading.view[max(0, self._start - _BEFORE) : self._end + _BEFORE]
        return bool(_ID.search(self._left) and _NEAR_PERSON.search(around))

    @cached_property
    def _lines(self) -> list[str]:
        """The lines above that are not blank, the nearest first; in JSON, the strings."""
        first = self._start - len(self._answer)
        text = zeroed(self._reading.view[max(0, first - _FAR) : max(0, first)])
        lines = (text.replace('"', "\n") if self._reading.is_json else text).split("\n")[::-1]
        return [line for line in lines if line.strip(_RULES) and not (self._reading.is_json and _KEY.fullmatch(line))][
            :_LINES
        ]

    @property
    def _is_row_of_three(self) -> bool:
        """Whether its groups are three numbers, each under a heading of its own."""
        if not self._is_spaced or self.right.strip() or not self._lines:
            return False
        header = next((line.strip() for line in self._lines if not _DIGIT.search(line)), "")
        cells = [len(_CELLS.split(line.strip(" |"))) if line.strip(" |") else 0 for line in (header, self.line)]
        is_aligned = "  " in header and len(header.split()) == len(self.line.split()) + _GROUPS
        is_row = cells[0] == cells[1] + _GROUPS or is_aligned
        return is_row and governor(header, above=True) is not Governor.SSN
