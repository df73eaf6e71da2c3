"""Values that are private because of the JSON key before them: `"account_number": 1234567890`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finclaw_cli.masking.json_keys import NUMBER, Named, named_values
from finclaw_cli.masking.memo import Memo
from finclaw_cli.masking.names import counts_things, is_explicit, is_tender_key, kind_of_name
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.values import find_in_string, is_private_number

_ITEM = re.compile(rf'[ \t\r\n]{{0,40}},?[ \t\r\n]{{0,40}}(?:"(?P<string>[^"]*)"|{NUMBER})')
_NEAR = 160

# Its kind, whether its name has "number", its form and itself.
Value = tuple[str, bool, str, str]
Spans = Memo[Value, tuple[tuple[int, int], ...]]


def find_named(reading: Reading) -> Iterator[Found]:
    """Every value in a text whose JSON key marks it as private."""
    view, meanings, spans = reading.view, Memo(_meaning), Memo(_spans)
    for named in named_values(reading):
        own, explicit, counts = meanings[named.name]
        kind, found = named.kind or own, named.match
        form = found.lastgroup or ""
        if not kind or (counts and form == "digits") or (kind == "card" and _is_tender(view, named)):
            continue
        if form == "list":
            yield from _items(view, found.end(), kind, spans, explicit=explicit)
            continue
        start, end = found.span(form)
        for span in spans[kind, explicit, form, view[start:end]]:
            yield Found(start + span[0], start + span[1], kind, form == "digits")


def _meaning(name: str) -> tuple[str | None, bool, bool]:
    return kind_of_name(name), is_explicit(name), counts_things(name)


def _spans(value: Value) -> tuple[tuple[int, int], ...]:
    """Which parts of a value of a kind are private."""
    kind, explicit, form, text = value
    if form == "digits":
        return ((0, len(text)),) if is_private_number(kind, text, explicit=explicit) else ()
    return find_in_string(kind, text, explicit=explicit)


def _is_tender(view: str, named: Named) -> bool:
    end = named.match.end("name")
    return is_tender_key(named.name, view[max(0, end - _NEAR) : end + _NEAR])


def _items(view: str, position: int, kind: str, spans: Spans, *, explicit: bool) -> Iterator[Found]:
    while item := _ITEM.match(view, position):
        form, position = item.lastgroup or "", item.end()
        start = item.start(form)
        for span in spans[kind, explicit, form, item.group(form)]:
            yield Found(start + span[0], start + span[1], kind, form == "digits")
