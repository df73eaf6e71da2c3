"""Social security numbers without a label of their own: what stands before a number says whose, or of what, it is.

A number of this shape is taken for one unless the noun that governs it - in its field, its key, the header of its
column or the words directly before it - is another thing.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from itertools import pairwise

from finclaw_cli.masking.social_text import plain
from finclaw_cli.masking.social_words import (
    BREAKS,
    FILLERS,
    GIVEN_NAMES,
    KOREAN_FAMILY,
    PERSON_WORDS,
    PLACES,
    SSN_PAIRS,
    SSN_SHORT,
    SSN_STEMS,
    SSN_WORDS,
    THINGS,
)


class Governor(Enum):
    """What governs a number: a label for such numbers, a person, another thing, or nothing that is known."""

    SSN = "ssn"
    PERSON = "person"
    THING = "thing"
    NOTHING = "nothing"


_ITEM = re.compile(
    r"[^\W\d_]+(?:['’.&+-][^\W\d_]+)*\.?º?|[0-9][0-9.,/:-]*|->|[#|:=,;/{}]|\x01+"  # words, numbers, separators
)
_NUMBER = re.compile(r"000-00-0000[,.]?")
_ABBREVIATION = re.compile(
    r"(?:[a-z](?:\.[a-z])*|[a-z]{1,2}|num|nos|soc|sec|mrs|acct|prof|tel|ref|inv|cat|ser|ext|addr|art|núm)\.",
    re.IGNORECASE,
)
_CAPITAL = r"[A-Z][^\W\d_]*['’-]?[^\W\d_]*\.?"
_FOLLOWING_NAME = re.compile(rf"[\s\"'>)\]|,:;*_-]{{0,4}}(?P<name>{_CAPITAL}(?:,? {_CAPITAL}){{1,3}})(?![^\W_])")
_NO_NAMES, _KNOWN = PERSON_WORDS | BREAKS, THINGS | PLACES
_PARTICLES = frozenset(
    {"de", "la", "del", "las", "los", "da", "dos", "di", "van", "von", "der", "den", "ter", "bin", "al"}
)
# "Reach us at 512-33-8841": a phone number.
_REACHED = re.compile(r"\b(?:me|us|him|her|them) (?:at|on):? *$", re.IGNORECASE)
_SHORT_WORD = 5
_REACH = 14
_LONG_PHRASE = 4
_SHORT_NUMBER = 4
_PRONOUNS = frozenset(
    {
        "it",
        "i",
        "you",
        "me",
        "he",
        "she",
        "we",
        "they",
        "my",
        "his",
        "her",
        "your",
        "us",
        "them",
        "him",
        "our",
        "their",
        "its",
        "mine",
    }
)


@lru_cache(maxsize=4096)
def governor(left: str, *, above: bool = False) -> Governor:
    """What the text before a number, in its line or its field and with every digit 0, says of it.

    With `above`, the text is the line above, whose words do not stand directly before the number.
    """
    if _REACHED.search(left):
        return Governor.THING
    items = _ITEM.findall(plain(left))
    return _Walk(items, is_near=not above and not _is_sentence(items)).result()


@lru_cache(maxsize=4096)
def is_labelled(left: str) -> bool:
    """Whether a label for such numbers stands directly before one."""
    walk = _Walk(_ITEM.findall(plain(left)), is_near=True)
    return walk.result() is Governor.SSN and walk.is_near


@lru_cache(maxsize=4096)
def is_followed_by_name(right: str) -> bool:
    """Whether a person's name stands directly after a number."""
    found = _FOLLOWING_NAME.match(right)
    return found is not None and _named(found.group("name").split(), is_near=True) is Governor.PERSON


def _is_sentence(items: list[str]) -> bool:
    """Whether the words before a colon at the end are too many for a label, and speak of somebody."""
    if items[-1:] != [":"]:
        return False
    clause = [item.lower() for item in items[:-1]]
    for end in ("|", ";", "{", "="):
        if end in clause:
            clause = clause[len(clause) - clause[::-1].index(end) :]
    return len(clause) >= _LONG_PHRASE and not _PRONOUNS.isdisjoint(clause)


