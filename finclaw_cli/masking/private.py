"""Private financial data and secrets, masked in place; every other character of a text stays as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from finclaw_cli.masking.labelled import find_labelled
from finclaw_cli.masking.named import find_named
from finclaw_cli.masking.patterns import Pattern
from finclaw_cli.masking.reading import MARK, Found, Reading
from finclaw_cli.masking.shapes import find_shapes
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
    find_labelled,
    find_assigned,
)
_NAMED = _DETECTORS.index(find_named)


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A text without its private parts. When nothing was masked, `text` is the very object that was given."""

    text: str
    kinds: Mapping[str, int]


def mask_private(text: str, *, extra: Sequence[Pattern] = ()) -> Masked:
    """Mask cards, accounts, national ids, keys and tokens, each as `[REDACTED:kind]`. JSON stays JSON."""
    kinds: Counter[str] = Counter()
    for _ in range(_PASSES):
        reading = Reading(text)
        kept = _without_overlaps(_found(reading, extra))
        spans, ranks = [span for span, _ in kept], {rank for _, rank in kept}
        if not spans:
            break
        text = _replaced(reading, spans)
        kinds.update(span.kind for span in spans)
        if all(rank == _NAMED for rank in ranks) and reading.is_json:
            break  # whole values of keys: nothing in JSON is told by its neighbours
    return Masked(text=text, kinds=dict(kinds))


def _found(reading: Reading, extra: Sequence[Pattern]) -> list[tuple[Found, int]]:
    ranked = [
        (span, rank)
        for rank, detector in enumerate(_DETECTORS)
        for span in detector(reading)
        if _is_safe(reading, span)
    ]
    for pattern in extra:
        ranked += [
            (Found(start, end, pattern.name), len(_DETECTORS))
            for start, end in pattern.find(reading.view)
            if _may_be_cut(reading, start, end)
        ]
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
    if not reading.is_json:
        return True
    if span.quoted:
        return not reading.in_string(span.start)
    return reading.in_string(span.start) and span.end <= reading.string_around(span.start)[1]


def _without_overlaps(ranked: list[tuple[Found, int]]) -> list[tuple[Found, int]]:
    """Of two spans that share characters, the one that holds the other stays, else the one of the better rank."""
    ranked.sort(key=lambda item: (item[0].start, -item[0].end, item[1]))
    kept: list[tuple[Found, int]] = []
    for span, rank in ranked:
        if kept and span.start < kept[-1][0].end:
            if span.end <= kept[-1][0].end or rank > kept[-1][1]:
                continue
            kept.pop()
        kept.append((span, rank))
    return kept


def _replaced(reading: Reading, spans: list[Found]) -> str:
    text, pieces, position = reading.text, [], 0
    for span in spans:
        mask = f"{MARK}{span.kind}]"
        pieces += [text[position : reading.original(span.start)], f'"{mask}"' if span.quoted else mask]
        position = reading.original(span.end)
    return "".join([*pieces, text[position:]])
