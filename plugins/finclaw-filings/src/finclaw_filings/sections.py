"""Finding the items of a report in its text: robust against tables of contents, page headers and cross-references."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from finclaw_filings.section_names import name_of_40f_title, name_of_item, part_of_10q
from finclaw_filings.statements import has_statements, statements_start

_HEADING = re.compile(
    r"^[|•· ]*+(?:PART\s{1,3}[IV]{1,3}\s{0,3}[,.:|—–-]{0,9}\s{0,3})?ITEM\s{0,3}(\d{1,2})"
    r"(?:\.(\d{2})|\.([A-K])\b|\s?\(?([A-K])\)?)?(?=[\s.:|—–-]|$)[\s.:|—–-]{0,200}([^\n]{0,200})$",
    re.IGNORECASE | re.MULTILINE,
)
_SIGNATURES = re.compile(r"^SIGNATURES?$", re.IGNORECASE | re.MULTILINE)
_EXHIBIT_INDEX = re.compile(r"^(?:EXHIBITS? INDEX|INDEX (?:TO|OF) EXHIBITS)$", re.IGNORECASE | re.MULTILINE)
_OFFICERS = re.compile(
    r"^(?:INFORMATION ABOUT (?:OUR |THE )?EXECUTIVE OFFICERS[^\n|.]{0,60}|EXECUTIVE OFFICERS OF [^\n|.]{1,60})$",
    re.IGNORECASE | re.MULTILINE,
)
_20F_RISKS = re.compile(
    r"^(?:ITEM\s{0,3}3\s{0,3}\.?\s{0,3})?D\.\s{0,3}\|?\s{0,3}RISK FACTORS\.?$", re.IGNORECASE | re.MULTILINE
)
_40F_TITLE = re.compile(r"^(?:[A-Z]\.|\d{1,2}\.)?\s{0,3}([A-Z][^\n|.;,]{8,90})$", re.IGNORECASE | re.MULTILINE)
_TOC_GAP = 400
_TOC_ENTRIES = 4
# What a sentence goes on with that merely refers to an item.
_PROSE = re.compile(r"^(?:of|in|and|to|above|below|for|is|was|as|or|on|with|herein|hereof|which)\b|^[,;)]|^\([a-z]\)")
_SENTENCE = re.compile(r"^[^|\n]{0,300}[a-z]\.$", re.MULTILINE)
# The statements may stand in these items, and where none is open: before the first one and after the signatures.
_LAST_ITEMS = frozenset({"exhibits", "summary", "financial_statements", "financial_statements_17"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One item of a report: `text[start:stop]`, beginning with its heading."""

    name: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heading:
    name: str
    start: int
    place: tuple[int, int, str] = (9, 0, "")
    """Part, item and letter, which rise within a table of contents."""


def sections_of(text: str, form: str) -> list[Section]:
    """The items that a report of that form has, in the order of the text; empty where none can be distinguished."""
    form = form.upper().removesuffix("/A")
    if form.startswith("40-F"):
        return _longest(text, _40f_titles(text))
    headings = _without_contents(text, _headings(text, form))
    if form.startswith(("10-K", "10-Q", "20-F")):
        headings = _with_unnumbered(text, form, headings)
    return _with_statements(text, headings, _longest(text, headings))


def longest_of_each(sections: Sequence[Section]) -> list[Section]:
    """Of the sections of one name the longest one, in the order of the text."""
    best: dict[str, Section] = {}
    for section in sections:
        known = best.get(section.name)
        if known is None or section.stop - section.start > known.stop - known.start:
            best[section.name] = section
    return sorted(best.values(), key=lambda section: section.start)


def _longest(text: str, headings: Sequence[_Heading]) -> list[Section]:
    return longest_of_each([
        Section(name=heading.name, start=start, stop=stop)
        for heading, (start, stop) in zip(headings, _spans(text, headings), strict=True)
    ])  # fmt: skip


def _spans(text: str, headings: Sequence[_Heading]) -> list[tuple[int, int]]:
    """From each heading to the next one, or to the signatures before it."""
    ends = [found.start() for found in _SIGNATURES.finditer(text)]
    spans: list[tuple[int, int]] = []
    for at, heading in enumerate(headings):
        following = headings[at + 1].start if at + 1 < len(headings) else len(text)
        after = bisect_right(ends, heading.start)
        spans.append((heading.start, min(ends[after], following) if after < len(ends) else following))
    return spans


