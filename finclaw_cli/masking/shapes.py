"""Numbers whose form alone gives them away: grouped cards, hyphenated SSN and RRN, IBANs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from finclaw_cli.masking.checksums import IBAN_LENGTH, card, iban, korean_company, rrn, rrn_check, ssn
from finclaw_cli.masking.context import after, before, has_clean_edges, is_amount, is_locator
from finclaw_cli.masking.names import joined_name, kind_of_name
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.vocabulary import OTHER
from finclaw_cli.masking.words import Label, label_following, label_in

_FOURS = re.compile(rb"0000([ .-])0000(?:\1(?:0000))+(?:\1(?:000|00|0)(?!0))?")
_AMEX = re.compile(rb"0000([ .-])000000\1(?:00000|0000)(?!0)")
# Fifteen or sixteen digits that do not follow a decimal point.
_BARE = re.compile(rb"(?<![0.])0{15,16}(?!0)")
_CHECKED = re.compile(rb"(?<![A-Za-z0-9])[A-Z]{2}00")
_ZEROS = re.compile(rb"0+")
_GROUP = 4
_MOST_GROUPS = 40
_LONGEST_SEARCHED = 120
_JSON_KEY = re.compile(r'"([^"]{1,60})"\s{0,8}:\s{0,8}\[?\s{0,8}$')
# Words that make nine digits in three groups the number of a thing.
_THING = re.compile(
    r"(?:order|part|invoice|ref|reference|"
    r"ticket|case|model|sku|item|tracking|serial|isbn|주문|송장|사업자)[a-z가-힣 .:#]{0,10}$"
)
_THING_KEY = re.compile(
    r'"[^"]{0,20}(?:order|part|invoice|ref|ticket|case|sku|item|tracking|serial)[^"]{0,14}"\s?:\s?"$'
)
_COMPANY = re.compile(r"법인|corporat|company reg|사업자|등기|jurir|crno")


def find_shapes(reading: Reading) -> Iterator[Found]:
    """Everything that is private by its form, without a label."""
    told = reading.vocabulary
    spaced = b"0000" in reading.words
    if b"0000-0000-0000" in told or b"0000.0000.0000" in told or (spaced and b"0000 0000 0000" in reading.shape):
        yield from _grouped_cards(reading)
    if b"0000-000000-0000" in told or (spaced and b"0000 000000 0000" in reading.shape):
        for match in _AMEX.finditer(reading.shape):
            yield from _card(reading, match.start(), match.end())
    if b"0" * 15 in told and _BARE.search(told):
        yield from _bare_cards(reading)
    if b"000-00-0000" in told:
        yield from _hyphenated(reading, b"000-00-0000", "ssn", _is_ssn)
    if b"000000-0000000" in told:
        yield from _hyphenated(reading, b"000000-0000000", "rrn", _is_rrn)
    if _CHECKED.search(told):
        yield from _ibans(reading)


def digits_of(text: str) -> str:
    """The digits of a grouped number."""
    return text.replace(" ", "").replace("-", "").replace(".", "")


def _card(reading: Reading, start: int, end: int) -> Iterator[Found]:
    fits = card(digits_of(reading.low[start:end])) and has_clean_edges(reading, start, end)
    if fits and not is_locator(reading, start):
        yield Found(start, end, "card")


def _grouped_cards(reading: Reading) -> Iterator[Found]:
    for match in _FOURS.finditer(reading.shape):
        start, end = match.span()
        groups = (end - start + 1 + _GROUP) // (_GROUP + 1)
        if groups in {4, 5} and end - start <= 23:  # noqa: PLR2004 - with 16 to 19 digits
            found = list(_card(reading, start, end))
            yield from found or _card(reading, start, start + 19)
        elif groups <= _MOST_GROUPS and (end - start + 1) % 20 == 0:
            yield from _row_of_cards(reading, start, end)


def _row_of_cards(reading: Reading, start: int, end: int) -> Iterator[Found]:
    """Several cards in a row; a table of four-digit numbers is none."""
    spans = [(at, at + 19) for at in range(start, end, 20)]
    if all(card(digits_of(reading.low[first:last])) for first, last in spans):
        yield from (Found(first, last, "card") for first, last in spans)


def _bare_cards(reading: Reading) -> Iterator[Found]:
    shape, position = reading.shape, 0
    while (start := shape.find(b"0" * 15, position)) >= 0:
        zeros = _ZEROS.match(shape, start)
        position = zeros.end() if zeros else start + 1
        if position - start <= 16 and card(reading.low[start:position]):  # noqa: PLR2004
            yield from _bare_card(reading, start, position)


def _bare_card(reading: Reading, start: int, end: int) -> Iterator[Found]:
    if not has_clean_edges(reading, start, end) or is_amount(reading, start, end) or is_locator(reading, start):
        return
    if reading.low[max(0, start - 1) : start] == "#":
        return
    label = label_in(before(reading, start)) or label_following(after(reading, end))
    if label and label.kind == OTHER:
        return
    if reading.is_json:
        if _fits_json(reading, start, end, label):
            yield Found(start, end, "card", quoted=not reading.in_string(start))
    elif _fits_prose(reading, start, end, label):
        yield Found(start, end, "card")


def _fits_json(reading: Reading, start: int, end: int, label: Label | None) -> bool:
    if not reading.in_string(start):
        return (start, end) == (0, len(reading.view.strip())) and end - start == 16  # noqa: PLR2004
    first, last = reading.string_around(start)
    if (first, last) != (start, end):
        return label is not None or end - start == 16  # noqa: PLR2004
    key = _JSON_KEY.search(reading.view, max(0, first - 80), first - 1)
    return end - start == 16 and not (key and _says_other(key.group(1)))  # noqa: PLR2004


def _fits_prose(reading: Reading, start: int, end: int, label: Label | None) -> bool:
    if label:
        return True
    left, right = reading.low[max(0, start - 2) : start].strip(' "'), reading.low[end : end + 2].strip(' "')
    field = left[-1:] in {",", ";", "|", "\t"} or right[:1] in {",", ";", "|", "\t"}
    if _JSON_KEY.search(reading.view, max(0, start - 80), start):
        return False  # a bare number of JSON that something follows or that was cut off
    if not field:
        return True
    return end - start == 16 and not _is_other_column(reading, start)  # noqa: PLR2004


def _is_other_column(reading: Reading, start: int) -> bool:
    """Whether the column that a field is in holds quantities, or anything named that is no card."""
    view = reading.view
    line = view.rfind("\n", max(0, start - 2000), start) + 1
    row, header = view[line:start], view[: view.find("\n", 0, 2000) + 1]
    delimiter = max(",;|\t", key=header.count)
    names = header.split(delimiter)
    column = row.count(delimiter)
    return bool(header) and 0 < column < len(names) and _says_other(names[column])


def _says_other(name: str) -> bool:
    if kind_of_name(name) in {"card", "account"}:
        return False
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_.-]", " ", name).lower()
    label = label_in(words)
    return bool(label and label.kind == OTHER) or joined_name(name).endswith(("id", "no", "number"))


def _hyphenated(reading: Reading, form: bytes, kind: str, fits: Callable[[Reading, int, str], bool]) -> Iterator[Found]:
    position, size = 0, len(form)
    while (start := reading.shape.find(form, position)) >= 0:
        position = start + size
        digits = digits_of(reading.low[start:position])
        if has_clean_edges(reading, start, position) and fits(reading, start, digits):
            yield Found(start, position, kind)


def _is_ssn(reading: Reading, start: int, digits: str) -> bool:
    if not ssn(digits) or reading.low[max(0, start - 1) : start] in {"#", "/"}:
        return False
    return not (
        _THING.search(before(reading, start)[-24:]) or _THING_KEY.search(reading.low, max(0, start - 40), start)
    )


def _is_rrn(reading: Reading, start: int, digits: str) -> bool:
    if not rrn(digits):
        return False
    segment = before(reading, start)
    label = label_in(segment)
    if label and label.kind == "rrn":
        return True
    if (label and label.kind == OTHER) or _COMPANY.search(reading.low, max(0, start - 40), start):
        return False
    # Company numbers begin with a court and a type, mostly 11, which reads as a date, too.
    return (
        rrn_check(digits) or digits[4:6] not in {"11", "12", "13", "14", "15", "21", "22"} or not korean_company(digits)
    )


_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){11,30}")


def _ibans(reading: Reading) -> Iterator[Found]:
    position = 0
    seen: dict[str, bool] = {}
    while (start := reading.shape.find(b"AA00", position)) >= 0:
        position = start + 1
        length = IBAN_LENGTH.get(reading.view[start : start + 2])
        match = _IBAN.match(reading.view, start) if length else None
        end = iban_end(reading.view, start, match.end(), length, seen) if match and length else None
        if end and has_clean_edges(reading, start, end) and not is_locator(reading, start):
            yield Found(start, end, "iban")
            position = end


def iban_end(view: str, start: int, end: int, length: int, seen: dict[str, bool]) -> int | None:
    """Where an IBAN of this length ends, if its check digits are right."""
    text = view[start:end]
    compact = text.replace(" ", "").replace("-", "")[:length].upper()
    if len(compact) < length:
        return None
    if compact not in seen:
        seen[compact] = iban(compact)
    if not seen[compact]:
        return None
    left = length
    for offset, char in enumerate(text):
        left -= char not in " -"
        if not left:
            return start + offset + 1
    return None
