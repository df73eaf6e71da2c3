"""Names of people: whether a word, or a few capitalised ones, are one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

_SHORT = 2
_USUAL = (2, 3)


class _Names(NamedTuple):
    """Given names, family names, names that are ordinary words as well, and words that are no names."""

    given: frozenset[str]
    family: frozenset[str]
    words: frozenset[str]
    english: frozenset[str]


def sections(name: str) -> dict[str, frozenset[str]]:
    """The words of each section of a file of this package."""
    lines = Path(__file__).with_name(name).read_text("utf-8").split("\n")
    parts = "\n".join(["", *(line for line in lines if not line.startswith("# "))]).split("\n[")[1:]
    return {title: frozenset(words.split()) for title, _, words in (part.partition("]") for part in parts)}


@cache
def _names() -> _Names:
    """The list of names, read where a number that may be a person's was found, and never before."""
    return _Names(*sections("people.txt").values())


def is_name(word: str) -> bool:
    """Whether a capitalised word is a frequent name, given in lower case."""
    word, names = _folded(word), _names()
    return word in names.given or word in names.family or word in names.words


def is_lower_name(word: str) -> bool:
    """Whether a word that is written without a capital is a frequent given name, and no ordinary word."""
    return len(word) > _SHORT and _folded(word) in _names().given


def is_english(word: str) -> bool:
    """Whether a word is a frequent one of English, and no name."""
    return word in _names().english


def may_be_name(words: list[str]) -> bool:
    """Whether two or three capitalised words, in lower case, are so unusual that they can be a name."""
    return len(words) in _USUAL and _names().english.isdisjoint(words) and not any(map(is_name, words))


def is_person(words: list[str], *, is_list: bool) -> bool:
    """Whether capitalised words, in lower case, are a person's name; with `is_list`, with a comma between them.

    A family name stands last, or first before a comma: a company's name begins with one, too.
    """
    names, full = _names(), [word for word in words if len(word) > 1]
    if len(words) > len(full) and full and (any(map(is_name, full)) or _has_initial(words)):
        return True
    return any(_folded(word) in names.given for word in full) or any(map(is_name, full if is_list else full[-1:]))


def _has_initial(words: list[str]) -> bool:
    """Whether these are two unusual words with an initial between them."""
    return len(words) == max(_USUAL) and len(words[1]) == 1 and _names().english.isdisjoint(words[::2])


def _folded(word: str) -> str:
    """A word as the list has it: without accents, and a Slavic family name as men have it."""
    if not word.isascii():
        from unicodedata import normalize

        word = normalize("NFD", word).encode("ascii", "ignore").decode()
    return f"{word[:-1]}i" if word.endswith("ska") else word  # Zielinska, and Zielinski
