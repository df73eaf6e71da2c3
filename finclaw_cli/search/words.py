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


def _pairs(run: re.Match[str]) -> str:
    return _pairs_of(run[0])


@lru_cache(maxsize=20_000)
def _pairs_of(run: str) -> str:
    return " ".join(map(str.__add__, run, run[1:])) + f" {run[-1]} "
