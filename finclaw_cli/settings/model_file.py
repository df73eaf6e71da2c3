"""Changing the entry of one model in a settings file, and nothing else in it: comments, order and form stay.

Each way of changing it is tried on the text, and counts only if a plain TOML reader then finds exactly what was meant.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from finclaw_cli.core.errors import UsageError

Values = Mapping[str, int | Decimal]


def with_model(text: str, name: str, values: Values) -> str:
    """The text with these values in `[models."name"]`, beside those that it has; prices in USD per million tokens.

    Raises:
        UsageError: the file is written in a form that cannot be changed without harm.
    """
    meant = _read(text)
    models = meant.setdefault("models", {})
    if not isinstance(models, dict) or not isinstance(models.get(name, {}), dict):
        raise _harm()
    first = _written_in_block if name in models else _appended
    models[name] = {**models.get(name, {}), **{key: _plain(value) for key, value in values.items()}}
    ways = (lambda: first(text, name, values), lambda: _written_anywhere(text, name, values))
    return _first_that_holds(ways, meant, text)


def without_model(text: str, name: str) -> str:
    """The text without `[models."name"]`; a comment that stands before the next table stays.

    Raises:
        KeyError: it has no entry of that name.
        UsageError: as above.
    """
    meant = _read(text)
    del meant["models"][name]
    return _first_that_holds((lambda: _cut(text, name), lambda: _removed_anywhere(text, name)), meant, text)


def _first_that_holds(ways: tuple[Callable[[], str], ...], meant: Mapping[str, Any], before: str) -> str:
    for way in ways:
        try:
            text = _same_line_ends(way(), before)
            if _without_empty_models(_read(text)) == _without_empty_models(meant):
                return text
        except Exception:  # noqa: BLE001, S112 - whatever fails in the library, the next way may hold
            continue
    raise _harm()


def _harm() -> UsageError:
    return UsageError(
        "the settings file has its [models] in a form that cannot be changed without harm",
        hint='Give the model a table of its own there: [models."provider:model"]',
    )


def _read(text: str) -> dict[str, Any]:
    """What a plain reader finds, with fractions as they are written: NaN would equal nothing."""
    return tomllib.loads(text, parse_float=str)


def _without_empty_models(document: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != "models" or value}


def _written_in_block(text: str, name: str, values: Values) -> str:
    """The table's own lines changed, where it has a `[models."name"]` of its own."""
    import tomlkit

    lines = text.split("\n")
    first, last = _block(lines, name)
    document = tomlkit.parse("\n".join(lines[first : last + 1]) + "\n")
    _put(document["models"][name], values)
    return "\n".join((*lines[:first], document.as_string().removesuffix("\n"), *lines[last + 1 :]))


def _appended(text: str, name: str, values: Values) -> str:
    import tomlkit

    table = tomlkit.table()
    _put(table, values)
    document = tomlkit.document()
    document["models"] = tomlkit.table(is_super_table=True).append(name, table)
    gap = "" if not text.strip() else "\n" if text.endswith("\n") else "\n\n"
    return text + gap + document.as_string()


def _written_anywhere(text: str, name: str, values: Values) -> str:
    """The whole document changed: inline tables, dotted keys."""
    import tomlkit

    document: Any = tomlkit.parse(text)
    models = document["models"]
    if name not in models:
        models[name] = tomlkit.inline_table()
    _put(models[name], values)
    return str(tomlkit.dumps(document))


def _removed_anywhere(text: str, name: str) -> str:
    import tomlkit

    document: Any = tomlkit.parse(text)
    del document["models"][name]
    return str(tomlkit.dumps(document))


def _cut(text: str, name: str) -> str:
    lines = text.split("\n")
    first, last = _block(lines, name)
    before, after = lines[:first], lines[last + 1 :]
    if before and not before[-1].strip() and after and not after[0].strip():
        del before[-1]  # two empty lines would be left where there was one
    return "\n".join((*before, *after))


def _block(lines: list[str], name: str) -> tuple[int, int]:
    """Where `[models."name"]` is, and its last line that is neither empty nor a comment of what follows.

    Raises:
        LookupError: there is no such line.
    """
    headers = list(_headers(lines))
    first = next(place for place, header in headers if header == {"models": {name: {}}})
    end = next((place for place, _ in headers if place > first), len(lines))
    inside = (place for place in range(first, end) if lines[place].strip() and lines[place].strip()[0] != "#")
    return first, max(inside)


def _headers(lines: list[str]) -> Iterator[tuple[int, object]]:
    """All lines that begin a table, and the content of each."""
    for place, line in enumerate(lines):
        if line.lstrip().startswith("["):
            try:
                yield place, tomllib.loads(line.strip())
            except ValueError:  # the middle of a list
                continue


def _put(table: Any, values: Values) -> None:
    for key, value in values.items():
        table[key] = _item(value)


def _plain(value: int | Decimal) -> int | str:
    """A number in digits: whole, or a fraction without an exponent."""
    return int(value) if value == int(value) else format(value, "f")


def _item(value: int | Decimal) -> Any:
    """A number as TOML has it; digits that a float cannot hold as a string."""
    import tomlkit

    plain = _plain(value)
    return tomlkit.value(plain) if isinstance(plain, str) and Decimal(repr(float(plain))) == value else plain


def _same_line_ends(text: str, before: str) -> str:
    is_dos = "\r\n" in before and not re.search(r"(?<!\r)\n", before)
    return re.sub(r"(?<!\r)\n", "\r\n", text) if is_dos else text
