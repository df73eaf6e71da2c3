"""Social security numbers: by their form and the evidence around them, or nine digits directly after a label."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finclaw_cli.masking.checksums import ssn
from finclaw_cli.masking.context import has_clean_edges
from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.social_evidence import Place, Tables
from finclaw_cli.masking.social_nouns import Governor
from finclaw_cli.masking.social_words import SSN_PAIRS, SSN_PHRASES, SSN_SHORT, SSN_STEMS, SSN_WORDS

_DIGIT = ord("0")
_NEXT = 60
_BARE = re.compile(rb"(?<!0)0{9}(?!0)")
# The words, or parts of them, that a label is made of.
_STEMS = SSN_WORDS | SSN_SHORT | {"s", "sy", "sociale", "sosyal", "spolecznego", "panlipunan", "hoi", "pid"}
_FOREIGN = (*SSN_STEMS, *SSN_PHRASES, *(second for _, second in SSN_PAIRS if not second.isascii()))
# Besides the one with hyphens: with spaces, with spaces around the hyphens, and with a box for each digit.
_FORMS = (b"000 00 0000", b"000 - 00 - 0000", b"0 0 0 - 0 0 - 0 0 0 0", b"0 0 0 0 0 0 0 0 0", b"0 0 0  0 0  0 0 0 0")


def find_social(reading: Reading) -> Iterator[Found]:
    """Every social security number that is grouped, or that directly follows a label."""
    if b"000-00-0000" in reading.vocabulary:
        yield from _grouped(reading, b"000-00-0000")
    for form in _FORMS:
        if form in reading.shape:
            yield from _grouped(reading, form)
    if b"000000000" in reading.vocabulary:
        yield from _labelled(reading)


def _grouped(reading: Reading, form: bytes) -> Iterator[Found]:
    """The numbers of a form, with hyphens or with spaces, that are a person's."""
    tables, last, found = Tables(reading), 0, Governor.NOTHING
    for start, end in _candidates(reading, form):
        place = Place(reading, start, end, is_spaced=b"-" not in form)
        if not place.is_possible:
            continue
        is_near = start - last <= _NEXT and not (reading.is_json and '"' in reading.view[last:start])
        found, last = place.judge(tables, found if is_near else Governor.NOTHING), end
        if place.is_social(found):
            yield Found(start, end, "ssn")


def _candidates(reading: Reading, form: bytes) -> Iterator[tuple[int, int]]:
    """The numbers of a form that can be social security numbers."""
    shape, position, valid = reading.shape, 0, Memo(_is_ssn)
    while (start := shape.find(form, position)) >= 0:
        position = start + len(form)
        if start and shape[start - 1] == _DIGIT:
            continue  # of a longer number, such as that of a filing
        if valid[reading.low[start:position]]:
            yield start, position


def _labelled(reading: Reading) -> Iterator[Found]:
    """Nine digits in a row, directly after one of the labels for such numbers."""
    if _STEMS.isdisjoint(reading.low_words) and "*34*" not in reading.low:
        if reading.low.isascii() and "sozialversicherung" not in reading.low:
            return
        if not any(term in reading.low for term in _FOREIGN):
            return
    tables = Tables(reading)
    for match in _BARE.finditer(reading.shape):
        start, end = match.span()
        if not _is_ssn(reading.low[start:end]) or not has_clean_edges(*reading.around(start, end)):
            continue
        if Place(reading, start, end, is_spaced=False).is_labelled(tables):
            yield Found(start, end, "ssn")


def _is_ssn(raw: str) -> bool:
    return ssn(raw.replace("-", "").replace(" ", ""))
