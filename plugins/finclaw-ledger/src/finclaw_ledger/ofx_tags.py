"""The tags of an OFX file, of SGML as of XML, with their values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TAG = re.compile(
    r"<(/?)([A-Za-z][A-Za-z0-9_.]{0,31})>(?:\s{0,100}<!\[CDATA\[(.{0,4000}?)\]\]>|([^<]{0,4000}))", re.DOTALL
)
# With the semicolon only: SGML files have "AT&T" as it is.
_ENTITY = re.compile(r"&#?[A-Za-z0-9]{1,10};")


@dataclass(slots=True)
class Tag:
    """An opening or closing tag; in SGML a value needs no closing one."""

    line: int
    closing: bool
    name: str
    value: str


def tags_of(text: str) -> Iterator[Tag]:
    """The tags of a file without its comments, in their order."""
    line, at = 1, 0
    for found in _TAG.finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        value = found[3] if found[4] is None else _ENTITY.sub(_character, found[4])
        yield Tag(line, bool(found[1]), found[2].upper(), value.strip())


def _character(entity: re.Match[str]) -> str:
    from html import unescape

    return unescape(entity[0])
