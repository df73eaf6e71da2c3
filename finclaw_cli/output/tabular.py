"""The tables in a tool's result, for terminals and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.core.record import record
from finclaw_cli.output.values import NUMBER, is_scalar, shown

# The first characters of a cell that a spreadsheet evaluates as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@record
class Table:
    """Named columns and their rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[JsonValue, ...], ...]


def table_of(value: JsonValue) -> Table | None:
    """A value as a table: `columns` with `rows`, or a list of objects or of equally long lists."""
    if isinstance(value, dict):
        columns, rows = value.get("columns"), value.get("rows")
        if isinstance(columns, list) and isinstance(rows, list):
            return _of_lists(rows, tuple(map(str, columns)))
        return None
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(row, dict) and row for row in value):
        return _of_objects([row for row in value if isinstance(row, dict)])
    first = value[0]
    return _of_lists(value, tuple(f"{at + 1}" for at in range(len(first)))) if isinstance(first, list) else None


def tables_in(value: JsonValue, name: str = "") -> Iterator[tuple[str, Table]]:
    """All tables in a value, each with the name of its field."""
    if (table := table_of(value)) is not None:
        yield name, table
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from tables_in(item, f"{name}.{key}" if name else key)


def flat(value: JsonValue, name: str = "") -> Iterator[tuple[str, JsonValue]]:
    """The scalars of a value, each with the path of its names."""
    if isinstance(value, dict) and not is_scalar(value):
        for key, item in value.items():
            yield from flat(item, f"{name}.{key}" if name else key)
    else:
        yield name or "result", value


def csv_lines(header: Iterable[str], rows: Iterable[Iterable[JsonValue]]) -> str:
    """A header and rows as RFC 4180 has them but for the ends of lines, which are plain; exact, without units."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow([safe_cell(name) for name in header])
    writer.writerows([_csv_cell(item) for item in row] for row in rows)
    return written.getvalue().removesuffix("\n")


def safe_cell(text: str) -> str:
    """Text that no spreadsheet evaluates as a formula."""
    text = clean_line(text)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _csv_cell(item: JsonValue) -> str:
    text = "" if item is None else shown(item)
    return text if NUMBER.fullmatch(text) else safe_cell(text)


def _of_objects(rows: Sequence[dict[str, JsonValue]]) -> Table:
    names = tuple(dict.fromkeys(name for row in rows for name in row))
    return Table(names, tuple(tuple(row.get(name) for name in names) for row in rows))


def _of_lists(rows: Sequence[JsonValue], columns: tuple[str, ...]) -> Table | None:
    whole = [tuple(row) for row in rows if isinstance(row, list) and len(row) == len(columns)]
    return Table(columns, tuple(whole)) if columns and len(whole) == len(rows) else None
