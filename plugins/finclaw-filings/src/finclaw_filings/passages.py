"""Cutting a text into passages that can be found and cited, and saying a query so that the index understands it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from finclaw_filings.sections import Section

_TARGET = 900
_LONGEST = 1_400
# Chinese, Japanese and Korean characters: words are not divided by blanks, or carry endings.
_CJK = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])")
_TERM = re.compile(r'"([^"]*)"|(\S+)')
_MAX_TERMS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a text: `text[start:stop]`, and the section it is in."""

    section: str | None
    start: int
    stop: int


def passages_of(text: str, sections: Sequence[Section]) -> Iterator[Passage]:
    """Cut a text into passages, at ends of lines where it can be done; none reaches over the begin of a section."""
    edges = sorted({0, len(text), *(section.start for section in sections), *(section.stop for section in sections)})
    for first, last in pairwise(edges):
        inside = next((section.name for section in sections if section.start <= first < section.stop), None)
        start = first
        while start < last:
            stop = _end(text, start, last)
            if text[start:stop].strip():
                yield Passage(section=inside, start=start, stop=stop)
            start = stop


def _end(text: str, start: int, last: int) -> int:
    if last - start <= _LONGEST:
        return last
    line = text.find("\n", start + _TARGET, start + _LONGEST)
    if line >= 0:
        return line + 1
    blank = text.rfind(" ", start + _TARGET, start + _LONGEST)
    return blank + 1 if blank >= 0 else start + _LONGEST


def indexed(text: str) -> str:
    """The text as the index reads it: each Chinese, Japanese or Korean character a word of its own."""
    return _CJK.sub(r" \1 ", text)


def search_terms(query: str) -> list[str]:
    """Each word or quoted phrase of a query as a phrase of the index; nothing in it can be taken for an operator."""
    terms = []
    for phrase, word in _TERM.findall(query):
        words = re.findall(r"\w+", indexed(phrase or word))
        if words:
            terms.append(f'"{" ".join(words)}"')
    return terms[:_MAX_TERMS]
