"""The result of `finclaw tools call`: rendered for a terminal, JSON for a pipe, CSV with --csv."""

from __future__ import annotations

import os
import signal
from typing import Literal

from finclaw_cli.core import exits
from finclaw_cli.core.clean import clean
from finclaw_cli.output.notice import notice

Form = Literal["rendered", "json", "csv"]


def form_of(fd: int, *, json: bool, csv: bool) -> Form:
    """The form of the options, else the default one of the stream."""
    if csv:
        return "csv"
    return "rendered" if os.isatty(fd) and not json else "json"


def print_result(fd: int, content: str, form: Form) -> int:
    """Write a result and a newline; return the exit code."""
    text = _text(fd, content, form)
    if text is None:
        return exits.USAGE
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a closed pipe ends the process, as it ends any command
    with os.fdopen(fd, "w", encoding="utf-8", errors="replace") as stdout:
        stdout.write(text + "\n")
    return exits.OK


def _text(fd: int, content: str, form: Form) -> str | None:
    if form == "csv":
        return _csv(content)
    if form == "json":
        return clean(content) if os.isatty(fd) else content
    from finclaw_cli.output.fitted import line_room
    from finclaw_cli.output.result import result_text

    return result_text(content, line_room(fd))


def _csv(content: str) -> str | None:
    """The only table of a result, or its scalars as one row; None, with an error, where there are several tables."""
    from finclaw_cli.output.tabular import csv_lines, flat, tables_in
    from finclaw_cli.output.values import read_json

    value = read_json(content)
    data = value["data"] if isinstance(value, dict) and "data" in value else content if value is None else value
    tables = dict(tables_in(data))
    if len(tables) > 1:
        notice(f"finclaw: the result has several tables ({', '.join(tables)}); --json has all of them")
        return None
    for table in tables.values():
        return csv_lines(table.columns, table.rows)
    facts = dict(flat(data))
    return csv_lines(facts, [facts.values()])
