"""Cards written as fifteen or sixteen digits in a row, which far more often are amounts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from finclaw_cli.masking.checksums import card
from finclaw_cli.masking.columns import GENERIC, Columns, is_card_number, says_card, says_other
from finclaw_cli.masking.context import after, before, is_amount, stands_free
from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.names import is_tender_key
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.vocabulary import OTHER
from finclaw_cli.masking.words import Label, label_following, label_in, says_quantity

_FIFTEEN = b"0" * 15
_ZEROS = re.compile(rb"0+")
_LONG = 16
_VALUES = frozenset({"value", "val", "values", "amt", "값", "data", "x"})
_JSON_KEY = re.compile(r'"([^"]{1,60})"\s{0,8}:\s{0,8}\[?\s{0,8}$')
_NAMED = re.compile(r"(?:^|[\s(,;{\[])([a-z][a-z0-9]*(?:[_.-][a-z0-9]+)*)\s?(?::=|=|:)\s?$")
# Neighbours in a list of JSON that are numbers, and no cards.
_NEIGHBOUR = re.compile(r'\s*,\s*"?(-?[0-9][0-9.:TZ-]*)"?\s*[,\]]')
_NEIGHBOUR_BEFORE = re.compile(r'"?(-?[0-9][0-9.:TZ-]*)"?\s*,\s*$')
_KOREAN_QUANTITY = re.compile(
    r"예금(?!주)|대출|수신|여신|당기|전기|잔액|합계(?!좌)|자산|부채|자본|매출|이익|금액|수량|총액|총계|규모|누적|원금|보유량|유통량"
)

# The end of an element of XML that a number is all of, and the elements of pages, which tell nothing.
_ELEMENT_END = re.compile(r"</(?:[a-z0-9-]{1,20}:)?([a-z0-9_.-]+)")
_OF_PAGES = re.compile(r"td|th|p|span|div|li|b|i|u|em|strong|code|pre|a|font|label|d[dt]|h[1-6]|tspan|text")
_LONGEST_CARD_NAME = 24

# A bare number that can be a card, or can be one as the field of a table, or as one after a comma.
_IN_PROSE, _IN_FIELD, _IN_LIST = 1, 2, 3


def find_bare(reading: Reading) -> Iterator[Found]:
    """Every card without groups whose place lets it be one."""
    shape, low, position, valid, columns = reading.shape, reading.low, 0, Memo(_is_card), Columns(reading)
    while (start := shape.find(_FIFTEEN, position)) >= 0:
        position = start + 15 + shape.startswith(b"0", start + 15)
        if start and (shape[start - 1 : start] in {b"0", b"."}):
            zeros = _ZEROS.match(shape, start)
            position = zeros.end() if zeros else position
        elif shape.startswith(b"0", position):
            zeros = _ZEROS.match(shape, position)
            position = zeros.end() if zeros else position
        elif valid[low[start:position]]:
            yield from _bare_card(reading, columns, start, position)


def _is_card(digits: str) -> bool:
    return card(digits)


def _bare_card(reading: Reading, columns: Columns, start: int, end: int) -> Iterator[Found]:
    place, label = _place_by_context(*reading.around(start, end), reading.is_json)
    if not place:
        return
    if reading.is_json and not _fits_json(reading, start, end, label):
        return
    if place != _IN_PROSE and not _fits_field(columns, start, end, label, is_list=place == _IN_LIST):
        return
    yield Found(start, end, "card", quoted=reading.is_json and not reading.in_string(start))


@lru_cache(maxsize=4096)
def _place_by_context(left: str, right: str, is_json: bool) -> tuple[int, Label | None]:  # noqa: FBT001 - cached by position
    """Whether what stands around a bare number lets it be a card, and the label it has."""
    if not stands_free(left, right) or is_amount(left, right) or left[-1:] == "#":
        return 0, None
    if left[-1:] == ">" and right[:2] == "</" and _is_figure(left, right):
        return 0, None
    text = before(left, is_json=is_json)
    tail = after(right, is_json=is_json)
    label = label_in(text) or label_following(tail)
    if label and label.kind == OTHER:
        return 0, None
    if not label and (says_quantity(tail) or _KOREAN_QUANTITY.search(text) or _is_variable(text)):
        return 0, None
    return _place(left, right, is_json=is_json), label


def _is_figure(left: str, right: str) -> bool:
    """Whether the element of XML that a number is all of is that of an amount, or of anything but a card."""
    end = _ELEMENT_END.match(right)
    name = end.group(1) if end else ""
    if _OF_PAGES.fullmatch(name):
        return False
    return "unitref=" in left or "ccy=" in left or says_other(name) or len(name) > _LONGEST_CARD_NAME


def _is_variable(text: str) -> bool:
    """Whether a number is given to a name of a program that is no card's."""
    named = _NAMED.search(text)
    if not named:
        return False
    name = named.group(1)
    is_code = "=" in text[named.end(1) :] or "_" in name
    return says_other(name) or (is_code and name.rpartition("_")[2] not in GENERIC and not says_card(name))


