"""JSON keys that say that their value is private: `"account_number": 1234567890`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from finclaw_cli.masking.names import STEMS, counts_things, is_explicit, kind_of_name
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.values import find_in_string, is_private_number

_KEY = re.compile(r'"([^"]{1,60})"[ \t\r\n]{0,8}:')
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
_LONGEST_NAME, _FEW = 60, 40
_REACH = 300
_HOPS = 12
_PARENTS = frozenset({"account", "card", "iban", "ssn", "rrn"})


def find_named(reading: Reading) -> Iterator[Found]:
    """Every value in a text whose JSON key says that it is private."""
    if '"' not in reading.view or not any(reading.has(stem) for stem in STEMS):
        return
    for key, kind, end in _private_keys(reading):
        yield from _values(reading, kind, key, end)


def _private_keys(reading: Reading) -> Iterator[tuple[str, str, int]]:
    names = {name for name in set(reading.view.split('"')) if 1 < len(name) <= _LONGEST_NAME}
    kinds = {name: kind for name in names if _STEM.search(name.lower()) and (kind := kind_of_name(name))}
    nested = {name for name in names if name.lower() in _PLAIN}
    if kinds or nested:
        for found in _these(kinds.keys() | nested).finditer(reading.view):
            name = found.group(1)
            if name in kinds:
                yield name, kinds[name], found.end()
            elif (
                name in nested
                and _MANY.match(reading.view, found.end())
                and (parent := _parent(reading, found.start()))
            ):
                yield f"{parent[0]} no", parent[1], found.end()
    if nested or "값" in names or names & {"content", "text", "val"}:
        for found in _LABEL.finditer(reading.view):
            if kind := kind_of_name(found.group(1)):
                yield found.group(1), kind, found.end()


def _these(names: Collection[str]) -> re.Pattern[str]:
    """A pattern for these keys only, while they are few."""
    if len(names) > _FEW:
        return _KEY
    return re.compile(rf'"({"|".join(map(re.escape, sorted(names)))})"[ \t\r\n]{{0,8}}:')


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


def _values(reading: Reading, kind: str, name: str, end: int) -> Iterator[Found]:
    value = _VALUE.match(reading.view, end)
    if not value or value.group(4):
        return
    explicit = is_explicit(name)
    if not value.group(3):
        if not (value.group(2) and counts_things(name)):
            yield from _value(value, kind, explicit=explicit)
        return
    position = value.end()
    while item := _ITEM.match(reading.view, position):
        yield from _value(item, kind, explicit=explicit)
        position = item.end()


def _value(value: re.Match[str], kind: str, *, explicit: bool) -> Iterator[Found]:
    text, digits = value.group(1), value.group(2)
    if digits is not None:
        if is_private_number(kind, digits, explicit=explicit):
            yield Found(*value.span(2), kind, quoted=True)
    elif span := find_in_string(kind, text, explicit=explicit):
        yield Found(value.start(1) + span[0], value.start(1) + span[1], kind)
