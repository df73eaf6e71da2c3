"""Numbers that are private because of a word next to them: "account number 1234567890", "계좌: 110-234-567890"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from finclaw_cli.masking import checksums
from finclaw_cli.masking.columns import Columns, says_other
from finclaw_cli.masking.context import (
    AFTER,
    BEFORE,
    after,
    before,
    has_clean_edges,
    is_amount,
    is_path_segment,
    nearest_part,
)
from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.names import is_explicit, kind_of_name
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.shapes import digits_of, iban_size
from finclaw_cli.masking.vocabulary import MOVED, ONE, OTHER
from finclaw_cli.masking.words import ENGLISH_STEMS, KOREAN_STEMS, Label, label_following, label_in, says_quantity

_NUMBER = re.compile(r"[0-9](?:(?:[ .-]| - )?[0-9]){5,28}")
_DATE = re.compile(r"(?:19|20)[0-9]{2}[-. ]?(?:0[1-9]|1[0-2])[-. ]?(?:0[1-9]|[12][0-9]|3[01])")
_MOMENT = re.compile(
    r"20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[01][0-9]|2[0-3])[0-5][0-9]([0-5][0-9])?"
)
_PHONE = re.compile(
    r"01[016789][ -]?[0-9]{3,4}[ -]?[0-9]{4}|0(?:[2-6][0-9]?|70|80|50[0-9])-[0-9]{3,4}-[0-9]{4}|"
    r"[0-9]{3}[-. ][0-9]{3}[-. ][0-9]{4}|"
    r"1(?:5(?:22|33|44|66|77|88|99)|6(?:00|44|61|66|68|70|88)|8(?:00|11|33|55|66|77|99))-[0-9]{4}"
)
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:[. ][0-9]{3})+|[0-9]+\.[0-9]+")
_NO_ACCOUNT = re.compile("|".join(form.pattern for form in (_DATE, _MOMENT, _PHONE, _THOUSANDS)))
_NAME = re.compile(r"(?<![a-z0-9])([a-z][a-z0-9_]{2,40})[\"']?\s?[:=]\s?[\"']?$")
# An element of XML that is closed, or of which the value is masked.
_CLOSED = re.compile(r"(?:<[\w:.-]{1,60}>[^<>]{0,60})?</([\w:.-]{1,60})>")
_IN_KEY = re.compile(r'[a-z0-9가-힣_ .-]{0,40}"[ ]?:')
_BUSINESS = re.compile(r"[0-9]{3}-[0-9]{2}-[0-9]{5}")
_FILING = re.compile(r"[0-9]{10}-[0-9]{2}-[0-9]{6}")
_CHAIN = re.compile(r"[\s)\]\"']{0,3}(?:,|and|or|to|&|및|와|과|또는|→|->|/|,\s?and)(?P<gap>[\s(\[\"']{0,3})")
_NEARLY = re.compile(r"\b(?:about|around|nearly|roughly|approximately|almost|over|than|some)\s$")
_MORE = re.compile(r"[\s,;]{0,3}(?:and|or|to|&|및)?\s{0,2}[0-9]{6}")
_DELIMITERS = frozenset("|\t;,")
_SHORT, _USUAL, _LONGEST, _LEAST_GROUPED, _BANKS = 6, 8, 18, 7, 10


def find_labelled(reading: Reading) -> Iterator[Found]:
    """Every number with a label nearer than any word for a quantity."""
    if b"0" * _SHORT not in reading.shape.translate(None, b" .-"):
        return  # no number is long enough
    low, zeroed, is_json, last = reading.low, reading.zeroed, reading.is_json, _NOTHING
    judged, columns = Memo(partial(_judged, is_json)), Columns(reading)
    for first, end_of_window in _windows(reading):
        stop = end_of_window
        position = max(first, last[0])
        while match := _NUMBER.search(low, position, stop + _TAIL):
            start, position = match.span()
            if start >= stop:
                break
            chained = _chained(low, *last, start, is_json=is_json) if start - last[0] <= _NEXT else None
            left = zeroed[start - BEFORE if start > BEFORE else 0 : start]
            label, size = judged[chained, left, match.group(), zeroed[position : position + AFTER]]
            is_private = label and size and not _is_figure(columns, left, start, start + size)
            if label and is_private and not (label.kind == "ssn" and _is_other(reading, start, start + size)):
                position = start + size
                yield Found(start, position, _KINDS.get(label.kind, label.kind))
                last = position, label
                stop = max(stop, position + _NEXT)
    yield from _labelled_ibans(reading)


def _is_figure(columns: Columns, left: str, start: int, end: int) -> bool:
    """Whether a number stands in a table, in a column of amounts: the label is its row's name."""
    beside = left[-4:].rstrip(" \"'")[-1:]
    if beside not in _DELIMITERS and left[-2:] != "  ":
        return False
    column = columns.at(start, end)
    return column.has_header and says_other(column.name)


