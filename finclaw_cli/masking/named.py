"""JSON keys that say that their value is private: `"account_number": 1234567890`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.names import STEMS, counts_things, is_explicit, is_tender_key, kind_of_name
from finclaw_cli.masking.reading import BARRIER, Found, Reading
from finclaw_cli.masking.values import find_in_string, is_private_number

_HOLDS = r"[ \t\r\n\[]{0,81}\{"
_VALUE = re.compile(r'[ \t\r\n]{0,40}(?:"([^"]*)"|([0-9]+)(?![0-9.eE])|(\[)|(\{))')
_ITEM = re.compile(r'[ \t\r\n]{0,40},?[ \t\r\n]{0,40}(?:"([^"]*)"|([0-9]+)(?![0-9.eE]))')
# Keys that say nothing themselves, but only inside of an account or a card.
_PLAIN = frozenset({"number", "no", "num", "value", "id", "번호"})
_PARENT_LIST = re.compile(r'"([^"]{1,60})"[ \t\r\n]{0,8}:[ \t\r\n]{0,40}\[[ \t\r\n]{0,40}$')
_PARENT_KEY = re.compile(r'"([^"]{1,60})"[ \t\r\n]{0,8}:[ \t\r\n\[]{0,40}$')
# Two neighbours, one the name of the other: {"label": "Account number", "value": "…"}.
_LABEL = re.compile(
    r'"(?:label|name|field|key|title|항목)"\s{0,8}:\s{0,8}"([^"]{2,40})"\s{0,40},\s{0,40}"(?:value|val|content|text|값)"\s{0,8}:'
)
_STEM = re.compile("|".join(map(re.escape, STEMS)))
_MANY = re.compile(r'[ \t\r\n]{0,40}"?[A-Za-z]{0,4}[0-9][0-9 .-]{4}')
# The groups of the two patterns for values, after the one for strings.
_DIGITS, _LIST, _OBJECT = 2, 3, 4
_LONGEST_NAME, _FEW = 60, 40
_REACH = 300
_NEAR = 160
_HOPS = 12
_PARENTS = frozenset({"account", "card", "iban", "ssn", "rrn"})


def find_named(reading: Reading) -> Iterator[Found]:
    """Every value in a text whose JSON key says that it is private."""
    if '"' not in reading.view or not any(reading.has(stem) for stem in STEMS):
        return
    view, told, spans = reading.view, Memo(_told), Memo(_span)
    for key, of_parent, end in _private_keys(reading):
        own, explicit, counts = told[key]
        kind = of_parent or own
        if kind == "card" and is_tender_key(key, view[max(0, end - _NEAR) : end + _NEAR]):
            continue
        if kind:
            yield from _values(reading, end, kind, spans, explicit=explicit, counts=counts)


Spans = Memo[tuple[str, bool, str], tuple[int, int] | None]


def _told(name: str) -> tuple[str | None, bool, bool]:
    return kind_of_name(name), is_explicit(name), counts_things(name)


def _span(value: tuple[str, bool, str]) -> tuple[int, int] | None:
    kind, explicit, text = value
    return find_in_string(kind, text, explicit=explicit) if text.strip(BARRIER) else None


def _private_keys(reading: Reading) -> Iterator[tuple[str, str | None, int]]:
    """The keys that may say it, the kind of what they are in, and where they end; a name is read once."""
    view = reading.view
    names = {name for name in set(reading.zeroed.split('"')) if 1 < len(name) <= _LONGEST_NAME}
    private = {name for name in names if _STEM.search(name) and ("0" in name or kind_of_name(name))}
    if not private:
        return  # then no label and no parent is private, either
    plain = names & _PLAIN
    # Not to be looked around for one by one where nothing private holds an object.
    nested = plain if plain and _these(private, _HOLDS).search(reading.zeroed) else frozenset[str]()
    for found in _these(private | nested).finditer(reading.zeroed):
        start, end = found.span(1)
        name = view[start:end]
        if found.group(1) in private:
            yield name, None, found.end()
        elif (
            found.group(1) in nested and _MANY.match(view, found.end()) and (parent := _parent(reading, found.start()))
        ):
            yield f"{parent[0]} no", parent[1], found.end()
    if plain or "값" in names or names & {"content", "text", "val"}:
        for found in _LABEL.finditer(view):
            yield found.group(1), None, found.end()


def _these(names: Collection[str], then: str = "") -> re.Pattern[str]:
    """A pattern for these keys only, while they are few, and what comes after."""
    name = "|".join(map(re.escape, sorted(names))) if len(names) <= _FEW else '[^"]{1,60}'
    return re.compile(rf'"({name})"[ \t\r\n]{{0,8}}:{then}')


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


def _values(reading: Reading, end: int, kind: str, spans: Spans, *, explicit: bool, counts: bool) -> Iterator[Found]:
    value = _VALUE.match(reading.view, end)
    if not value or value.lastindex == _OBJECT:
        return
    if value.lastindex != _LIST:
        if not (value.lastindex == _DIGITS and counts) and (found := _value(value, kind, spans, explicit=explicit)):
            yield found
        return
    position = value.end()
    while item := _ITEM.match(reading.view, position):
        if found := _value(item, kind, spans, explicit=explicit):
            yield found
        position = item.end()


def _value(value: re.Match[str], kind: str, spans: Spans, *, explicit: bool) -> Found | None:
    if value.lastindex == _DIGITS:
        is_private = is_private_number(kind, value.group(_DIGITS), explicit=explicit)
        return Found(*value.span(_DIGITS), kind, quoted=True) if is_private else None
    span = spans[kind, explicit, value.group(1)]
    if not span:
        return None
    start = value.start(1)
    return Found(start + span[0], start + span[1], kind)
