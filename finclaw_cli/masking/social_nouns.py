"""What single words and capitalised phrases are: a label, a person, another thing."""

from __future__ import annotations

from enum import Enum
from itertools import pairwise

from finclaw_cli.masking.people import is_name, is_person, may_be_name
from finclaw_cli.masking.social_words import (
    BREAKS,
    FILLERS,
    PERSON_WORDS,
    PLACES,
    SSN_PAIRS,
    SSN_SHORT,
    SSN_STEMS,
    SSN_WORDS,
    THINGS,
)

_NO_NAMES = PERSON_WORDS | BREAKS
_SHORT = 4


class Governor(Enum):
    """What governs a number: a label for such numbers, a person, another thing, or nothing that is known."""

    SSN = "ssn"
    PERSON = "person"
    THING = "thing"
    NOTHING = "nothing"


def bare(item: str) -> str:
    """A word without what is inflected: the dot of an abbreviation, a possessive, a Korean particle."""
    if item[:1] >= "가":
        return item.rstrip("은는이가을를의") or item
    return item.lower().rstrip(".").removesuffix("'s").removesuffix("’s").removesuffix("'")


def is_known(word: str) -> bool:
    """Whether a word is a known one, which is no part of a name."""
    return word in SSN_WORDS or word in FILLERS or (word in _NO_NAMES and not is_name(word))


def is_label(before: str, word: str, *, is_near: bool) -> bool:
    """Whether a word, with the one before it, is a label for social security numbers."""
    if word in SSN_WORDS or any(stem in word for stem in SSN_STEMS):
        return True
    return (before, word) in SSN_PAIRS or (word in SSN_SHORT and is_near)


def named(items: list[str], *, is_near: bool = True) -> Governor:
    """What capitalised words, with the separators between them, are: a person or, if they stand near, a thing."""
    words = [bare(item) for item in items if item[0].isalpha()]
    is_list = len(words) < len(items)
    is_open = is_list or (PLACES.isdisjoint(words) and may_be_name(words))  # "Ionescu, Bogdan" and "Anoush Petrosyan"
    thing = Governor.THING if is_near and not is_open else Governor.NOTHING
    if not SSN_PAIRS.isdisjoint(pairwise(words)):
        return Governor.SSN
    if any(is_thing(word) and not is_name(word) for word in words):
        return Governor.THING
    if PLACES.isdisjoint(words) and (is_person(words, is_list=is_list) or (is_list and may_be_name(words))):
        return Governor.PERSON
    return thing


def is_thing(word: str) -> bool:
    """Whether a word, or what it is the plural of, is a known thing."""
    return word in THINGS or (len(word) > _SHORT and word.removesuffix("s") in THINGS)
