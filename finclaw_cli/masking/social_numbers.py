"""Social security numbers: by their shape where nothing else governs them, or directly after a label."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finclaw_cli.masking.checksums import ssn
from finclaw_cli.masking.columns import Columns
from finclaw_cli.masking.context import has_clean_edges, is_amount, is_locator
from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.social import Governor, governor, is_followed_by_name, is_labelled
from finclaw_cli.masking.social_text import column_of_insert
from finclaw_cli.masking.social_words import SSN_SHORT, SSN_STEMS, SSN_WORDS

_DIGIT = ord("0")
_ZEROS = str.maketrans("123456789", "0" * 9)
_BEFORE, _AFTER = 200, 60
_FEWEST_BELOW = 2
# Three numbers of a row, where there are more of them.
_ROW_BEFORE = re.compile(r"[0-9][%a-z]{0,2},?[ \t]$")
_ROW_AFTER = re.compile(r"[ \t][-+$(]?[0-9][0-9.,]{0,12}(?![0-9.,%/-])")
_UNIT = re.compile(
    r"\s?(?:[nµu]m|[cmk]m|ft|yd|[mk]?g|lbs?|oz|[mc]?l|gal|[kmg]?hz|[kmg]?wh?|[kmg]?v|psi|rpm|mph|kmh|pp|pages|"
    r"penn(?:y|ies)|pcs|pieces|pallets|boxes|cases|cartons|items|points|pts|votes|steps|miles|feet|inches|meters|metres)"
    r"(?![\w-])"
)
_BARE = re.compile(rb"(?<!0)0{9}(?!0)")
# The words, or parts of them, that a label is made of.
_STEMS = SSN_WORDS | SSN_SHORT | {"s"}
_BLANK = " \t>*-\"'`([•·|"
_CELL = re.compile(r"[|\t;,][ \"']*$|(?:^|  )$")


def find_social(reading: Reading) -> Iterator[Found]:
    """Every social security number that is grouped, or that directly follows a label."""
    if b"000-00-0000" in reading.vocabulary:
        yield from _grouped(reading, b"000-00-0000")
    if b"000 00 0000" in reading.shape:
        yield from _grouped(reading, b"000 00 0000")
    if b"000000000" in reading.vocabulary:
        yield from _labelled(reading)


def _grouped(reading: Reading, form: bytes) -> Iterator[Found]:
    """The numbers of a form, with hyphens or with spaces, that are a person's."""
    shape, position, valid, columns = reading.shape, 0, Memo(_is_ssn), Columns(reading)
    is_spaced = b" " in form
    while (start := shape.find(form, position)) >= 0:
        position = start + len(form)
        if start and shape[start - 1] == _DIGIT:
            continue  # of a longer number, such as that of a filing
        if valid[reading.low[start:position]] and _is_social(reading, columns, start, position, is_spaced=is_spaced):
            yield Found(start, position, "ssn")


def _labelled(reading: Reading) -> Iterator[Found]:
    """Nine digits in a row, directly after one of the labels for such numbers."""
    if _STEMS.isdisjoint(reading.low_words) and not any(stem in reading.low for stem in SSN_STEMS):
        return
    for match in _BARE.finditer(reading.shape):
        start, end = match.span()
        if not _is_ssn(reading.low[start:end]) or not has_clean_edges(*reading.around(start, end)):
            continue
        left = reading.view[max(0, start - _BEFORE) : start].translate(_ZEROS)
        if is_labelled(_line(reading, left, start)):
            yield Found(start, end, "ssn")


def _is_ssn(raw: str) -> bool:
    return ssn(raw.replace("-", "").replace(" ", ""))


def _is_social(reading: Reading, columns: Columns, start: int, end: int, *, is_spaced: bool) -> bool:
    left, right = reading.around(start, end)
    if not has_clean_edges(left, right) or is_amount(left, right) or _UNIT.match(right):
        return False
    if is_spaced and (_ROW_BEFORE.search(left) or _ROW_AFTER.match(right) or is_locator(left)):
        return False
    found = _governor(reading, columns, start, end)
    if left[-1:] == "/" and found is not Governor.PERSON:
        return False  # part of a path
    if found is Governor.NOTHING and is_spaced:
        return is_followed_by_name(reading.view[end : end + _AFTER].translate(_ZEROS))
    return found is not Governor.THING


def _governor(reading: Reading, columns: Columns, start: int, end: int) -> Governor:
    """What governs a number: its column, or the words before it, or the line above."""
    left = reading.view[max(0, start - _BEFORE) : start].translate(_ZEROS)
    line = _line(reading, left, start)
    if name := column_of_insert(line):
        return governor(f"{name}=")
    if "\n" in reading.low and _CELL.search(line):
        column = columns.at(start, end)
        if column.has_header and column.is_even:
            found = governor(f"{column.name}:")
            return found if found is not Governor.NOTHING else _person(line)
    if line.strip(_BLANK) or "\n" not in left:
        return governor(line)
    above = left[: len(left) - len(line)].rstrip().rpartition("\n")[2]
    return governor(above, above=True)


def _person(line: str) -> Governor:
    """Whether there is a person in the row of a number whose column says nothing."""
    found = governor(line)
    return found if found is Governor.PERSON else Governor.NOTHING


def _line(reading: Reading, left: str, start: int) -> str:
    """What stands before a number in its line; in JSON, in its string or, where that is all, after its key."""
    if not reading.is_json:
        return left.rpartition("\n")[2]
    first = start - reading.string_around(start)[0]
    inside = left[len(left) - min(first, len(left)) :]
    return inside.rpartition("\n")[2] if "\n" in inside else left.replace("\n", " ")
