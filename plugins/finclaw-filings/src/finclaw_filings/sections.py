"""Finding the items of a report in its text: robust against tables of contents, page headers and cross-references."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass

_HEADING = re.compile(
    r"^[|•· ]*+(?:PART\s{1,3}[IV]{1,3}\s{0,3}[,.:|—–-]{0,9}\s{0,3})?ITEM\s{0,3}(\d{1,2})"
    r"(?:\.(\d{2})|\s?\(?([A-F])\)?)?(?=[\s.:|—–-]|$)[\s.:|—–-]{0,200}([^\n]{0,200})$",
    re.IGNORECASE | re.MULTILINE,
)
_SIGNATURES = re.compile(r"^SIGNATURES?$", re.IGNORECASE | re.MULTILINE)
_20F_RISKS = re.compile(
    r"^(?:ITEM\s{0,3}3\s{0,3}\.?\s{0,3})?D\.\s{0,3}\|?\s{0,3}RISK FACTORS\.?$", re.IGNORECASE | re.MULTILINE
)
_TOC_GAP = 400
_TOC_ENTRIES = 4
# What a sentence goes on with that merely refers to an item.
_PROSE = re.compile(r"^(?:of|in|and|to|above|below|for|is|was|as|or|on|with|herein|hereof|which)\b|^[,;)]")

_10K = {
    "1": "business", "1A": "risk_factors", "1B": "unresolved_staff_comments", "1C": "cybersecurity",
    "2": "properties", "3": "legal_proceedings", "4": "mine_safety", "5": "market_for_equity", "6": "selected_data",
    "7": "mda", "7A": "market_risk", "8": "financial_statements", "9": "accountant_changes", "9A": "controls",
    "9B": "other_information", "9C": "foreign_inspections", "10": "directors", "11": "executive_compensation",
    "12": "ownership", "13": "related_transactions", "14": "accountant_fees", "15": "exhibits", "16": "summary",
}  # fmt: skip
# Part II of a quarterly report counts from 1 again.
_10Q = (
    {"1": "financial_statements", "2": "mda", "3": "market_risk", "4": "controls"},
    {"1": "legal_proceedings", "1A": "risk_factors", "2": "equity_sales", "3": "defaults", "4": "mine_safety",
     "5": "other_information", "6": "exhibits"},
)  # fmt: skip
_20F = {
    "1": "directors", "2": "offer_statistics", "3": "key_information", "3D": "risk_factors", "4": "business",
    "4A": "unresolved_staff_comments", "5": "mda", "6": "management", "7": "ownership", "8": "financial_information",
    "9": "offer_and_listing", "10": "additional_information", "11": "market_risk", "12": "other_securities",
    "13": "defaults", "14": "modified_rights", "15": "controls", "16": "governance", "17": "financial_statements_17",
    "18": "financial_statements", "19": "exhibits",
}  # fmt: skip
_PART_ONE_OF_10Q = re.compile(
    r"financial statements|management.s discussion|quantitative|controls and proc", re.IGNORECASE
)


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
    place: tuple[int, int, str]
    """Part, item and letter, which rise within a table of contents."""


def sections_of(text: str, form: str) -> list[Section]:
    """The items that a report of that form has, in the order of the text; empty where none can be distinguished."""
    headings = _without_contents(_headings(text, form.upper().removesuffix("/A")))
    ends = [found.start() for found in _SIGNATURES.finditer(text)]
    best: dict[str, Section] = {}
    for at, heading in enumerate(headings):
        following = headings[at + 1].start if at + 1 < len(headings) else len(text)
        after = bisect_right(ends, heading.start)
        stop = min(ends[after], following) if after < len(ends) else following
        section = Section(name=heading.name, start=heading.start, stop=stop)
        known = best.get(heading.name)
        if known is None or section.stop - section.start > known.stop - known.start:
            best[heading.name] = section
    return sorted(best.values(), key=lambda section: section.start)


def _headings(text: str, form: str) -> list[_Heading]:
    """The places where an item may begin; what repeats the item that is already open is a page header."""
    found = [(match.start(), *_item(match)) for match in _HEADING.finditer(text) if not _PROSE.match(match.group(4))]
    if form.startswith("20-F"):
        found += [(match.start(), "3D", "") for match in _20F_RISKS.finditer(text)]
    named: list[_Heading] = []
    part = 0
    for start, item, title in sorted(found):
        if form.startswith("10-Q"):
            part = _part(item, title or _next_line(text, start), part)
        name = _name(form, item, part)
        if not named or named[-1].name != name:
            number = re.match(r"\d+", item)
            place = (part, int(number.group()) if number else 0, item)
            named.append(_Heading(name=name, start=start, place=place))
    return named


def _item(match: re.Match[str]) -> tuple[str, str]:
    number, decimals, letter, title = match.groups()
    return f"{int(number)}{f'.{decimals}' if decimals else ''}{(letter or '').upper()}", title.strip()


def _next_line(text: str, start: int) -> str:
    lines = text[start : start + 400].split("\n")[1:]
    return next((line for line in lines if line.strip()), "")


def _part(item: str, title: str, part: int) -> int:
    """Which part of a quarterly report an item is in: by its title, else as the one before."""
    if item in {"1A", "5", "6"}:
        return 1
    return 0 if _PART_ONE_OF_10Q.search(title) else (1 if title else part)


def _name(form: str, item: str, part: int) -> str:
    if form.startswith("10-Q"):
        table = _10Q[part]
    elif form.startswith("20-F"):
        table = _20F
    else:
        table = _10K if form.startswith("10-K") else {}
    return table.get(item) or f"item_{item.lower().replace('.', '_')}"


def _goes_on(heading: _Heading, following: _Heading) -> bool:
    """Whether a table of contents may go on there; where the items begin anew, it is over."""
    return following.start - heading.start < _TOC_GAP and following.place > heading.place


def _without_contents(headings: list[_Heading]) -> list[_Heading]:
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
        at = stop
    return kept
