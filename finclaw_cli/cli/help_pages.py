"""Help pages: options in groups, full sentences, and one style of metavars."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any, get_args

from typer import core

from finclaw_cli.settings.model import HelpGroup

_KINDS = {"str": "TEXT", "int": "NUMBER", "float": "NUMBER", "Path": "FILE", "path": "FILE", "bool": "true|false"}
_OTHERS = "Options"
_MOST_COLUMNS = 90
_LEAST_COLUMNS = 36


def use() -> None:
    """Patch typer's help pages, which it offers no other way to change for every command.

    If typer moves the patched functions, its own pages are shown, and the tests of help fail.
    """
    for owner, name, ours in (
        (core, "_typer_format_options", _format_options),
        (core.TyperGroup, "format_commands", _format_commands),
        (core.TyperOption, "display_type_rich", _option_value),
        (core.TyperArgument, "display_type_rich", _no_type),
    ):
        if hasattr(owner, name):
            setattr(owner, name, ours)


def page_width() -> int:
    """The width of a page: that of the terminal, up to a maximum."""
    return max(min(shutil.get_terminal_size().columns, _MOST_COLUMNS) - 2, _LEAST_COLUMNS)


def _format_options(command: Any, *, ctx: Any, formatter: Any) -> None:
    arguments: list[tuple[str, str]] = []
    groups: dict[str, list[tuple[str, str]]] = {group: [] for group in get_args(HelpGroup)}
    for param in command.get_params(ctx):
        if (record := param.get_help_record(ctx)) is None:
            continue
        if param.param_type_name == "argument":
            arguments.append(record)
        else:
            groups.setdefault(getattr(param, "rich_help_panel", None) or _OTHERS, []).append(record)
    for title, records in (("Arguments", arguments), *groups.items()):
        if records:
            with formatter.section(title):
                formatter.write_dl(records, col_max=_names_room(formatter))


def _names_room(formatter: Any) -> int:
    """The maximum width of the column of names; longer ones have a line of their own."""
    return min(30, int(formatter.width) // 3)


def _format_commands(group: Any, ctx: Any, formatter: Any) -> None:
    rows = list(_rows(group, ctx))
    if rows:
        with formatter.section("Commands"):
            formatter.write_dl(rows, col_max=_names_room(formatter))


def _rows(group: Any, ctx: Any) -> Iterator[tuple[str, str]]:
    """Each command with the first sentence of its help, not truncated."""
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if command is not None and not command.hidden:
            text = command.short_help or (command.help or "").strip().partition("\n\n")[0]
            yield name, " ".join(text.split())


def _option_value(option: Any, ctx: Any) -> str | None:
    if option.metavar is not None:
        return str(option.metavar)
    shown = option.display_type(ctx)
    return None if shown is None else _named(str(shown).strip("<>"))


def _named(kind: str) -> str:
    """The metavar of a type: `list[Path]` is FILE, choices stay as they are."""
    kind = kind.removeprefix("list[").removesuffix("]")
    return _KINDS.get(kind, kind)


def _no_type(argument: Any, ctx: Any) -> str | None:  # noqa: ARG001 - the method's own arguments
    return None
