"""The cover page of a report in inline XBRL: the facts of the taxonomy `dei`, on the page and in its hidden header.

The facts of the report itself have the context of `dei:DocumentType`; those of further registrants and of single
securities have contexts of their own. Formats of dates and flags: Inline XBRL Transformation Rules Registry 4.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from finclaw_filings.filing_facts import FilingFacts, cik_or_none
from finclaw_filings.profile_file import normal_ticker
from finclaw_filings.sec_json import date_from, text_from

_TAG = re.compile(r"<(/?)ix:nonnumeric\b([^<>]*+)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\b([a-z]{1,20})\s{0,5}=\s{0,5}[\"']([^\"'<>]{0,300})", re.IGNORECASE)
_MARKUP = re.compile(r"<[^<>]*+>")
_MAX_FACT, _MAX_OPEN, _MAX_TICKERS = 5_000, 1_000, 100
_NAMES = frozenset(
    f"dei:{name}"
    for name in (
        "EntityCentralIndexKey", "EntityRegistrantName", "DocumentType", "DocumentPeriodEndDate", "AmendmentFlag",
        "TradingSymbol",
    )
)  # fmt: skip
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_FIRST = re.compile(r"([a-z]{3})[a-z]{0,6}\.?,? {0,3}(\d{1,2})(?:st|nd|rd|th)?,? {1,3}(\d{4})", re.IGNORECASE)
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)? {1,3}([a-z]{3})[a-z]{0,6}\.?,? {1,3}(\d{4})", re.IGNORECASE)
_NUMBERS = re.compile(r"(\d{1,2})[ ./-](\d{1,2})[ ./-](\d{4})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """What a cover page has."""

    facts: FilingFacts
    tickers: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    """Facts that are there and could not be read, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fact:
    name: str
    context: str
    format: str
    text: str


def cover_of(markup: str) -> Cover:
    """Read the cover page; without `dei:DocumentType` there is none."""
    facts = list(_facts(markup))
    own = next((fact.context for fact in facts if fact.name == "dei:DocumentType" and fact.text), None)
    if own is None:
        return Cover(facts=FilingFacts())
    period = _one(facts, "dei:DocumentPeriodEndDate", own)
    day = _day(period) if period else None
    number, name = _one(facts, "dei:EntityCentralIndexKey", own), _one(facts, "dei:EntityRegistrantName", own)
    found = FilingFacts(
        cik=cik_or_none(number.text) if number else None,
        company=text_from(name.text) if name else None,
        form=_form(facts, own),
        period=day,
    )
    unread = (f"the period {period.text[:40]!r} on its cover page is not a date",) if period and not day else ()
    return Cover(facts=found, tickers=_tickers(facts), unread=unread)


def _facts(markup: str) -> Iterator[_Fact]:
    """The facts with one of the names; one may be inside another."""
    opened: list[tuple[int, dict[str, str]]] = []
    for tag in _TAG.finditer(markup):
        slash, attributes = tag.groups()
        if not slash and not attributes.endswith("/") and len(opened) < _MAX_OPEN:
            given = {key.lower(): value for key, value in _ATTRIBUTE.findall(attributes)}
            opened.append((tag.end(), given))
        elif slash and opened:
            start, given = opened.pop()
            name = given.get("name", "")
            if name in _NAMES and tag.start() - start <= _MAX_FACT:
                text = " ".join(html.unescape(_MARKUP.sub("", markup[start : tag.start()])).split())
                kind = given.get("format", "").rpartition(":")[2].lower()
                yield _Fact(name=name, context=given.get("contextref", ""), format=kind, text=text)


def _one(facts: Sequence[_Fact], name: str, context: str) -> _Fact | None:
    """The one fact of that name in the report's own context or, where it has none there, in all; None where several."""
    named = [fact for fact in facts if fact.name == name and fact.text]
    meant = [fact for fact in named if fact.context == context] or named
    return meant[0] if len({fact.text for fact in meant}) == 1 else None


def _form(facts: Sequence[_Fact], own: str) -> str | None:
    kind, flag = _one(facts, "dei:DocumentType", own), _one(facts, "dei:AmendmentFlag", own)
    form = text_from(kind.text, 20) if kind else None
    amended = flag is not None and ("true" in flag.format or flag.text.casefold() in {"true", "yes"})
    return f"{form}/A" if form and amended and not form.endswith("/A") else form


def _tickers(facts: Sequence[_Fact]) -> tuple[str, ...]:
    """The symbols of the company's securities; none where several companies report together."""
    if len({fact.text for fact in facts if fact.name == "dei:EntityCentralIndexKey"}) > 1:
        return ()
    named = [normal_ticker(fact.text) for fact in facts if fact.name == "dei:TradingSymbol"]
    return tuple(dict.fromkeys(ticker for ticker in named if ticker and ticker != "NONE"))[:_MAX_TICKERS]


def _day(fact: _Fact) -> str | None:
    """The date of a fact: as XML writes it, with the month in words, or in numbers in the order of its format."""
    if found := _MONTH_FIRST.fullmatch(fact.text):
        return _date(found[3], _month(found[1]), found[2])
    if found := _DAY_FIRST.fullmatch(fact.text):
        return _date(found[3], _month(found[2]), found[1])
    if found := _NUMBERS.fullmatch(fact.text):
        order = fact.format.removeprefix("date").replace("-", "")
        if order == "monthdayyear":
            return _date(found[3], int(found[1]), found[2])
        return _date(found[3], int(found[2]), found[1]) if order == "daymonthyear" else None
    return date_from(fact.text)


def _month(word: str) -> int:
    return _MONTHS.index(word.lower()) + 1 if word.lower() in _MONTHS else 0


def _date(year: str, month: int, day: str) -> str | None:
    return date_from(f"{year}-{month:02d}-{int(day):02d}")