def _place(left: str, right: str, *, is_json: bool) -> int:
    if not is_json and _JSON_KEY.search(left[-80:]):
        return 0  # a bare number of JSON that something follows or that was cut off
    if is_json and left[-1:] == '"' == right[:1]:
        return _IN_PROSE
    near, following = left[-2:].rstrip(' "'), right[:2].lstrip(' "')
    if near[-1:] in {"|", "\t"} or following[:1] in {"|", "\t"} or left[-2:] == "  " or right[:2] == "  ":
        return _IN_FIELD
    if left.rstrip('"')[-1:] in {",", ";"} or _is_tight(left, right):
        return _IN_FIELD
    return _IN_LIST if near[-1:] in {",", ";", "("} or following[:1] in {",", ";"} else _IN_PROSE


def _is_tight(left: str, right: str) -> bool:
    """Whether a number is the first of its line and something follows its comma at once."""
    rest = right.lstrip('"')
    opens = left.rstrip('"')[-1:] in {"", "\n"}
    return opens and rest[:1] in {",", ";"} and not rest[1:2].isspace()


def _fits_field(columns: Columns, start: int, end: int, label: Label | None, *, is_list: bool) -> bool:
    """Whether the field of a table is a card: by its column's name, or else by the row."""
    column = columns.at(start, end)
    if is_list and not column.is_table:
        return True
    if column.name and says_other(column.name):
        return False
    if column.name and says_card(column.name):
        return True
    if not column.name or (column.name in GENERIC and column.name not in _VALUES):
        is_named = (label is not None and label.kind in {"card", "brand"}) or column.has_expiry
        return (is_named or says_card(column.row)) and not says_other(column.row)
    return is_card_number(column.row)


def _fits_json(reading: Reading, start: int, end: int, label: Label | None) -> bool:
    if not reading.in_string(start):
        return (start, end) == (0, len(reading.view.strip())) and end - start == _LONG
    first, last = reading.string_around(start)
    if (first, last) != (start, end):
        return label is not None or end - start == _LONG
    view = reading.view
    key = _JSON_KEY.search(view, max(0, first - 80), first - 1)
    if key:
        name = key.group(1)
        if name.lower() in {"value", "val", "amt"} or is_tender_key(name, view[max(0, start - 160) : end + 160]):
            return False
        return end - start == _LONG and not says_other(name)
    near = _NEIGHBOUR.match(view, end + 1, end + 60), _NEIGHBOUR_BEFORE.search(view, max(0, first - 40), first - 1)
    return end - start == _LONG and not any(_is_number(found) for found in near)


def _is_number(found: re.Match[str] | None) -> bool:
    return found is not None and not (
        len(found.group(1)) == _LONG and "." not in found.group(1) and card(found.group(1))
    )
