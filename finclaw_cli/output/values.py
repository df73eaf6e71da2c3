"""Formatting of one value of a tool's result: exact digits, with its unit."""

from __future__ import annotations

import json
import re

from finclaw_cli.core.clean import clean, clean_line
from finclaw_cli.core.json_text import JsonValue

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_PLAIN_NUMBER = re.compile(r"(-?)(\d+)(\.\d+)?")
_GROUPED_FROM = 5
"""Integers with fewer digits may be years."""
_NOTHING = "-"


def read_json(text: str) -> JsonValue:
    """Parse a result that is a JSON object or list, with exact fractions; return None for other text."""
    if text[:1] not in {"{", "["}:
        return None
    try:
        return _cleaned(json.loads(text, parse_float=str))
    except (ValueError, RecursionError):
        return None


def _cleaned(value: JsonValue) -> JsonValue:
    """The value without control sequences, which may be hidden in JSON escapes."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {clean_line(key): _cleaned(item) for key, item in value.items()}
    return value


def is_scalar(value: JsonValue) -> bool:
    """Whether a value fits in a cell of a table."""
    return not isinstance(value, dict | list) or money(value) is not None


def money(value: JsonValue) -> str | None:
    """An amount with its currency in one text; None for anything else."""
    if isinstance(value, dict) and value.keys() == {"amount", "currency"}:
        return f"{shown(value['amount'], 'amount')} {value['currency']}"
    return None


def shown(value: JsonValue, unit: str = "") -> str:
    """A scalar as text; the digits of a quantity with a unit are grouped."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return _NOTHING
    if isinstance(value, dict | list):
        return money(value) or json.dumps(value, ensure_ascii=False)
    return _grouped(str(value)) if unit else str(value)


def unit_words(unit: str) -> str:
    """The text of a unit after a number; empty for a bare number."""
    return unit.removeprefix("1").strip(" ,()") if re.match(r"1\b", unit) else unit


def label(name: str) -> str:
    """The name of a field in words."""
    return name.replace("_", " ")


def _grouped(text: str) -> str:
    found = _PLAIN_NUMBER.fullmatch(text)
    if found is None or len(found[2]) < _GROUPED_FROM:
        return text
    return f"{found[1]}{int(found[2]):,}{found[3] or ''}"
