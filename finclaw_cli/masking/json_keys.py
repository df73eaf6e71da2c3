"""The keys in a text that may say that their value is private; by themselves, or by what they are in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from finclaw_cli.masking.names import STEMS, WORDS, kind_of_name
from finclaw_cli.masking.reading import Reading

NUMBER = r"(?P<digits>[0-9]+)(?![0-9.eE])"
# What comes after a key: a string that is not masked yet, a whole number or a list.
_VALUE = rf'[ \t\r\n]{{0,40}}(?:"(?!\x01+")(?P<string>[^"]*)"|{NUMBER}|(?P<list>\[))'
_HOLDS = r"[ \t\r\n\[]{0,81}\{"
# Keys that say nothing themselves, but only inside of an account or a card; those of its number.
_PLAIN = frozenset({"number", "no", "num", "value", "id", "번호"})
_NUMBERS = ("number", "no", "num", "번호")
_PARENT_LIST = re.compile(r'"([^"]{1,60})"[ \t\r\n]{0,8}:[ \t\r\n]{0,40}\[[ \t\r\n]{0,40}$')
_PARENT_KEY = re.compile(r'"([^"]{1,60})"[ \t\r\n]{0,8}:[ \t\r\n\[]{0,40}$')
# Two neighbours, one the name of the other: {"label": "Account number", "value": "…"}.
_LABEL = re.compile(
    r'"(?:label|name|field|key|title|항목)"\s{0,8}:\s{0,8}"(?P<name>[^"]{2,40})"\s{0,40},\s{0,40}"(?:value|val|content|text|값)"\s{0,8}:'
    + _VALUE
)
_LABELLED = frozenset({"value", "content", "text", "val", "값"})
# What marks an object as an account, beside its number.
_ACCOUNT_TYPES = ("checking", "chequing", "saving", "brokerage", "depository", "roth", "입출금", "예금", "적금")
_SIBLING = re.compile(rf'(?:type|kind)"\s?:\s?"(?:{"|".join(_ACCOUNT_TYPES)}|current account|ira\b)')
_STEM = re.compile("|".join(map(re.escape, STEMS)))
_MANY = re.compile(r"[A-Za-z]{0,4}[0-9][0-9 .-]{4}")
_LONGEST_NAME, _FEW, _FEW_PLACES, _MANY_WORDS = 60, 40, 1_000, 10_000
_REACH = 300
_HOPS = 12
_PARENTS = frozenset({"account", "card", "iban", "ssn", "rrn"})


class Named(NamedTuple):
    """A key and its value, matched as `name` and one of `string`, `digits` and `list`."""

    match: re.Match[str]
    name: str
    kind: str | None = None
    """What the object is that the key is in, where the key means nothing by itself."""


def named_values(reading: Reading) -> Iterator[Named]:
    """Every key that may say that its value is private, with that; a name is judged once."""
    view, zeroed = reading.view, reading.zeroed
    if '"' not in view:
        return
    names = _names(reading)
    private = {name for name in names if _STEM.search(name) and ("0" in name or kind_of_name(name))}
    plain = names & _PLAIN
    has_siblings = bool(plain) and _says_account(reading)
    if not private and not has_siblings:
        return  # then no label and no parent is private, either
    # Not to be looked around for one by one where nothing private holds an object.
    nested = plain if plain and (has_siblings or _these(private, _HOLDS).search(zeroed)) else frozenset[str]()
    yield from _values(reading, private, nested)
    if names & _LABELLED:
        for found in _LABEL.finditer(view):
            yield Named(found, found.group("name"))


def _values(reading: Reading, private: set[str], nested: set[str] | frozenset[str]) -> Iterator[Named]:
    for found in _these(private | nested, _VALUE).finditer(reading.zeroed):
        start, end = found.span("name")
        name = found.group("name")
        if name in private:
            yield Named(found, reading.view[start:end])
        elif name in nested and _MANY.match(reading.view, found.start(found.lastgroup or 0)):
            yield from _nested(reading, found)


def _nested(reading: Reading, found: re.Match[str]) -> Iterator[Named]:
    position = found.start("name") - 1
    if found.group("name") in _NUMBERS and _has_sibling(reading.low, position):
        yield Named(found, "account no", "account")
    elif parent := _parent(reading, position):
        yield Named(found, f"{parent[0]} no", parent[1])


def _names(reading: Reading) -> set[str]:
    """Every key there may be; where only a few words can be in a private one, only those around them."""
    zeroed = reading.zeroed
    words = _telling_words(reading)
    if words is None or sum(map(zeroed.count, words)) > _FEW_PLACES:
        return {name for name in set(zeroed.split('"')) if 1 < len(name) <= _LONGEST_NAME}
    names = {name for name in _PLAIN | _LABELLED if f'"{name}"' in zeroed}
    for word in words:
        position = -1
        while (position := zeroed.find(word, position + 1)) >= 0:
            first = zeroed.rfind('"', max(0, position - _LONGEST_NAME), position) + 1
            names.add(zeroed[first : zeroed.find('"', position, position + _LONGEST_NAME)])
    return names


def _telling_words(reading: Reading) -> set[str] | None:
    """The words that can be in a private name, if there are few words at all: numbers left aside, texts have few."""
    if not reading.view.isascii() or len(reading.words) > _MANY_WORDS:
        return None
    return {word.decode().lower() for word in reading.words if _is_in_names(word)}


@lru_cache(maxsize=8192)
def _is_in_names(word: bytes) -> bool:
    name = word.decode().lower()
    return bool(_STEM.search(name)) and (name in WORDS or kind_of_name(name) is not None)


def _these(names: Collection[str], then: str) -> re.Pattern[str]:
    """A pattern for these keys only, while they are few, and what comes after."""
    name = "|".join(map(re.escape, sorted(names))) if len(names) <= _FEW else '[^"]{1,60}'
    return re.compile(rf'"(?P<name>{name})"[ \t\r\n]{{0,8}}:{then}')


def _says_account(reading: Reading) -> bool:
    return any(map(reading.has, _ACCOUNT_TYPES)) and bool(_SIBLING.search(reading.low))


def _has_sibling(low: str, position: int) -> bool:
    """Whether the object that a key is in is marked as an account; what is nested in it may be other things."""
    first = low.rfind("{", max(0, position - _REACH), position) + 1
    around = low[first : position + _REACH]
    end = re.search("[{}]", around)
    return bool(_SIBLING.search(around[: end.start()] if end else around))


def _parent(reading: Reading, position: int) -> tuple[str, str] | None:
    """The private name of the object, or the list of objects, that a key is in; a few hops backwards only."""
    text, here, depth, form = reading.view, position, 0, _PARENT_KEY
    lowest = max(0, position - _REACH)
    for _ in range(_HOPS):
        opened, closed = text.rfind("{", lowest, here), text.rfind("}", lowest, here)
        if opened < 0:
            return None
        here, depth = (opened, depth - 1) if opened > closed else (closed, depth + 1)
        if here == closed or depth >= (form is _PARENT_LIST):
            continue
        if found := form.search(text, max(lowest, here - 110), here):
            kind = kind_of_name(found.group(1))
            return (found.group(1), kind) if kind in _PARENTS else None
        if text[max(lowest, here - 40) : here].rstrip()[-1:] != ",":
            return None
        form, depth = _PARENT_LIST, 0  # a later one of a list: on to its first
    return None
