"""What the lines above a number mean for it: a request that it answers, a label or a title, the block of a person."""

from __future__ import annotations

import re

from finclaw_cli.masking.social import governor
from finclaw_cli.masking.social_nouns import Governor, bare, is_label, is_thing
from finclaw_cli.masking.social_text import plain
from finclaw_cli.masking.social_words import ANSWERS, BREAKS, FILLERS

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# "[6:06] Agent Tuan: ", "> ", "A: ", "2. ": who writes a line, and what it is numbered with.
_SPEAKER = re.compile(
    r"[\s>*\"'|-]*(?:\[[^\]\n]{0,30}\]\s*|[0-9][0-9:.)]*\s*(?:[ap]m\s)?)?(?:[A-Z][\w.'’]*(?: [\w.'’()]+){0,3}: )?"
)
_REQUEST = re.compile(
    r"\?|\b(?:enter|type|provide|need|needs|give|send|reply|confirm|verify|read|please|missing|require[sd]?|ask(?:ed|ing)?|"
    r"want|text me|share|supply|tell me|key in|state your|por favor|introduzca|ingrese)\b",
    re.IGNORECASE,
)
_CELLS = re.compile(r" {2}|[|;\t,]")
_REMARK = re.compile(r"\([^()]*\)")
_SENTENCE = re.compile(r"(?<=[.?!])\s")
_NOT_THE_NUMBER = frozenset({"media", "worker", "workers", "event", "events", "benefit", "benefits", "office", "card"})
_CLAUSE = re.compile(r"[.,;?!]\s")
_ENDS_LABEL = re.compile(r"(?::|=|\b(?:is|was|es|ist|est|é|è|lautet)) *[\"']?$")
_LINES, _LONGEST_LABEL, _LONGEST_NAME = 3, 8, 4
_BIRTH = re.compile(r"\b(?:born|d\.?o\.?b|b-?day|birth(?:day|date)?)\b", re.IGNORECASE)


def is_answer(line: str) -> bool:
    """Whether the text before a number is only what introduces the answer to a request."""
    words = [bare(word) for word in _WORD.findall(_SPEAKER.sub("", line, count=1))]
    return _noun(line) is Governor.NOTHING and all(
        word in ANSWERS or word in BREAKS or word in FILLERS for word in words
    )


def asked(above: list[str], before: str) -> Governor:
    """What is asked for in the lines above, the nearest first; with more than an answer, in that one only."""
    is_strict = is_answer(before)
    if not is_strict and _noun(before) is Governor.THING:
        return Governor.NOTHING
    for line in above[: _LINES if is_strict else 1]:
        if _REQUEST.search(line) and (is_strict or "?" in line):
            for sentence in reversed(_SENTENCE.split(line)):
                if (found := _noun(sentence)) is not Governor.NOTHING:
                    return found if is_strict or found is Governor.SSN else Governor.NOTHING
            return Governor.NOTHING
        if not line.startswith("("):
            break
    return Governor.NOTHING


def titled(above: list[str]) -> bool:
    """Whether the nearest of the lines above is a label for such numbers and no more than that."""
    line = above[0] if above else ""
    words, is_cells = line.split(), _CELLS.search(_REMARK.sub("", line).strip())
    is_sentence = line.rstrip().endswith(".") and len(words) > _LONGEST_NAME
    return len(words) <= _LONGEST_LABEL and not is_cells and not is_sentence and _noun(line) is Governor.SSN


def is_introduced(line: str) -> bool:
    """Whether the text before a number ends in a label with a phrase behind it: "SSN of the applicant:"."""
    clause = _CLAUSE.split(line)[-1]
    return bool(_ENDS_LABEL.search(clause)) and _noun(clause) is Governor.SSN and governor(line) is Governor.SSN


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
        if is_label(before, word, is_near=after not in _NOT_THE_NUMBER) and after not in _NOT_THE_NUMBER:
            return Governor.SSN
    return Governor.THING if any(map(is_thing, words)) else Governor.NOTHING