class _Walk:
    """Reads words from the number back, until one says what the number is."""

    def __init__(self, items: list[str], *, is_near: bool) -> None:
        self._items = items
        self._index = len(items) - 1
        self.is_near = is_near
        # After another number or another field: a thing that is named there is not what this number is of.
        self._is_apart = False

    def result(self) -> Governor:
        for _ in range(_REACH):
            if self._index < 0:
                break
            item = self._items[self._index]
            if self._ends(item):
                break
            found = self._word() if item[0].isalpha() else self._mark(item)
            if found is not Governor.NOTHING:
                return found
        return Governor.NOTHING

    def _ends(self, item: str) -> bool:
        """Whether a sentence or an object of JSON begins after a item; what that object is of belongs to it."""
        if item == "{":
            return self._index == 0 or self._items[self._index - 1] != ":"
        is_first = self._index == 0 and len(item) <= _SHORT_WORD  # an abbreviation, and no sentence
        return item == "}" or (item.endswith(".") and not is_first and not _ABBREVIATION.fullmatch(item))

    def _mark(self, item: str) -> Governor:
        """Pass a number or a separator."""
        self._index -= 1
        if item == "#" and self.is_near:
            before = self._items[self._index] if self._index >= 0 else ""
            return Governor.NOTHING if before and before[0].isalpha() else Governor.THING
        if item[0].isdigit() and not _NUMBER.fullmatch(item):
            self._is_apart = self._is_apart or not self.is_near or len(item) > _SHORT_NUMBER + 1
        if item == "|":
            self._is_apart = self._is_apart or "|" in self._items[: self._index + 1]
        elif item == ";":
            self._is_apart = True
        self.is_near = self.is_near and item in {"#", ":", "="} and not self._is_apart
        if item[0].isdigit() and not self._is_apart:
            self.is_near = True
        return Governor.NOTHING

    def _word(self) -> Governor:
        item = self._items[self._index]
        word = _bare(item)
        before = _bare(self._items[self._index - 1]) if self._index else ""
        if _is_ssn(before, word, is_near=self.is_near) or self._is_alternative():
            return Governor.THING if self._is_apart else Governor.SSN
        if word in PERSON_WORDS:
            return Governor.PERSON
        if word in FILLERS or (word in BREAKS and word not in THINGS):
            self.is_near = self.is_near and word in FILLERS
            self._index -= 1
            return Governor.NOTHING
        if item[0] >= "가":
            return self._korean(word)
        if item[0].isupper():
            return self._capitals()
        return self._thing(word)

    def _is_alternative(self) -> bool:
        """Whether the label is one of two, the other of which is for these numbers: "SSN or EIN"."""
        before = self._items[max(0, self._index - 2) : self._index]
        return self.is_near and before[1:] in (["or"], ["/"]) and _is_ssn("", _bare(before[0]), is_near=False)

    def _thing(self, word: str) -> Governor:
        if self.is_near and word not in _KNOWN and self._is_named():
            return Governor.PERSON
        self._index -= 1
        is_thing = self.is_near or (word in THINGS and not self._is_apart)
        return Governor.THING if is_thing else Governor.NOTHING

    def _is_named(self) -> bool:
        """Whether these words are said to be a name: "Name: jane roe"."""
        words = self._items[max(0, self._index - _LONG_PHRASE) : self._index + 1]
        end = len(words) - words[::-1].index(":") - 1 if ":" in words else 0
        label = _bare(words[end - 1]) if end else ""
        return label == "name" or (label in PERSON_WORDS and label not in _PRONOUNS and end < len(words) - 2)

    def _korean(self, word: str) -> Governor:
        if word.endswith(("씨", "님")) or (len(word) in {3, 4} and word[0] in KOREAN_FAMILY and "번호" not in word):
            return Governor.PERSON
        return self._thing(word)

    def _capitals(self) -> Governor:
        """The capitalised words that end here: a name, or what a thing is called."""
        end = self._index
        while self._index >= 0 and self._is_name_part(end):
            self._index -= 1
        words = [item for item in self._items[self._index + 1 : end + 1] if item[0].isalpha()]
        found = _named(words, is_near=self.is_near)
        if found is Governor.THING and self._follows_role(words):
            return Governor.PERSON
        return Governor.NOTHING if found is Governor.THING and self._is_apart else found

    def _follows_role(self, words: list[str]) -> bool:
        """Whether one unknown capitalised word is somebody's: "Participant # 3: Petrov", or "Olga's"."""
        if len(words) > 1 or _bare(words[0]) in _KNOWN:
            return False
        index = self._index
        while index > 0 and (self._items[index] in {":", "#"} or self._items[index].rstrip(":.").isdigit()):
            index -= 1
        role = _bare(self._items[index]) if index >= 0 else ""
        return words[0].endswith(("'s", "’s")) or (role in PERSON_WORDS and role not in _PRONOUNS)

    def _is_name_part(self, end: int) -> bool:
        item = self._items[self._index]
        if item in {",", ";", "|"}:  # "Doe, Jane": both are one name
            before = self._items[self._index - 1] if self._index else ""
            return end - self._index == 1 and before[:1].isupper() and not _says(_bare(before))
        if item in _PARTICLES:
            return (
                self._index < end
                and self._index > 0
                and (self._items[self._index - 1][0].isupper() or self._items[self._index - 1] in _PARTICLES)
            )
        return item[0].isupper() and not _says(_bare(item))


def _bare(item: str) -> str:
    """A word without what is inflected: the dot of an abbreviation, a possessive, a Korean particle."""
    if item[:1] >= "가":
        return item.rstrip("은는이가을를의") or item
    return item.lower().rstrip(".").removesuffix("'s").removesuffix("’s").removesuffix("'")


def _says(word: str) -> bool:
    """Whether a word is a known one, which is no part of a name."""
    return word in SSN_WORDS or word in FILLERS or (word in _NO_NAMES and word not in GIVEN_NAMES)


def _is_ssn(before: str, word: str, *, is_near: bool) -> bool:
    if word in SSN_WORDS or word.startswith(SSN_STEMS):
        return True
    return (before, word) in SSN_PAIRS or (word in SSN_SHORT and is_near)


def _named(words: list[str], *, is_near: bool) -> Governor:
    """Whether capitalised words are a person's name."""
    bare = [_bare(word) for word in words]
    thing = Governor.THING if is_near else Governor.NOTHING
    if not SSN_PAIRS.isdisjoint(pairwise(bare)):
        return Governor.SSN
    if not THINGS.isdisjoint(bare):
        return Governor.THING
    if not PLACES.isdisjoint(bare):
        return thing
    if not GIVEN_NAMES.isdisjoint(bare):
        return Governor.PERSON
    return Governor.PERSON if len([word for word in bare if len(word) > 1]) > 1 or _has_initial(words) else thing


def _has_initial(words: list[str]) -> bool:
    return len(words) > 1 and any(len(word) == 2 and word.endswith(".") for word in words)  # noqa: PLR2004
