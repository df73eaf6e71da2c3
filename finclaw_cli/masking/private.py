"""Private financial data and secrets, masked in place; every other character of a text stays as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

from finclaw_cli.masking.labelled import find_labelled
from finclaw_cli.masking.masked import Masked
from finclaw_cli.masking.named import find_named
from finclaw_cli.masking.patterns import Pattern
from finclaw_cli.masking.reading import MARK, Found, Reading
from finclaw_cli.masking.shapes import find_shapes
from finclaw_cli.masking.structured import find_structured
from finclaw_cli.masking.tables import find_columns
from finclaw_cli.masking.tokens import find_assigned, find_private_keys, find_tokens

# A mask changes what stands near its neighbours; one more look settles that, and a few are the limit.
_PASSES = 4

# In the order of who is right when two of them want the same characters.
_DETECTORS: tuple[Callable[[Reading], Iterator[Found]], ...] = (
    find_private_keys,
    find_tokens,
    find_shapes,
    find_named,
    find_columns,
    find_structured,
    find_labelled,
    find_assigned,
)
_KIND = itemgetter(2)
_NAMED = _DETECTORS.index(find_named)


def mask_private(text: str, *, extra: Sequence[Pattern] = ()) -> Masked:
    """Mask cards, accounts, national ids, keys and tokens, each as `[REDACTED:kind]`. JSON stays JSON."""
    kinds: Counter[str] = Counter()
    for _ in range(_PASSES):
        reading = Reading(text)
        ranked = _found(reading, extra)
        if not ranked:
            break
        kept = _without_overlaps(ranked)
        spans = [span for _, span in kept]
        text = _replaced(reading, spans)
        kinds.update(map(_KIND, spans))
        if reading.is_json and all(rank == _NAMED for rank, _ in kept):
            break  # whole values of keys: nothing in JSON is told by its neighbours
    return Masked(text=text, kinds=dict(kinds))


# What was found by where it starts and, negative, ends: in their order the longest of a place comes first.
Ranked = dict[tuple[int, int], tuple[int, Found]]


def _found(reading: Reading, extra: Sequence[Pattern]) -> Ranked:
    ranked: Ranked = {}
    for rank, detector in enumerate(_DETECTORS):
        for span in detector(reading):
            if not reading.is_json or _is_safe(reading, span):
                ranked.setdefault((span[0], -span[1]), (rank, span))
    for pattern in extra:
        for start, end in pattern.find(reading.view):
            if _may_be_cut(reading, start, end):
                ranked.setdefault((start, -end), (len(_DETECTORS), Found(start, end, pattern.name)))
    return ranked


def _may_be_cut(reading: Reading, start: int, end: int) -> bool:
    """Whether a span of a user's pattern can be taken out without breaking JSON: inside of one string only."""
    if not reading.is_json:
        return True
    text, first, last = reading.text, reading.original(start), reading.original(end)
    inside = reading.in_string(start) and '"' not in reading.view[start:end]
    return inside and text[first - 1] != "\\" and text[last - 1] != "\\"


def _is_safe(reading: Reading, span: Found) -> bool:
    """Whether JSON stays JSON: what is replaced is inside of one string, or is a number that becomes a string."""
    if span.quoted:
        return not reading.in_string(span.start)
    return reading.in_string(span.start) and span.end <= reading.string_around(span.start)[1]


def _without_overlaps(ranked: Ranked) -> list[tuple[int, Found]]:
    """Of two spans that share characters, the one that holds the other stays, else the one of the better rank."""
    kept: list[tuple[int, Found]] = []
    last_end, last_rank = 0, 0
    for place in sorted(ranked):
        rank, span = ranked[place]
        if place[0] < last_end:
            if span.end <= last_end or rank > last_rank:
                continue
            kept.pop()
        kept.append((rank, span))
        last_end, last_rank = span.end, rank
    return kept


def _replaced(reading: Reading, spans: list[Found]) -> str:
    text, position = reading.text, 0
    pieces: list[str] = []
    for start, end, kind, quoted in spans:
        mask = f"{MARK}{kind}]"
        if not reading.is_aligned:
            start, end = reading.original(start), reading.original(end)  # noqa: PLW2901 - the same places in the text
        pieces += text[position:start], f'"{mask}"' if quoted else mask
        position = end
    return "".join([*pieces, text[position:]])
