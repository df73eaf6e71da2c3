"""Text for terminals, messages and JSON: cleaned, bounded, in tables, with exact numbers.

`clean` and `clean_line` make text safe for a terminal. `one_line`, `bounded` and `quoted` are for text from outside in
messages and results. `echo_table` prints a table, `table_lines` returns its lines.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Context, Decimal, Inexact
from pathlib import Path

from finclaw_cli.core.clean import clean, clean_line
from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.finance import DO_NOT_ESTIMATE
from finclaw_cli.output.cells import padded, shortened, width, wrapped
from finclaw_cli.output.console import counted, echo, echo_prose, echo_table

_QUOTED_CHARACTERS = 60
# Wide enough for every number that a plugin accepts; a wider one is an error, and is not rounded.
_EXACT = Context(prec=1_000, traps=[Inexact])


def one_line(text: str) -> str:
    """The text with a space for every line break, control character and other character that does not print."""
    return text if text.isprintable() else "".join(mark if mark.isprintable() else " " for mark in text)


def bounded(text: str, limit: int) -> str:
    """The text on one line, truncated after `limit` characters."""
    return one_line(text) if len(text) <= limit else one_line(text[:limit]) + "…"


def quoted(text: str, limit: int = _QUOTED_CHARACTERS) -> str:
    """Text from outside as a message quotes it: on one line, truncated, in quotation marks."""
    return f"'{bounded(text, limit)}'"


def file_name(path: Path) -> str:
    """The name of a file on one line; the whole path where it has none, such as `.`."""
    return one_line(path.name or str(path))


def table_lines(header: Sequence[str], rows: Sequence[Sequence[str]], room: int | None = None) -> list[str]:
    """A table of text as lines of at most `room` cells; long texts are wrapped between words."""
    from finclaw_cli.output.table import Column, draw

    columns = [Column(title=title, cells=[row[at] for row in rows], wraps=True) for at, title in enumerate(header)]
    return list(draw(columns, room).lines)


def plain_number(number: Decimal) -> str:
    """A number with its own decimals and without an exponent; zero has no sign."""
    return format(number or abs(number), "f")


def shortest_number(number: Decimal) -> str:
    """The one text of a number: equal numbers have equal text, without an exponent, with all digits."""
    return format(number.normalize(_EXACT), "f") if number else "0"


def json_line(value: object) -> str:
    """A value as JSON on one ASCII line; dates and decimals become strings."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, default=str)


def echo_json(value: object) -> None:
    """Print a value as JSON on one line."""
    echo(json_line(value))


def error_text(error: ToolError) -> str:
    """The message of a tool's error for a user, without the instruction for models at its end."""
    return str(error).removesuffix(f" {DO_NOT_ESTIMATE}")


__all__ = [
    "bounded",
    "clean",
    "clean_line",
    "counted",
    "echo",
    "echo_json",
    "echo_prose",
    "echo_table",
    "error_text",
    "file_name",
    "json_line",
    "one_line",
    "padded",
    "plain_number",
    "quoted",
    "shortened",
    "shortest_number",
    "table_lines",
    "width",
    "wrapped",
]
