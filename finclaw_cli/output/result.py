"""A tool's result as text: subject, numbers with units, tables, charts, warnings, sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from finclaw_cli.core.clean import clean
from finclaw_cli.core.json_text import JsonObject, JsonValue
from finclaw_cli.output.cells import padded, shortened, width, wrapped
from finclaw_cli.output.fitted import left_out_note
from finclaw_cli.output.table import Column, draw
from finclaw_cli.output.tabular import Table, table_of
from finclaw_cli.output.values import NUMBER, is_scalar, label, read_json, shown, unit_words

_INDENT = "  "
# Values that are nested deeper are shown in one line.
_DEEPEST = 5
# The columns that are left out last, with the first one.
_FIGURES_OF_NOTE = frozenset({"close", "value", "amount", "total", "result"})
_BRAILLE = re.compile("[\u2800-\u28ff]")
_ABOUT_DATA = frozenset({"as_of", "units", "sources", "method", "warnings", "instrument"})
Units = Mapping[str, str]


def result_text(content: str, room: int) -> str:
    """A result as lines of at most `room` cells; text that is no JSON, and charts, are unchanged."""
    value = read_json(content)
    if value is None:
        return clean(content)
    lines = _finance(value, room) if _is_finance(value) else _value(value, {}, room, 0)
    return "\n".join(_without_doubled_blanks(lines)).rstrip("\n")


def _is_finance(value: JsonValue) -> bool:
    return isinstance(value, dict) and "data" in value and bool(_ABOUT_DATA & value.keys())


def _finance(result: JsonValue, room: int) -> Iterator[str]:
    facts = _object(result)
    heading = ", ".join(part for part in (_instrument(facts), _date(facts)) if part)
    if heading:
        yield from wrapped(heading, room)
        yield ""
    units = {name: str(unit) for name, unit in _object(facts.get("units")).items()}
    yield from _value(facts.get("data"), units, room, 0)
    yield ""
    for note in _notes(facts):
        yield from wrapped(note, room)


def _instrument(facts: JsonObject) -> str:
    item = _object(facts.get("instrument"))
    return ", ".join(str(item[key]) for key in ("symbol", "name", "exchange", "currency") if item.get(key))


def _date(facts: JsonObject) -> str:
    if not (day := facts.get("as_of")):
        return ""
    behind = facts.get("sessions_behind")
    late = f" ({behind} session{'' if behind == 1 else 's'} before the day asked for)" if behind else ""
    return f"as of {day}{late}"


def _notes(facts: JsonObject) -> Iterator[str]:
    if period := _object(facts.get("period")):
        yield f"period: {period.get('words')} is {period.get('start')} to {period.get('end')}"
    warnings = facts.get("warnings")
    for warning in warnings if isinstance(warnings, list) else ():
        yield f"warning: {warning}"
    if facts.get("truncated"):
        yield "There is more than is shown: the result was cut to its limit."
    if adjustment := facts.get("adjustment"):
        yield f"adjustment: {adjustment}"
    if method := _object(facts.get("method")):
        count = f" (n = {method['n']:,})" if isinstance(method.get("n"), int) else ""
        yield f"method: {method.get('name')}: {method.get('convention')}{count}"
    sources = facts.get("sources")
    for source in map(_object, sources if isinstance(sources, list) else ()):
        more = [str(source[key]) for key in ("kind", "retrieved_at", "licence") if source.get(key)]
        rows = [f"rows {source['rows']}"] if source.get("rows") else []
        yield f"source: {source.get('ref')} ({', '.join([*more[:1], *rows, *more[1:]])})"


def _value(value: JsonValue, units: Units, room: int, depth: int) -> Iterator[str]:
    """The lines of any value."""
    if is_scalar(value) or depth >= _DEEPEST:
        yield from _text(shown(value), room)
    elif (table := table_of(value)) is not None:
        yield from _table(table, units, room)
        if isinstance(value, dict):
            rest = {key: item for key, item in value.items() if key not in {"columns", "rows"}}
            yield ""
            yield from _fields(rest, units, room, depth)
    elif isinstance(value, dict):
        yield from _fields(value, units, room, depth)
    elif isinstance(value, list):
        yield from wrapped(", ".join(map(shown, value)) or "none", room)


def _fields(fields: JsonObject, units: Units, room: int, depth: int) -> Iterator[str]:
    """The scalars of an object first, then nested values."""
    plain = {key: item for key, item in fields.items() if _is_plain(item)}
    most = max(room // 2, 1)
    labels = min(max((width(label(key)) for key in plain), default=0), most) + len(_INDENT)
    for key, item in plain.items():
        unit = units.get(key, "") if item is not None else ""
        words = f"{shown(item, unit)} {unit_words(unit)}".rstrip()
        first, *rest = wrapped(words, max(room - labels, 1))
        yield padded(shortened(label(key), most), labels) + first
        yield from (" " * labels + line for line in rest)
    for key, item in fields.items():
        if key not in plain:
            yield ""
            unit = unit_words(units.get(key, ""))
            yield from wrapped(f"{label(key)}{f' ({unit})' if unit else ''}:", room)
            yield from _indented(_value(item, units, room - len(_INDENT), depth + 1))


def _is_plain(value: JsonValue) -> bool:
    return is_scalar(value) and not (isinstance(value, str) and "\n" in value)


def _table(table: Table, units: Units, room: int) -> Iterator[str]:
    if not table.rows:
        yield "none"
        return
    columns = [_column(name, [row[at] for row in table.rows], units, at, room) for at, name in enumerate(table.columns)]
    drawn = draw(columns, room)
    yield from drawn.lines
    named: dict[str, list[str]] = {}
    for name in table.columns:
        if unit := unit_words(units.get(name, "")):
            named.setdefault(unit, []).append(label(name))
    if named:
        yield from wrapped("; ".join(f"{', '.join(names)} in {unit}" for unit, names in named.items()), room)
    yield from left_out_note(drawn.left_out, room)


def _column(name: str, values: list[JsonValue], units: Units, at: int, room: int) -> Column:
    is_figures = all(NUMBER.fullmatch(str(item)) for item in values if item is not None)
    cells = [shown(item, units.get(name, "")) for item in values]
    is_wide = max(map(width, (label(name), *cells))) > room  # a figure that exceeds the line is wrapped
    rank = 1 if name in _FIGURES_OF_NOTE else at and at + 1
    return Column(title=label(name).upper(), cells=cells, wraps=is_wide or not is_figures, rank=rank)


def _text(text: str, room: int) -> Iterator[str]:
    """Wrapped sentences; a chart unchanged where there is room for it."""
    lines = text.split("\n")
    widest = max(map(width, lines[1:]), default=0)
    if widest > room and _BRAILLE.search(text):
        lines = [lines[0], f"(a chart of {widest} columns, wider than this terminal)"]
    for line in lines:
        yield from wrapped(line, room)


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"{_INDENT}{line}" if line else line for line in lines)


def _without_doubled_blanks(lines: Iterable[str]) -> Iterator[str]:
    is_blank = True
    for line in lines:
        if line or not is_blank:
            yield line
        is_blank = not line


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
