"""Social security numbers: by their form and the evidence around them, or nine digits directly after a label.

The evidence is imported only where a text has a number of such a form: most have none, and its patterns take long to
compile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from finclaw_cli.masking.checksums import ssn
from finclaw_cli.masking.context import has_clean_edges
from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.reading import Found, Reading

_DIGIT = ord("0")
_SEPARATORS = str.maketrans("", "", "-. ")
_BARE = re.compile(rb"(?<!0)0{9}(?!0)")
# Besides the one with hyphens: with spaces or dots, with one hyphen, with spaces around the hyphens, with boxes.
_FORMS = (
    b"000 00 0000",
    b"000.00.0000",
    b"000-00 0000",
    b"000 00-0000",
    b"000 - 00 - 0000",
    b"0 0 0 - 0 0 - 0 0 0 0",
    b"0 0 0 0 0 0 0 0 0",
    b"0 0 0  0 0  0 0 0 0",
)


def find_social(reading: Reading) -> Iterator[Found]:
    """Every social security number that is grouped, or that directly follows a label."""
    forms = [form for form in _FORMS if form in reading.shape]
    if b"000-00-0000" in reading.vocabulary:
        forms.insert(0, b"000-00-0000")
    for form in forms:
        yield from _grouped(reading, form)
    if b"000000000" in reading.vocabulary:
        yield from _labelled(reading)


def _grouped(reading: Reading, form: bytes) -> Iterator[Found]:
    """The numbers of a form, with hyphens or with spaces, that are a person's."""
    places = [*_candidates(reading, form)]
    if not places:
        return
    from finclaw_cli.masking.social_evidence import Place, Tables

    tables = Tables(reading)
    for start, end in places:
        place = Place(reading, start, end, is_spaced=b"-" not in form)
        if place.is_possible and place.is_social(place.judge(tables)):
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
    places = [match.span() for match in _BARE.finditer(reading.shape) if _is_ssn(reading.low[slice(*match.span())])]
    if not places:
        return
    from finclaw_cli.masking.social_nouns import may_have_label

    if not may_have_label(reading.low, reading.low_words):
        return
    from finclaw_cli.masking.social_evidence import Place, Tables

    tables = Tables(reading)
    for start, end in places:
        is_free = has_clean_edges(*reading.around(start, end))
        if is_free and Place(reading, start, end, is_spaced=False).is_labelled(tables):
            yield Found(start, end, "ssn")


def _is_ssn(raw: str) -> bool:
    return ssn(raw.translate(_SEPARATORS))
