"""The words of a text, as the index has them.

Of runs of Hangul, Han and kana each character makes a pair with the next one, and the last one stands alone: `환율은`
becomes `환율 율은 은`. Any part of two characters or more is then a phrase of pairs, and no phrase goes from one run to
the next. Other words are what stands between blanks and signs; `.`, `_`, `^` and `-` belong to a word where they stand
in it, `^` also before it: `BRK.B`, `^GSPC`, `2020-04-17`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

PAIRED = "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_RUN = re.compile(f"[{PAIRED}]+")
_LETTER = rf"[^\W_{PAIRED}]"
_WORD = re.compile(rf"[{PAIRED}]{{1,2}}|\^?{_LETTER}+(?:[._^-]+{_LETTER}+)*")
# Signs at the edges of words, and what is no part of words outside of ASCII.
_BETWEEN = re.compile(rf"(?<!{_LETTER})(?<![._^-])[._^-]++|[._^-]++(?!{_LETTER})|[^\x00-\x7f\w{PAIRED}]++")
_INDEX_MARK = re.compile(rf"\^(?={_LETTER})")
SIGNS = "._^-"
"""The signs that belong to words; all other characters of ASCII but letters and digits are between words."""


def normal(text: str) -> str:
    """A text in the form in which texts are compared: composed characters, in lower case."""
    return unicodedata.normalize("NFC", text).lower()


def words_of(text: str) -> list[str]:
    """The words and pairs of a text, in order."""
    compared = normal(text)
    if not compared.isascii():
        compared = _RUN.sub(_pairs, compared)
    return _WORD.findall(compared)


def indexed(text: str) -> str:
    """A text of which the index itself makes these words, at the characters of ASCII that belong to none."""
    compared = normal(text)
    if not compared.isascii():
        compared = _RUN.sub(_pairs, compared)
    return _BETWEEN.sub(_blank, compared)


def _blank(between: re.Match[str]) -> str:
    return " ^" if _INDEX_MARK.match(between.string, between.end() - 1) else " "


def _pairs(run: re.Match[str]) -> str:
    return _pairs_of(run[0])


@lru_cache(maxsize=20_000)
def _pairs_of(run: str) -> str:
    return f" {' '.join(map(str.__add__, run, run[1:]))} {run[-1]} "
