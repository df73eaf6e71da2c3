"""Social security numbers without a label of their own: what stands before a number shows whose, or of what, it is.

A number of this shape is taken for one unless the noun that governs it - in its field, its key, the header of its
column or the words directly before it - is another thing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from finclaw_cli.masking.people import is_lower_name, is_name
from finclaw_cli.masking.social_nouns import (
    BREAKS,
    CLAUSES,
    FILLERS,
    KOREAN_FAMILY,
    NUMBERS,
    OF_PERSONS,
    PARTICLES,
    PERSON_WORDS,
    PLACES,
    PREPOSITIONS,
    PRONOUNS,
    REFERENCES,
    SELF,
    STATES,
    THINGS,
    TITLES,
    Governor,
    bare,
    is_known,
    is_label,
    is_thing,
    named,
)
from finclaw_cli.masking.social_text import phrase, plain

_ITEM = re.compile(
    r"[^\W\d_]+(?:['’.&+-][^\W\d_]+)*\.?º?|[0-9][0-9.,/:-]*|->|[#|:=,;/{}]|\x01+"  # words, numbers, separators
)
_NUMBER = re.compile(r"000-00-0000[,.]?")
_ABBREVIATION = re.compile(
    r"(?:[a-z](?:\.[a-z])*|[a-z]{1,2}|num|nos|soc|sec|mrs|acct|prof|tel|ref|inv|cat|ser|ext|addr|art|núm)\.",
    re.IGNORECASE,
)
_KNOWN = THINGS | PLACES
_ENDS_LABEL = re.compile(r"(?::|=|\b(?:is|was|es|ist|est|é|è|lautet)) *[\"']?$")
# A remark, but not the one directly before the number, which can be its kind: "(fax)".
_REMARK = re.compile(r"\([^()]*\)(?! *$)")
_OF = frozenset({"for", "of", "on", "under"})
_INITIAL, _ARTICLE, _CODE = 2, 1, (2, 3, 4)
_KOREAN_NAME = 3
_REACH = 14
_LONG_PHRASE, _LONG_LABEL = 4, 7
_SHORT_NUMBER = 4


@lru_cache(maxsize=4096)
def governor(left: str, *, above: bool = False) -> Governor:
    """What the text before a number, in its line or its field and with every digit 0, means for it.

    With `above`, the text is the line above, whose words do not stand directly before the number.
    """
    return _walked(left, above=above)[0]


@lru_cache(maxsize=4096)
def nearest(left: str) -> Governor:
    """What the words that stand directly before a number say of it."""
    found, is_near = _walked(left, above=False)
    is_near = is_near or (found is Governor.SSN and _ENDS_LABEL.search(left) is not None)
    return found if is_near else Governor.NOTHING


def _walked(left: str, *, above: bool) -> tuple[Governor, bool]:
    """What a text before a number means for it, and whether that stands directly before it."""
    if (found := phrase(left)) is not Governor.NOTHING:
        return found, True
    items = _ITEM.findall(_REMARK.sub(" ", plain(left).lstrip("| ")))
    walk = _Walk(items, is_near=not above and not _is_sentence(items))
    return walk.result(), walk.is_near


def _is_sentence(items: list[str]) -> bool:
    """Whether the words before a colon at the end are too many for a label, and speak of a person."""
    if items[-1:] != [":"]:
        return False
    return len(items) > _LONG_PHRASE and not PRONOUNS.isdisjoint(item.lower() for item in items)


class _Walk:
    """Reads words from the number back, until one shows what the number is."""

    def __init__(self, items: list[str], *, is_near: bool) -> None:
        self._items = items
        self._index = len(items) - 1
        self.is_near = is_near
        # After another number or another field: a thing that is named there is not what this number is of.
        self._is_apart = False
        # Before words that can be a name, or before a clause: a thing that is named there does not count.
        self._is_open = False

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
        return item == "}" or (item.endswith(".") and not _ABBREVIATION.fullmatch(item))

    def _mark(self, item: str) -> Governor:
        """Pass a number or a separator."""
        self._index -= 1
        if item[0].isdigit() and not _NUMBER.fullmatch(item):
            self._is_apart = self._is_apart or not self.is_near or len(item) > _SHORT_NUMBER + 1
        if item == "|":
            self._is_apart = self._is_apart or "|" in self._items[: self._index + 1]
        is_headed = item == "|" and self._index >= 0 and self._items[self._index] in {"#", ":"}  # "| Item # | 00 |"
        self.is_near = self.is_near and (item in {"#", ":", "="} or is_headed) and not self._is_apart
        if item[0].isdigit() and not self._is_apart:
            self.is_near = True
        return Governor.NOTHING

    def _word(self) -> Governor:
        item = self._items[self._index]
        word = bare(item)
        before = bare(self._items[self._index - 1]) if self._index else ""
        if is_label(before, word, is_near=self.is_near):
            return Governor.THING if self._is_apart else Governor.SSN
        if word in PERSON_WORDS:
            return self._role(word, before)
        if self.is_near and self._is_code():
            return Governor.THING
        if word in FILLERS or (word in BREAKS and word not in THINGS):
            self._is_open = self._is_open or word in CLAUSES
            self.is_near = self.is_near and word in FILLERS
            self._index -= 1
            return Governor.NOTHING
        if item[0] >= "가":
            return self._korean(word)
        if item[0].isupper():
            return self._capitals()
        return self._thing(word)

    def _role(self, word: str, before: str) -> Governor:
        """A person, unless the number is one that people in a role have: "employee ID", "numéro client"."""
        after = bare(self._items[self._index + 1]) if self._index + 1 < len(self._items) else ""
        is_owner = "'" in self._items[self._index] or "’" in self._items[self._index]
        references = [before, bare(self._items[self._index - 2])] if before == "de" and self._index > 1 else [before]
        is_counted = (after in NUMBERS and self.is_near and not is_owner) or not REFERENCES.isdisjoint(references)
        if word in TITLES and self.is_near:
            return Governor.THING  # "DR" of debit
        return Governor.THING if is_counted and word not in SELF | PRONOUNS else self._owned(self._index)

    def _thing(self, word: str) -> Governor:
        if self.is_near and word not in _KNOWN and self._is_named():
            return self._owned(self._index)
        if self.is_near and self._head(self._index) is Governor.SSN:
            return Governor.SSN
        self._index -= 1
        following = self._items[self._index + 2 : self._index + 3]
        if len(word) == 1 and word not in _KNOWN and following == [":"]:
            return Governor.NOTHING
        if self.is_near:
            return Governor.THING
        return self._far_thing(word, following) if is_thing(word) else Governor.NOTHING

    def _far_thing(self, word: str, following: list[str]) -> Governor:
        """What a thing means that other words separate from the number."""
        if not self._is_apart and not NUMBERS.isdisjoint(following):
            return Governor.THING
        of_person = word in OF_PERSONS and not _OF.isdisjoint(following)
        if self._is_apart or self._is_open or of_person:
            return Governor.NOTHING
        return Governor.SSN if self._has_label() else Governor.THING

    def _is_named(self) -> bool:
        """Whether these words are a name, or are labelled as one: "jane roe", "Name: jane roe"."""
        return any(map(is_lower_name, map(bare, self._items[max(0, self._index - 1) : self._index + 1])))

    def _has_label(self) -> bool:
        """Whether there is a label in the sentence that no other number has: "his SSN; the form has"."""
        for index in range(self._index, -1, -1):
            item, before = self._items[index], bare(self._items[index - 1]) if index else ""
            if not item[0].isalpha() and item not in {",", ";"}:
                return False
            if is_label(before, bare(item), is_near=False):
                return True
        return False

    def _head(self, index: int) -> Governor:
        """What the noun before the preposition is, in whose phrase the word at an index stands: "SSN of Jane"."""
        words: list[str] = []
        for item in reversed(self._items[max(0, index - _LONG_LABEL) : index]):
            if item[-1] in ".;|{}" and len(item) != _INITIAL:
                break
            words.append(bare(item))
        last = next((at for at, word in enumerate(words) if word in PREPOSITIONS), len(words))
        head = [word for word in words[last + 1 :] if word not in FILLERS]
        if not head:
            return Governor.NOTHING
        if is_label(head[1] if len(head) > 1 else "", head[0], is_near=False):
            return Governor.SSN
        return (
            Governor.THING if last <= _ARTICLE and is_thing(head[0]) and head[0] not in OF_PERSONS else Governor.NOTHING
        )

    def _owned(self, index: int) -> Governor:
        """What a person has whom a preposition puts behind it, or the person: "the order for Jane is", "Jane"."""
        found = self._head(index)
        return Governor.PERSON if found is Governor.NOTHING else found

    def _korean(self, word: str) -> Governor:
        if word.endswith(("씨", "님")) or (
            len(word) == _KOREAN_NAME and word[0] in KOREAN_FAMILY and word not in THINGS
        ):
            return Governor.PERSON
        return self._thing(word)

    def _capitals(self) -> Governor:
        """The capitalised words that end here: a name, or what a thing is called."""
        end = self._index
        while self._index >= 0 and self._is_name_part(end):
            self._index -= 1
        items = self._items[self._index + 1 : end + 1]
        words, found = [item for item in items if item[0].isalpha()], named(items, is_near=self.is_near)
        if found is Governor.PERSON or (found is Governor.THING and self._follows_role(words)):
            return self._owned(self._index + 1)
        if found is Governor.NOTHING:
            found = self._head(self._index + 1)
            self._is_open = self._is_open or (self.is_near and found is Governor.NOTHING)
        elif found is Governor.THING and (self._is_apart or self._is_open):
            found = Governor.NOTHING
        self.is_near = self.is_near and found is not Governor.NOTHING
        return found

    def _is_code(self) -> bool:
        """Whether the word directly before the number is the code of what it is of: "JE", not "JANE ROE JR"."""
        item = self._items[self._index]
        before = self._items[self._index - 1] if self._index else ""
        is_code = self._index == len(self._items) - 1 and item.isalpha() and item.isupper() and len(item) in _CODE
        is_alone = not (before.isupper() or before == ",")
        return is_code and is_alone and not (item in STATES or bare(item) in FILLERS or is_name(bare(item)))

    def _follows_role(self, words: list[str]) -> bool:
        """Whether one unknown capitalised word is a person's name: "Participant # 3: Petrov", or "Olga's"."""
        if len(words) > 1 or bare(words[0]) in _KNOWN:
            return False
        index = self._index
        while index > 0 and (self._items[index] in {":", "#"} or self._items[index].rstrip(":.").isdigit()):
            index -= 1
        role = bare(self._items[index]) if index >= 0 else ""
        return words[0].endswith(("'s", "’s")) or (role in PERSON_WORDS and role not in PRONOUNS)

    def _is_name_part(self, end: int) -> bool:
        item = self._items[self._index]
        if item in {",", ";", "|"}:  # "Doe, Jane": both are one name
            before = self._items[self._index - 1] if self._index else ""
            return end - self._index == 1 and before[:1].isupper() and not is_known(bare(before))
        if item in PARTICLES:
            return (
                self._index < end
                and self._index > 0
                and (self._items[self._index - 1][0].isupper() or self._items[self._index - 1] in PARTICLES)
            )
        is_initial = len(item) == 1 and 0 < self._index < end
        return item[0].isupper() and (is_initial or not is_known(bare(item)))
