"""Private financial data and secrets, masked in place; every other character of a text stays as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

from finclaw_cli.masking.assigned import find_assigned
from finclaw_cli.masking.checksums import itin
from finclaw_cli.masking.json_form import is_json
from finclaw_cli.masking.labelled import find_labelled
from finclaw_cli.masking.markup import find_in_markup
from finclaw_cli.masking.masked import EDGE, Masked
from finclaw_cli.masking.named import find_named
from finclaw_cli.masking.patterns import Pattern
from finclaw_cli.masking.reading import MARK, Found, Reading
from finclaw_cli.masking.shapes import digits_of, find_shapes
from finclaw_cli.masking.sql import find_in_sql
from finclaw_cli.masking.structured import find_structured
from finclaw_cli.masking.tables import find_columns
from finclaw_cli.masking.tokens import find_private_keys, find_tokens

# A mask changes what stands near its neighbours; one more look settles that, and a few are the limit.
_PASSES = 4
# More private values than a text that is worth reading has. Each costs some microseconds, so that a megabyte of
# nothing else would take many times as long as parsing it.
MOST = 2_000
_ITIN = 9

Detector = Callable[[Reading], Iterator[Found]]
# In the order of who is right when two of them want the same characters.
_DETECTORS: tuple[Detector, ...] = (
    find_private_keys,
    find_tokens,
    find_shapes,
    find_named,
    find_columns,
    find_structured,
    find_in_markup,
    find_in_sql,
    find_labelled,
    find_assigned,
)
_NAMED = _DETECTORS.index(find_named)

# Where a span starts and, negative, ends; the rank of who found it. Sorted, the longest of a place comes first.
Ranked = tuple[int, int, int, Found]


class _TooMany(Exception):
    """More private values than are masked; `position` is where one of them is that is too many."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def mask_private(text: str, *, extra: Sequence[Pattern] = ()) -> Masked:
    """Mask cards, accounts, national ids, keys and tokens, each as `[REDACTED:kind]`. JSON stays JSON.

    A text in which there are more than `MOST` of them ends before that, in `[REDACTED:rest]`.
    """
    detectors: tuple[Detector, ...] = (*_DETECTORS, *(partial(_find_extra, pattern) for pattern in extra))
    return _bounded(text, detectors, is_json=is_json(text))


def _bounded(text: str, detectors: Sequence[Detector], *, is_json: bool) -> Masked:
    try:
        return _masked(text, detectors, is_json=is_json)
    except _TooMany as found:
        position = found.position
    # What is found first need not stand first, so at least half goes: a few times are enough.
    first = _bounded(text[: min(position, len(text) // 2)], detectors, is_json=is_json)
    return Masked(text=f"{_without_edge(first.text)}{MARK}rest]", kinds={**first.kinds, "rest": 1})


def _without_edge(text: str) -> str:
    shown = text[: max(0, len(text) - EDGE)]
    before, mark, kind = shown.rpartition(MARK)
    return before if mark and "]" not in kind else shown


def _masked(text: str, detectors: Sequence[Detector], *, is_json: bool) -> Masked:
    kinds: Counter[str] = Counter()
    for _ in range(_PASSES):
        reading = Reading(text, is_json=is_json)
        ranked = _ranked(reading, detectors)
        if not ranked:
            break
        kept = _without_overlaps(ranked)
        text = _replaced(reading, kept)
        kinds.update([span.kind for _, _, _, span in kept])
        if is_json and all(rank == _NAMED for _, _, rank, _ in kept):
            break  # whole values of keys: no value in JSON depends on its neighbours
    return Masked(text=text, kinds=dict(kinds))


def _ranked(reading: Reading, detectors: Sequence[Detector]) -> list[Ranked]:
    ranked: list[Ranked] = []
    for rank, detector in enumerate(detectors):
        found = list(islice(detector(reading), MOST + 1))
        if len(found) > MOST:
            raise _TooMany(reading.original(max(span.start for span in found)))
        ranked += [
            (span.start, -span.end, rank, _taxpayer(reading, span))
            for span in found
            if not reading.is_json or _is_safe(reading, span)
        ]
    return ranked


def _taxpayer(reading: Reading, span: Found) -> Found:
    """The span of a number, with the kind `itin` where the label of a social security number means such a one."""
    if span.kind != "ssn":
        return span
    digits = digits_of(reading.view[span.start : span.end].replace(" - ", "-"))
    return span._replace(kind="itin") if len(digits) == _ITIN and itin(digits) else span


def _find_extra(pattern: Pattern, reading: Reading) -> Iterator[Found]:
    """What a user's own pattern matches, where it can be taken out without breaking JSON."""
    for start, end in pattern.find(reading.view):
        if not reading.is_json or _may_be_cut(reading, start, end):
            yield Found(start, end, pattern.name)


def _may_be_cut(reading: Reading, start: int, end: int) -> bool:
    """Whether a span is inside of one string of JSON, and no half of an escape."""
    text, first, last = reading.text, reading.original(start), reading.original(end)
    inside = reading.in_string(start) and '"' not in reading.view[start:end]
    return inside and text[first - 1] != "\\" and text[last - 1] != "\\"


def _is_safe(reading: Reading, span: Found) -> bool:
    """Whether JSON stays JSON: what is replaced is inside of one string, or is a number that becomes a string."""
    if span.quoted:
        return not reading.in_string(span.start)
    return reading.in_string(span.start) and span.end <= reading.string_around(span.start)[1]


def _without_overlaps(ranked: list[Ranked]) -> list[Ranked]:
    """Of two spans that share characters, the one that holds the other stays, else the one of the better rank."""
    kept: list[Ranked] = []
    last_end, last_rank = 0, 0
    for place in sorted(ranked):
        start, minus_end, rank, _ = place
        if start < last_end:
            if -minus_end <= last_end or rank > last_rank:
                continue
            kept.pop()
        kept.append(place)
        last_end, last_rank = -minus_end, rank
    return kept


def _replaced(reading: Reading, kept: list[Ranked]) -> str:
    text, position = reading.text, 0
    pieces: list[str] = []
    for _, _, _, (start, end, kind, quoted) in kept:
        mask = f"{MARK}{kind}]"
        if not reading.is_aligned:
            start, end = reading.original(start), reading.original(end)  # noqa: PLW2901 - the same places in the text
        pieces += text[position:start], f'"{mask}"' if quoted else mask
        position = end
    return "".join([*pieces, text[position:]])
