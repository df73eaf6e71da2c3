"""What single words and capitalised phrases are: a label, a person, another thing; the words are in `social.txt`."""

from __future__ import annotations

from enum import Enum
from itertools import pairwise

from finclaw_cli.masking.people import is_name, is_person, may_be_name, sections
from finclaw_cli.masking.vocabulary import ONE, OTHER

# Each section of `social.txt` is one kind of evidence.
_WORDS = sections("social.txt")

SSN_WORDS, SSN_SHORT, SSN_PARTS = _WORDS["label"], _WORDS["short"], _WORDS["part"]
SSN_STEMS = tuple(sorted(_WORDS["stem"]))
SSN_PHRASES = tuple(sorted(phrase.replace("_", " ") for phrase in _WORDS["phrase"]))
SSN_PAIRS = frozenset((first, second) for first, _, second in (pair.partition("_") for pair in _WORDS["pair"]))
PERSON_WORDS, PRONOUNS, SELF, TITLES = _WORDS["person"], _WORDS["pronoun"], _WORDS["itself"], _WORDS["title"]
PARTICLES, KOREAN_FAMILY, PLACES, STATES = _WORDS["particle"], _WORDS["korean"], _WORDS["place"], _WORDS["state"]
FILLERS, BREAKS, CLAUSES, ANSWERS = _WORDS["filler"], _WORDS["break"], _WORDS["clause"], _WORDS["answer"]
PREPOSITIONS, NUMBERS, REFERENCES = _WORDS["preposition"], _WORDS["number"], _WORDS["reference"]
OF_PERSONS, NOT_THE_NUMBER, LEDGER = _WORDS["of_person"], _WORDS["not_the_number"], _WORDS["ledger"]
REQUESTS, UNITS = _WORDS["request"], _WORDS["unit"]
THINGS = (_WORDS["thing"] | {word for word, kind in ONE.items() if kind == OTHER}) - PERSON_WORDS - FILLERS - BREAKS

_NO_NAMES = PERSON_WORDS | BREAKS
_SHORT = 3
_LABELS = SSN_WORDS | SSN_SHORT | SSN_PARTS
_FOREIGN = (*SSN_STEMS, *SSN_PHRASES, *(second for _, second in SSN_PAIRS if not second.isascii()))


class Governor(Enum):
    """What governs a number: a label for such numbers, a person, another thing, or nothing that is known."""

    SSN = "ssn"
    PERSON = "person"
    THING = "thing"
    NOTHING = "nothing"


def bare(item: str) -> str:
    """A word without what is inflected: the dot of an abbreviation, a possessive, a Korean particle."""
    item = item.rstrip("은는이가을를의") or item
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


def may_have_label(low: str, words: frozenset[str]) -> bool:
    """Whether a text in lower case, with its ASCII words, has any label for social security numbers."""
    if not _LABELS.isdisjoint(words) or "ssn" in low or "*34*" in low or "sozialversicherung" in low:
        return True
    return not low.isascii() and any(term in low for term in _FOREIGN)
