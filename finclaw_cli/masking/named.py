"""JSON keys that say that their value is private: `"account_number": 1234567890`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.names import STEMS, WORDS, counts_things, is_explicit, is_tender_key, kind_of_name
from finclaw_cli.masking.reading import BARRIER, Found, Reading
from finclaw_cli.masking.values import find_in_string, is_private_number

_HOLDS = r"[ \t\r\n\[]{0,81}\{"
_NUMBER = r"(?P<digits>[0-9]+)(?![0-9.eE])"
# What comes after a key: a string that is not masked yet, a whole number or a list.
_VALUE = rf'[ \t\r\n]{{0,40}}(?:"(?!\x01+")(?P<string>[^"]*)"|{_NUMBER}|(?P<list>\[))'
_ITEM = re.compile(rf'[ \t\r\n]{{0,40}},?[ \t\r\n]{{0,40}}(?:"(?P<string>[^"]*)"|{_NUMBER})')
# Keys that say nothing themselves, but only inside of an account or a card.
_PLAIN = frozenset({"number", "no", "num", "value", "id", "번호"})
_NUMBERS = ("number", "no", "num", "번호")
_PARENT_LIST = re.compile(r'"([^"]{1,60})"[ \t\r\n]{0,8}:[ \t\r\n]{0,40}\[[ \t\r\n]{0,40}$')
_PARENT_KEY = re.compile(r'"([^"]{1,60})"[ \t\r\n]{0,8}:[ \t\r\n\[]{0,40}$')
# Two neighbours, one the name of the other: {"label": "Account number", "value": "…"}.
_LABEL = re.compile(
    r'"(?:label|name|field|key|title|항목)"\s{0,8}:\s{0,8}"(?P<name>[^"]{2,40})"\s{0,40},\s{0,40}"(?:value|val|content|text|값)"\s{0,8}:'
    + _VALUE
)
# What says that an object is an account, beside its number.
_SIBLING = re.compile(
    r'"[a-z_]{0,20}(?:type|kind)"\s?:\s?"(?:checking|chequing|savings?|current account|brokerage|depository|'
    r"roth|ira\b|입출금|예금|적금)",
    re.IGNORECASE,
)
_STEM = re.compile("|".join(map(re.escape, STEMS)))
_MANY = re.compile(r"[A-Za-z]{0,4}[0-9][0-9 .-]{4}")
_LONGEST_NAME, _FEW, _MANY_WORDS = 60, 40, 10_000
_REACH = 300
_NEAR = 160
_HOPS = 12
_PARENTS = frozenset({"account", "card", "iban", "ssn", "rrn"})


def find_named(reading: Reading) -> Iterator[Found]:
    """Every value in a text whose JSON key says that it is private."""
    if '"' not in reading.view or not _may_name(reading):
        return
    view, told, spans = reading.view, Memo(_told), Memo(_span)
    for found, of_parent, key in _private_keys(reading):
        own, explicit, counts = told[key]
        kind = of_parent or own
        form = found.lastgroup or ""
        if not kind or (counts and form == "digits"):
            continue
        if kind == "card" and is_tender_key(key, view[max(0, found.end("name") - _NEAR) : found.end("name") + _NEAR]):
            continue
        if form == "list":
            yield from _items(view, found.end(), kind, spans, explicit=explicit)
            continue
        start, end = found.span(form)
        if span := spans[kind, explicit, form, view[start:end]]:
            yield Found(start + span[0], start + span[1], kind, form == "digits")


def _may_name(reading: Reading) -> bool:
    """Whether there is a word that can be in a private name: most texts have none, and few different words."""
    if not reading.view.isascii() or len(reading.words) > _MANY_WORDS:
        return any(reading.has(stem) for stem in STEMS)
    return any(map(_is_in_names, reading.words))


@lru_cache(maxsize=8192)
def _is_in_names(word: bytes) -> bool:
    name = word.decode().lower()
    return bool(_STEM.search(name)) and (name in WORDS or kind_of_name(name) is not None)


# Its kind, whether its name says number, its form and itself.
Value = tuple[str, bool, str, str]
Spans = Memo[Value, tuple[int, int] | None]


def _told(name: str) -> tuple[str | None, bool, bool]:
    return kind_of_name(name), is_explicit(name), counts_things(name)


def _span(value: Value) -> tuple[int, int] | None:
    """Which part of a value of a kind is private."""
    kind, explicit, form, text = value
    if form == "digits":
        return (0, len(text)) if is_private_number(kind, text, explicit=explicit) else None
    return find_in_string(kind, text, explicit=explicit) if text.strip(BARRIER) else None


def _items(view: str, position: int, kind: str, spans: Spans, *, explicit: bool) -> Iterator[Found]:
    while item := _ITEM.match(view, position):
        form, position = item.lastgroup or "", item.end()
        start = item.start(form)
        if span := spans[kind, explicit, form, item.group(form)]:
            yield Found(start + span[0], start + span[1], kind, form == "digits")


def _private_keys(reading: Reading) -> Iterator[tuple[re.Match[str], str | None, str]]:
    """Keys that may say it with their values, the kind of what they are in, and their names; a name is read once."""
    view, zeroed = reading.view, reading.zeroed
    names = {name for name in set(zeroed.split('"')) if 1 < len(name) <= _LONGEST_NAME}
    private = {name for name in names if _STEM.search(name) and ("0" in name or kind_of_name(name))}
    plain = names & _PLAIN
    if not private and not (plain and _SIBLING.search(view)):
        return  # then no label and no parent is private, either
    # Not to be looked around for one by one where nothing private holds an object.
    is_inside = plain and (_these(private, _HOLDS).search(zeroed) or _SIBLING.search(view))
    nested = plain if is_inside else frozenset[str]()
    for found in _these(private | nested, _VALUE).finditer(zeroed):
        start, end = found.span("name")
        name = found.group("name")
        if name in private:
            yield found, None, view[start:end]
        elif (
            name in nested
            and _MANY.match(view, found.start(found.lastgroup or 0))
            and (parent := _parent(reading, start - 1))
        ):
            yield found, parent[1], f"{parent[0]} no"
    if plain or "값" in names or names & {"content", "text", "val"}:
        for found in _LABEL.finditer(view):
            yield found, None, found.group("name")


def _these(names: Collection[str], then: str) -> re.Pattern[str]:
    """A pattern for these keys only, while they are few, and what comes after."""
    name = "|".join(map(re.escape, sorted(names))) if len(names) <= _FEW else '[^"]{1,60}'
    return re.compile(rf'"(?P<name>{name})"[ \t\r\n]{{0,8}}:{then}')


def _has_sibling(view: str, position: int) -> bool:
    """Whether the object that a key is in says that it is an account; what is nested in it may say other things."""
    first = view.rfind("{", max(0, position - _REACH), position) + 1
    around = view[first : position + _REACH]
    end = re.search("[{}]", around)
    return bool(_SIBLING.search(around[: end.start()] if end else around))


def _parent(reading: Reading, position: int) -> tuple[str, str] | None:
    """The private name of the object, or the list of objects, that a key is in; a few hops backwards only."""
    if reading.view.startswith(_NUMBERS, position + 1) and _has_sibling(reading.view, position):
        return "account", "account"
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
