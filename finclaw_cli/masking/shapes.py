"""Numbers whose form alone gives them away: grouped cards, hyphenated SSN and RRN, IBANs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from finclaw_cli.masking.bare import find_bare
from finclaw_cli.masking.checksums import IBAN_LENGTH, card, iban, korean_company, rrn, rrn_check
from finclaw_cli.masking.context import before, has_clean_edges, stands_free
from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.social_numbers import find_social
from finclaw_cli.masking.vocabulary import OTHER
from finclaw_cli.masking.words import label_in

_FOURS = re.compile(rb"0000([ .-])0000(?:\1(?:0000))+(?:\1(?:000|00|0)(?!0))?")
_AMEX = re.compile(rb"0000([ .-])000000\1(?:00000|0000)(?!0)")
# Fifteen or sixteen digits that do not follow a decimal point.
_BARE = re.compile(rb"(?<![0.])0{15,16}(?!0)")
_DIGIT = ord("0")
_RRN = b"000000-0000000"
_GROUP = 4
_MOST_GROUPS = 40
_LONGEST_SEARCHED = 120
_COMPANY = re.compile(r"법인|corporat|company reg|사업자|등기|jurir|crno")


def find_shapes(reading: Reading) -> Iterator[Found]:
    """Everything that is private by its form, without a label."""
    words = reading.vocabulary
    # The group in the middle stands between spaces, which is found faster than the whole.
    spaced = b"0000" in reading.words and b" 0000 " in reading.shape
    if b"0000-0000-0000" in words or b"0000.0000.0000" in words or (spaced and b"0000 0000 0000" in reading.shape):
        yield from _grouped_cards(reading)
    if b"0000-000000-0000" in words or (b"000000" in reading.words and b"0000 000000 0000" in reading.shape):
        yield from _amex_cards(reading)
    if b"0" * 15 in words and _BARE.search(words):
        yield from find_bare(reading)
    yield from find_social(reading)
    if b"000000-0000000" in words:
        yield from _resident_numbers(reading)
    if b"AA00" in reading.shape:
        yield from _ibans(reading)


def digits_of(text: str) -> str:
    """The digits of a grouped number."""
    return text if text.isdecimal() else text.replace(" ", "").replace("-", "").replace(".", "")


def _amex_cards(reading: Reading) -> Iterator[Found]:
    for match in _AMEX.finditer(reading.shape):
        start, end = match.span()
        if card(digits_of(reading.low[start:end])) and stands_free(*reading.around(start, end)):
            yield Found(start, end, "card")


def _grouped_cards(reading: Reading) -> Iterator[Found]:
    low, sizes, valid = reading.low, Memo(_card_size), Memo(_is_card)
    for match in _FOURS.finditer(reading.shape):
        start, end = match.span()
        size = end - start
        if size <= 23:  # noqa: PLR2004 - with 16 to 19 digits
            last = start + sizes[low[start:end]]
            if last > start and stands_free(*reading.around(start, last)):
                yield Found(start, last, "card")
        elif size < _MOST_GROUPS * (_GROUP + 1) and (size + 1) % 20 == 0:
            # Several cards in a row; a table of four-digit numbers is none.
            spans = [(at, at + 19) for at in range(start, end, 20)]
            if all(valid[low[first:last]] for first, last in spans):
                yield from (Found(first, last, "card") for first, last in spans)


def _card_size(raw: str) -> int:
    """How much of groups of four is a card: all of it, or its first sixteen digits; or nothing."""
    return next((size for size in (len(raw), 19) if len(raw) >= size >= 19 and _is_card(raw[:size])), 0)  # noqa: PLR2004


def _is_card(raw: str) -> bool:
    return card(digits_of(raw))


def _resident_numbers(reading: Reading) -> Iterator[Found]:
    shape, low, position, valid = reading.shape, reading.low, 0, Memo(_is_rrn)
    while (start := shape.find(_RRN, position)) >= 0:
        position = start + len(_RRN)
        if start and shape[start - 1] == _DIGIT:
            continue  # of a longer number, such as that of a filing
        raw = low[start:position]
        if not valid[raw]:
            continue
        verdict = _rrn_told(*reading.around(start, position), reading.is_json)
        if verdict or (verdict is None and _is_person(digits_of(raw))):
            yield Found(start, position, "rrn")


def _is_rrn(raw: str) -> bool:
    return rrn(digits_of(raw))


@lru_cache(maxsize=4096)
def _rrn_told(left: str, right: str, is_json: bool) -> bool | None:  # noqa: FBT001 - cached by position
    """What stands around a resident number; None when only its digits can tell."""
    if not has_clean_edges(left, right):
        return False
    text = before(left, is_json=is_json)
    # What stands before a comma is of another thing.
    clause = text.rpartition(",")[2]
    label = label_in(clause if clause.strip() else text)
    if label and label.kind == "rrn":
        return True
    return False if (label and label.kind == OTHER) or _COMPANY.search(left[-40:]) else None


def _is_person(digits: str) -> bool:
    # Company numbers begin with a court and a type, mostly 11, which reads as a date, too.
    return (
        rrn_check(digits) or digits[4:6] not in {"11", "12", "13", "14", "15", "21", "22"} or not korean_company(digits)
    )


_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){11,30}")
# Four characters, and thirty with something between them.
_LONGEST_IBAN = 64


def _ibans(reading: Reading) -> Iterator[Found]:
    view, shape, position, sizes = reading.view, reading.shape, 0, Memo(_iban_size)
    while (start := shape.find(b"AA00", position)) >= 0:
        position = start + 1
        if view[start : start + 2] not in IBAN_LENGTH:
            continue
        end = start + sizes[view[start : start + _LONGEST_IBAN]]
        if end > start and stands_free(*reading.around(start, end)):
            yield Found(start, end, "iban")
            position = end


def _iban_size(text: str) -> int:
    """How long the IBAN is that a text begins with, or 0."""
    match = _IBAN.match(text)
    return iban_size(match.group(), IBAN_LENGTH[text[:2]]) if match else 0


def iban_size(text: str, length: int) -> int:
    """How much of a text is the IBAN that it begins with, of so many letters and digits; 0 if it is none."""
    compact = text.replace(" ", "").replace("-", "")[:length].upper()
    if len(compact) < length or not iban(compact):
        return 0
    left = length
    for offset, char in enumerate(text):
        left -= char not in " -"
        if not left:
            return offset + 1
    return 0
