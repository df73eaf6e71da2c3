"""Whether the words beside a figure call it a gain or a loss."""

from __future__ import annotations

import re

_BETWEEN = r"(?:\s(?:by|of|about|around|nearly|over|some))*\s[*_(]*$"
_RISE = r"rose|risen|rises|gained|gains?|grew|grown|climbed|jumped|increased?|increases|added|profits?|surged|advanced"
_FALL = r"fell|fallen|falls|lost|loses|loss|dropped|drops?|declined|declines?|decreased?|decreases|shrank|slid|tumbled"
_RISEN = re.compile(rf"(?i:\b(?:{_RISE}){_BETWEEN})")
_FALLEN = re.compile(rf"(?i:\b(?:{_FALL}){_BETWEEN})")
_RISING = re.compile(r"[*_)]*\s?(?:의\s?)?(?:이익|흑자|상승|증가|올랐|늘었|수익을|gain\b|profit\b|higher\b|increase\b)")
_FALLING = re.compile(r"[*_)]*\s?(?:의\s?)?(?:손실|적자|하락|감소|내렸|줄었|떨어|loss\b|lower\b|decrease\b)")
_LOOK_BACK = 32


def direction(text: str, start: int, end: int) -> int:
    """1 for a rise or gain, -1 for a fall or loss, 0 where the words say neither."""
    before = text[max(0, start - _LOOK_BACK) : start]
    if _RISEN.search(before) or _RISING.match(text, end):
        return 1
    return -1 if _FALLEN.search(before) or _FALLING.match(text, end) else 0