def _is_other(reading: Reading, start: int, end: int) -> bool:
    """Whether another noun is nearer to a number than the label for social security numbers."""
    from finclaw_cli.masking.social_evidence import Place

    return Place(reading, start, end, is_spaced=False).is_other


Number = tuple[Label | None, str, str, str]


def _judged(is_json: bool, number: Number) -> tuple[Label | None, int]:  # noqa: FBT001 - bound by position
    """The label of a number, given the one of a list it goes on with, and how much of it that can mean."""
    chained, left, raw, right = number
    label = chained or _label(left, right, is_json, "-" in raw)
    if not label or label.kind in {OTHER, MOVED}:
        return None, 0
    return label, _fit(label, left, raw, right)


def _windows(reading: Reading) -> Iterator[tuple[int, int]]:
    """The parts of a text in which a number may have a label: around the words that can be one."""
    stems = [*filter(_can_label, reading.low_words), *(stem for stem in KOREAN_STEMS if stem in reading.low)]
    if reading.has("a/c"):
        stems.append("a/c")
    if not reading.is_json and sum(map(reading.low.count, stems)) * _FAR > len(reading.low):
        yield 0, len(reading.low)
        return
    every = reading.is_json  # some may be in a key and tell nothing
    places = sorted(place for stem in stems for place in reading.near_numbers(stem, AFTER, BEFORE, every=every))
    first, stop = -1, -1
    for place in places:
        if reading.is_json and _IN_KEY.match(reading.low, place):
            continue  # the meaning of a key is not for the text
        if place - _BACK > stop:
            if stop >= 0:
                yield first, stop
            first = max(0, place - _BACK)
        stop = place + BEFORE
    if stop >= 0:
        yield first, stop


@lru_cache(maxsize=8192)
def _can_label(word: str) -> bool:
    return word in ENGLISH_STEMS or kind_of_name(word) in _FITS


# Where a label comes more often than once in so many characters, they are not looked for one by one.
_FAR = 200
# How far behind the beginning of its number a label can stand; how long a number is; how near the next of a list.
_BACK, _TAIL, _NEXT = AFTER + 30, 60, 12
# The first field of a line that is not the first, and what separates it from the next.
_ROW = re.compile(r'\n(?:\|[^\n|]{0,60}\| ?|[^\n,;|\t]{0,40}[,;|\t]"?)$')
_KINDS = {"brand": "card", "bank": "account"}


# No number before: far away from the first.
_NOTHING: tuple[int, Label | None] = (-1000, None)


def _chained(low: str, end: int, label: Label | None, start: int, *, is_json: bool) -> Label | None:
    """The label of the number before, when the two are one list: "accounts 11111111 and 22222222"."""
    if label is None or (is_json and '"' in low[end:start]):
        return None
    link = _CHAIN.fullmatch(low, end, start)
    return Label(label.kind, explicit=False) if link and (link.group("gap") or "/" in link.group()) else None


def _named(text: str) -> Label | None:
    """The label in the name of a variable or a field that a number is given to."""
    name = _NAME.search(text)
    kind = kind_of_name(name.group(1)) if name and name.group(1) not in ONE else None
    return Label(kind, is_explicit(name.group(1))) if name and kind in _FITS else None


def _without_closed(element: re.Match[str]) -> str:
    """An element that names its own value does not name the next."""
    return " " if kind_of_name(element.group(1).rpartition(":")[2]) else element.group()


@lru_cache(maxsize=4096)
def _label(left: str, right: str, is_json: bool, has_dash: bool) -> Label | None:  # noqa: FBT001 - cached by position
    tail = after(right, is_json=is_json)
    text = nearest_part(before(left, is_json=is_json))
    text = _CLOSED.sub(_without_closed, text) if "</" in text else text
    label = _named(text) or label_in(text)
    if not label or label.kind in {OTHER, MOVED}:
        return label_following(tail) or label
    if label.explicit:
        return label
    if label.kind == "card" and _ROW.search(left):
        return None  # the name of a row: what its figures are, their columns say
    if label.kind != "account" or has_dash:
        return label
    return None if _is_count(label, left, tail) else label


def _is_count(label: Label, left: str, tail: str) -> bool:
    """Whether a number counts: "accounts: 12345678", unless there are more, or "account 7 had 12345678 in volume"."""
    return bool(_NEARLY.search(left)) or (label.plural and not _MORE.match(tail)) or says_quantity(tail)


def _fit(label: Label, left: str, raw: str, right: str) -> int:
    """How much of a number a label can mean, or 0."""
    fits = _FITS[label.kind]
    for size in _sizes(raw, label.kind):
        part, rest = raw[:size], raw[size:] + right
        if fits(part, digits_of(part), label) and has_clean_edges(left, rest) and not is_path_segment(left):
            return 0 if "-" not in part and is_amount(left, rest) else size
    return 0


