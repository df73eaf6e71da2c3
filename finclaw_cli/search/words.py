"""The words of a text, as the index has them.

Of runs of Hangul, Han and kana each character makes a pair with the next one, and the last one stands alone: `환율은`
becomes `환율 율은 은`. Any part of two characters or more is then a phrase of pairs, and no phrase goes from one run to
the next. Other words are what stands between blanks and signs; `.`, `_`, `^` and `-` belong to a word where they stand
in it, `^` also before it: `BRK.B`, `^GSPC`, `2020-04-17`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

SIGNS = "._^-"
"""The signs that belong to words; all other characters of ASCII but letters and digits are between words."""
_PAIRED = "\u1100-\u11ff\u3040-\u30fa\u30fc-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
# What the tokenizer of the index takes for a word.
_WORD = re.compile(r"[^\x00-,/:-@\[-\]`{-\x7f]+")
# Signs that belong to no word, before one or after one. Patterns begin with a class, which is what `re` can skip to.
_LOOSE = re.compile(
    r"[._^-](?:(?<![^\W_].)(?<![._^-].)(?:(?<!\^)|(?![^\W_]))(?:[._-]|\^(?![^\W_]))*|[._^-]*+(?![^\W_]))"
)
_FOREIGN = re.compile(r"[^\x00-\x7f\w]++")


def normal(text: str) -> str:
    """A text in the form in which texts are compared: composed characters, in lower case."""
    return unicodedata.normalize("NFC", text).lower()


def words_of(text: str) -> list[str]:
    """The words and pairs of a text, in order."""
    return _WORD.findall(index_text(text))


def is_paired(word: str) -> bool:
    """Whether a word is a pair, or the last character of a run."""
    return not word.isascii() and _runs().fullmatch(word) is not None


def index_text(text: str) -> str:
    """A text of which the index itself makes these words, at the characters of ASCII that belong to none."""
    if text.isascii():
        return _LOOSE.sub(" ", text.lower())
    if _runs().search(text) is None:
        return _separated(normal(text))
    return " ".join(map(_FORMS.__getitem__, text.split()))


class _Forms(dict[str, str]):
    """What the index has of what stands between blanks, each made once: texts repeat their words."""

    def __missing__(self, given: str) -> str:
        form = _separated(_runs().sub(_pairs, normal(given)))
        if len(given) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[given] = form
        return form


_LONGEST_KEPT, _MOST_KEPT = 24, 50_000
_FORMS = _Forms()


@cache
def _runs() -> re.Pattern[str]:
    """Runs of characters that become pairs; compiled where there are any, as that takes some milliseconds."""
    return re.compile(f"[{_PAIRED}]+")


def _separated(compared: str) -> str:
    return _LOOSE.sub(" ", _FOREIGN.sub(" ", compared))


def _pairs(match: re.Match[str]) -> str:
    run = match[0]
    return f" {' '.join(map(str.__add__, run, run[1:]))} {run[-1]} "
