"""The entity that each number of a result is of: a security, a company, a category of spending."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

_NAMING = (
    "symbol", "name", "ticker", "tickers", "category", "payee", "account", "fund", "company", "label", "title", "index",
    "sector", "country", "종목", "종목명", "이름", "분류", "항목",
)  # fmt: skip
_WHOLE = ("instrument", "data", "company")
# A number, a date, a hash.
_NO_NAME = re.compile(r"[-+\d.,]+$|\d{4}-\d\d|[0-9a-f]{16}")
_LONGEST = 60
_DEEPEST, _SHORTEST = 12, 3
_SUFFIX = re.compile(
    r"[,.]?\s(?:\([^()]{0,40}\)|Inc\.?|Incorporated|Corp\.?|Corporation|Company|Co\.?|plc|PLC|SE|SA|AG|N\.?V\.?|Ltd\.?|Limited|"
    r"LLC|LP|REIT|Holdings?|Group)$|\([^()]{0,40}\)$"
)
_ORDINARY = frozenset(
    [
        "the",
        "of",
        "and",
        "first",
        "new",
        "general",
        "global",
        "united",
        "american",
        "national",
        "index",
        "market",
        "synx",
    ]
)


def labels_of(text: str) -> dict[str, tuple[str, ...]]:
    """The names of the entities of a result, by the path of the object or row that is one; the whole has no path."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    found = dict(_walk(content, ()))
    whole = [*_naming(content)] if isinstance(content, dict) else []
    for name in _WHOLE:
        part = content.get(name) if isinstance(content, dict) else None
        whole += _naming(part) if isinstance(part, dict) else []
    return found | ({"": tuple(dict.fromkeys(whole))} if whole else {})


def short_names(name: str) -> Iterator[str]:
    """The ways in which a text refers to a name: without its legal form, and by its first word."""
    yield name
    short, before = name, ""
    while short != before:
        before, short = short, _SUFFIX.sub("", short).strip()
    yield short
    first = short.split(" ", maxsplit=1)[0].strip(",.")
    if len(first) > _SHORTEST and first.lower() not in _ORDINARY and not first[0].isdigit():
        yield first
    yield short.partition(".")[0] if re.fullmatch(r"[A-Z0-9]+\.[A-Z]{1,3}", short) else short
    yield short.lstrip("^")


def _walk(node: object, path: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    if len(path) > _DEEPEST:
        return
    if isinstance(node, dict):
        if path and (names := _naming(node)):
            yield ".".join(path), tuple(names)
        columns = node.get("columns")
        for key, value in node.items():
            if key == "rows" and isinstance(columns, list) and isinstance(value, list):
                yield from _of_rows(value, (*path, key))
            else:
                yield from _walk(value, (*path, key))
    elif isinstance(node, list):
        for number, item in enumerate(node):
            yield from _walk(item, (*path, str(number)))


def _of_rows(rows: Sequence[object], path: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for number, row in enumerate(rows):
        names = [cell for cell in row if _is_name(cell)] if isinstance(row, list) else []
        if names:
            yield ".".join((*path, str(number))), tuple(names[:2])


def _naming(node: Mapping[str, object]) -> list[str]:
    values = [node.get(key) for key in _NAMING]
    flat = [one for value in values for one in (value if isinstance(value, list) else [value])]
    return [one for one in flat if isinstance(one, str) and _is_name(one)]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 1 < len(value) <= _LONGEST and not _NO_NAME.match(value)