def _sizes(raw: str, kind: str) -> list[int]:
    """Where a number may end: at its end or before any of its spaces; an account's first group may be all of it."""
    sizes = [len(raw)]
    if " " not in raw:
        return sizes
    sizes += [at for at in range(len(raw) - 1, 0, -1) if raw[at] == " " and raw[at - 1] not in " -"]
    if kind == "account" and len(digits_of(raw[: sizes[-1]])) >= _USUAL:
        return sizes[-1:]
    return sizes


def _is_account(raw: str, digits: str, label: Label) -> bool:
    fewest = _SHORT if label.explicit else _LEAST_GROUPED + ("-" not in raw)
    if not fewest <= len(digits) <= _LONGEST or (len(digits) < _USUAL and len(set(digits)) == 1):
        return False
    if _FILING.fullmatch(raw) or ("." in raw and _THOUSANDS.fullmatch(raw)):
        return False
    if label.explicit:
        return not (("-" in raw or "." in raw) and _DATE.fullmatch(raw))
    return not _NO_ACCOUNT.fullmatch(raw)


def _is_bank_account(raw: str, digits: str, label: Label) -> bool:
    """A bank's name is no label by itself, but in front of a number that is grouped as an account's is."""
    return "-" in raw and len(digits) >= _BANKS and not _BUSINESS.fullmatch(raw) and _is_account(raw, digits, label)


def _is_card(raw: str, digits: str, label: Label) -> bool:  # noqa: ARG001 - one shape for all
    return 13 <= len(digits) <= 19 and len(set(digits)) > 1 and checksums.luhn(digits)  # noqa: PLR2004


def _is_branded(raw: str, digits: str, label: Label) -> bool:  # noqa: ARG001
    """A card company is also a company: its figures are no cards."""
    return 15 <= len(digits) <= 19 and checksums.card(digits)  # noqa: PLR2004


def _is_ssn(raw: str, digits: str, label: Label) -> bool:  # noqa: ARG001
    grouped = re.fullmatch(r"[0-9]{9}|[0-9]{3}([ .-]| - )[0-9]{2}\1[0-9]{4}", raw)
    return bool(grouped) and (checksums.ssn(digits) or checksums.itin(digits))


def _is_rrn(raw: str, digits: str, label: Label) -> bool:  # noqa: ARG001
    return bool(re.fullmatch(r"[0-9]{6}(?: - |[ -])?[0-9]{7}", raw)) and checksums.rrn(digits)


def _is_aba(raw: str, digits: str, label: Label) -> bool:  # noqa: ARG001
    return len(digits) == 9 and "." not in raw and checksums.aba(digits)  # noqa: PLR2004


def _is_sort_code(raw: str, digits: str, label: Label) -> bool:  # noqa: ARG001
    return bool(re.fullmatch(r"[0-9]{2}([ -]?)[0-9]{2}\1[0-9]{2}", raw)) and len(digits) == _SHORT


def _is_no_number(raw: str, digits: str, label: Label) -> bool:  # noqa: ARG001 - an IBAN has letters
    return False


_FITS: dict[str, Callable[[str, str, Label], bool]] = {
    "account": _is_account,
    "bank": _is_bank_account,
    "card": _is_card,
    "brand": _is_branded,
    "ssn": _is_ssn,
    "rrn": _is_rrn,
    "aba": _is_aba,
    "sort_code": _is_sort_code,
    "iban": _is_no_number,
}

_AFTER_IBAN = re.compile(r"[^0-9\x01\n]{0,24}?\b([a-z]{2}[0-9]{2}(?:[ -]?[a-z0-9]){11,30})")
_IBAN_WINDOW = 30


def _labelled_ibans(reading: Reading) -> Iterator[Found]:
    """IBANs in any case and of any country, after the word."""
    low, position = reading.low, 0
    while reading.has("iban") and (label := low.find("iban", position)) >= 0:
        digit = reading.shape.find(b"00", label)
        if digit < 0:
            return
        position = max(label + 4, digit - _IBAN_WINDOW)
        if digit - label > _IBAN_WINDOW:
            continue
        if match := _AFTER_IBAN.match(low, label + 4):
            yield from _iban(reading, *match.span(1))


def _iban(reading: Reading, start: int, end: int) -> Iterator[Found]:
    country = reading.low[start : start + 2].upper()
    known = checksums.IBAN_LENGTH.get(country)
    compact = len(reading.low[start:end].replace(" ", "").replace("-", ""))
    for length in [known] if known else range(compact, 14, -1):
        size = iban_size(reading.low[start:end], length)
        if size and has_clean_edges(*reading.around(start, start + size)):
            yield Found(start, start + size, "iban")
            return