def _with_statements(text: str, headings: Sequence[_Heading], sections: list[Section]) -> list[Section]:
    """The sections with the financial statements themselves, where their item only refers to them."""
    known = next((section for section in sections if section.name == "financial_statements"), None)
    if not headings or (known and has_statements(text, known.start, known.stop)):
        return sections
    start = statements_start(text, _parts_for_statements(text, headings))
    if start is None:
        return sections
    block = [*headings, _Heading(name="financial_statements", start=start)]
    return _longest(text, sorted(block, key=lambda heading: heading.start))


def _parts_for_statements(text: str, headings: Sequence[_Heading]) -> list[tuple[int, int]]:
    """The parts between headings and signatures that are not in an item which holds something else."""
    spans = _spans(text, headings)
    signatures = {found.start() for found in _SIGNATURES.finditer(text)}
    edges = sorted({0, len(text)} | {edge for span in spans for edge in span} | signatures)
    starts = [start for start, _ in spans]
    parts: list[tuple[int, int]] = []
    for first, last in pairwise(edges):
        at = bisect_right(starts, first) - 1
        if at < 0 or first >= spans[at][1] or headings[at].name in _LAST_ITEMS:
            parts.append((first, last))
    return parts


def _with_unnumbered(text: str, form: str, headings: list[_Heading]) -> list[_Heading]:
    """The headings with those that have no number: the index of exhibits, and the executive officers of a 10-K."""
    if not headings:
        return headings
    last = max((heading.start for heading in headings if heading.name not in _LAST_ITEMS), default=0)
    found = [*headings]
    found += [_Heading(name="exhibits", start=at.start()) for at in _EXHIBIT_INDEX.finditer(text, last)]
    if form.startswith("10-K"):
        starts = [heading.start for heading in headings]
        for at in _OFFICERS.finditer(text):
            before = bisect_right(starts, at.start()) - 1
            if before >= 0 and headings[before].name in {"mine_safety", "legal_proceedings"}:
                found.append(_Heading(name="executive_officers", start=at.start()))
    return sorted(found, key=lambda heading: heading.start)


def _40f_titles(text: str) -> list[_Heading]:
    named = [(found.start(), name_of_40f_title(found.group(1))) for found in _40F_TITLE.finditer(text)]
    return [_Heading(name=name, start=start) for start, name in named if name]


def _headings(text: str, form: str) -> list[_Heading]:
    """The places where an item may begin; what repeats the item that is already open is a page header."""
    found = [(match.start(), *_item(match)) for match in _HEADING.finditer(text) if not _PROSE.match(match.group(5))]
    if form.startswith("20-F"):
        found += [(match.start(), "3D", "") for match in _20F_RISKS.finditer(text)]
    named: list[_Heading] = []
    part = 0
    for start, item, title in sorted(found):
        if form.startswith("10-Q"):
            part = part_of_10q(item, title or _next_line(text, start), part)
        name = name_of_item(form, item, part, title or _next_line(text, start))
        if not named or named[-1].name != name:
            number = re.match(r"\d+", item)
            place = (part, int(number.group()) if number else 0, item)
            named.append(_Heading(name=name, start=start, place=place))
    return named


def _item(match: re.Match[str]) -> tuple[str, str]:
    number, decimals, dotted, letter, title = match.groups()
    return f"{int(number)}{f'.{decimals}' if decimals else ''}{(dotted or letter or '').upper()}", title.strip()


def _next_line(text: str, start: int) -> str:
    lines = text[start : start + 400].split("\n")[1:]
    return next((line for line in lines if line.strip()), "")


def _goes_on(heading: _Heading, following: _Heading) -> bool:
    """Whether a table of contents may go on there; where the items begin anew, it is over."""
    return following.start - heading.start < _TOC_GAP and following.place > heading.place


def _without_contents(text: str, headings: list[_Heading]) -> list[_Heading]:
    """Leave out tables of contents: many items close together, nearly all of which come again later."""
    kept: list[_Heading] = []
    remaining = Counter(heading.name for heading in headings)
    at = 0
    while at < len(headings):
        stop = at + 1
        while stop < len(headings) and _goes_on(headings[stop - 1], headings[stop]):
            stop += 1
        run = headings[at:stop]
        remaining.subtract(heading.name for heading in run)
        again = sum(remaining[heading.name] > 0 for heading in run)
        if len(run) < _TOC_ENTRIES or again < 0.7 * len(run):  # a contents lists what is left out later, too
            kept.extend(run)
        elif remaining[run[0].name] <= 0 and _SENTENCE.search(text, run[0].start, run[1].start):
            kept.append(run[0])  # the item before the contents of the next part
        at = stop
    return kept
