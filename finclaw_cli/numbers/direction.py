"""The direction of a figure, gain or loss, from the words next to it."""

from __future__ import annotations

import re

_BETWEEN = r"(?:\s(?:by|of|about|around|nearly|over|some))*\s[*_(]*"
_RISE = r"rose|risen|rises|gained|gains?|grew|grown|climbed|jumped|increased?|increases|added|profits?|surged|advanced"
_FALL = r"fell|fallen|falls|lost|loses|loss|dropped|drops?|declined|declines?|decreased?|decreases|shrank|slid|tumbled"
_RISEN = re.compile(rf"(?i:(?:\b(?:{_RISE}){_BETWEEN}|(?:이익|흑자|상승|증가)[가-힣]{{0,2}}\s+)$)")
_FALLEN = re.compile(rf"(?i:(?:\b(?:{_FALL}){_BETWEEN}|(?:손실|적자|하락|감소)[가-힣]{{0,2}}\s+)$)")
_RISING = re.compile(
    r"[*_)]*\s?(?:의\s?)?(?:이익|흑자|상승|증가|올랐|늘었|수익을|영업이익|영업흑자|gain\b|profit\b|higher\b|increase\b)"
)
_FALLING = re.compile(
    r"[*_)]*\s?(?:의\s?)?(?:손실|적자|하락|감소|내렸|줄었|떨어|영업손실|영업적자|loss\b|lower\b|decrease\b)"
)
_LOOK_BACK = 32


def direction(text: str, start: int, end: int) -> int:
    """Return 1 for a rise or gain, -1 for a fall or loss, 0 for neither; words after the figure take precedence."""
    before = text[max(0, start - _LOOK_BACK) : start]
    if _RISING.match(text, end) or _FALLING.match(text, end):
        return 1 if _RISING.match(text, end) else -1
    if _RISEN.search(before):
        return 1
    return -1 if _FALLEN.search(before) else 0
