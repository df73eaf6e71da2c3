"""What the text above a number means for it: a request that it answers, a title, the heading or person of a block."""

from __future__ import annotations

import re
from collections.abc import Iterable

from finclaw_cli.masking.social import governor
from finclaw_cli.masking.social_nouns import (
    ANSWERS,
    BREAKS,
    FILLERS,
    NOT_THE_NUMBER,
    PERSON_WORDS,
    REQUESTS,
    Governor,
    bare,
    is_label,
    is_thing,
)
from finclaw_cli.masking.social_text import plain

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# "[6:06] Agent Tuan: ", "<ann> ", "> ", "A: ", "2. ": who writes a line, and what it is numbered with.
_SPEAKER = re.compile(
    r"[\s>*\"'|-]*(?:\[[^\]\n]{0,30}\]\s*|[0-9][0-9:.)]*\s*(?:[ap]m\s)?)?"
    r"(?:[A-Z][\w.'’]*(?: [\w.'’()]+){0,3}: |<\w+> )?"
)
# A line of a chat that has only a name and a time.
_BYLINE = re.compile(r"\W*(?:[A-Z]\w+ ){0,3}[A-Z]\w*[ ,\[(-]+[0-9:]{4,8}(?: ?[AaPp][Mm])?\W*")
_CELLS = re.compile(r" {2}|[|;\t,]")
_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_CLAUSE = re.compile(r"[.,;?!]\s")
_LINES, _LONGEST_LABEL, _LONGEST_NAME = 3, 8, 4
_BIRTH = re.compile(r"\b(?:born|d\.?o\.?b|b-?day|birth(?:day|date)?)\b", re.IGNORECASE)
# The number of what a title names: "Control number".
_TITLE = re.compile(r"[\W\d]*(?:[^\W\d_]+['’]?s? ){1,5}(?:number|no\.?|nbr|code|#):?\s*", re.IGNORECASE)
_IDENTITY = re.compile(r"identif|social|tax|person|individual", re.IGNORECASE)
_SECTION = re.compile(
    r"(?P<indent> *(?:- )?)(?:(?:#|//) ?(?P<comment>.+)|\[(?P<section>[\w. -]+)\]|[\"']?(?P<key>[\w -]+)[\"']?:) *"
)
_ENTRY = re.compile(r" *(?:- *)?(?:[\w.-]+ ?[:=] ?)?[\"']?")


def is_answer(line: str) -> bool:
    """Whether the text before a number is only what introduces the answer to a request."""
    words = [bare(word) for word in _WORD.findall(_SPEAKER.sub("", line, count=1))]
    return _noun(line) is Governor.NOTHING and all(
        word in ANSWERS or word in BREAKS or word in FILLERS for word in words
    )


def asked(above: list[str], before: str) -> Governor:
    """What is asked for in the text above, the nearest first; with more than an answer, in one line of it only."""
    *sentences, last = _SENTENCE.split(before)
    is_strict = is_answer(last)
    if is_answer(before):  # with "Sure." before it
        sentences = []
    else:
        before = last
    if not is_strict and _noun(before) is Governor.THING:
        return Governor.NOTHING
    lines = [line for line in above if not _BYLINE.fullmatch(line)]
    for line in [*sentences[:-2:-1], *lines[: _LINES if is_strict else 1]]:
        if "?" in line or (is_strict and not REQUESTS.isdisjoint(map(bare, _WORD.findall(line)))):
            for sentence in reversed(_SENTENCE.split(line)):
                if (found := _noun(sentence)) is not Governor.NOTHING:
                    return found if is_strict or found is Governor.SSN else Governor.NOTHING
        break
    return Governor.NOTHING


def titled(above: list[str]) -> Governor:
    """What the nearest of the lines above is a title for, if it is no more than that."""
    line = above[0] if above else ""
    words, is_cells = line.split(), _CELLS.search(line.strip())
    if is_cells or len(words) > _LONGEST_LABEL:
        return Governor.NOTHING
    is_other = _TITLE.fullmatch(line) and not _IDENTITY.search(line)
    return Governor.SSN if _noun(line) is Governor.SSN else Governor.THING if is_other else Governor.NOTHING


def headed(above: Iterable[str], line: str) -> Governor:
    """What the key, the section or the comment names that the entry of a list or of a block is below."""
    entry = _ENTRY.fullmatch(line)
    if not entry or _noun(line) is Governor.THING:
        return Governor.NOTHING
    indent = len(line) - len(line.lstrip(" -"))
    for heading in above:
        found = _SECTION.fullmatch(heading)
        if found and (found.group("key") is None or len(found.group("indent")) < indent):
            return _noun(found.group("comment") or found.group("section") or found.group("key"))
        if not _ENTRY.match(heading).end():  # type: ignore[union-attr]
            break
    return Governor.NOTHING


def in_clause(line: str) -> Governor:
    """What is named in the clause that a line ends with."""
    return _noun(_CLAUSE.split(line)[-1])


def is_of_person(above: list[str]) -> bool:
    """Whether the lines above begin a block with a person's name, or have a date of birth."""
    if any(_BIRTH.search(line) for line in above[:1]):
        return True
    return any(
        1 < len(line.split()) <= _LONGEST_NAME and ":" not in line and governor(line, above=True) is Governor.PERSON
        for line in above
    )


def _noun(sentence: str) -> Governor:
    """What a sentence asks for: a social security number, if that is among what it names."""
    words = [bare(word) for word in _WORD.findall(plain(sentence))]
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        if is_label(before, word, is_near=after not in NOT_THE_NUMBER) and after not in NOT_THE_NUMBER:
            return Governor.SSN
    return Governor.THING if any(is_thing(word) and word not in PERSON_WORDS for word in words) else Governor.NOTHING
