"""Make the reference of the commands and the manual pages from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from typing import Any, get_args

import typer

from finclaw_cli import __version__
from finclaw_cli.cli import help_pages
from finclaw_cli.cli.app import COMMANDS, app
from finclaw_cli.core.exits import MEANINGS
from finclaw_cli.settings.model import HelpGroup

help_pages.use()
_GROUPS = {title: place for place, title in enumerate(("Arguments", *get_args(HelpGroup)))}


@dataclass(frozen=True)
class Option:
    """An option or an argument, as a help page shows it."""

    section: str
    names: str
    text: str


@dataclass(frozen=True)
class Command:
    """A command and its commands."""

    name: str
    usage: str
    text: str
    options: list[Option]
    commands: list[Command]

    def sections(self) -> Iterator[tuple[str, list[Option]]]:
        """The options by the sections of the help page."""
        ordered = sorted(self.options, key=lambda option: _GROUPS.get(option.section, len(_GROUPS)))
        for section, options in groupby(ordered, key=lambda option: option.section):
            yield section, list(options)


def all_commands() -> list[Command]:
    """The commands of finclaw itself, in the order of its help."""
    return [_command(_made(module), f"finclaw {name}") for name, (module, _) in COMMANDS.items()]


def _made(module: str) -> Any:
    made: typer.Typer = import_module(module).app
    is_group = len(made.registered_commands) > 1 or made.registered_callback
    return typer.main.get_group(made) if is_group else typer.main.get_command(made)


def _command(command: Any, name: str) -> Command:
    context = typer.Context(command, info_name=name)
    usage = " ".join(command.collect_usage_pieces(context))
    options = [
        Option("Arguments" if param.param_type_name == "argument" else param.rich_help_panel or "Options", *record)
        for param in command.get_params(context)
        if param.name != "help" and (record := param.get_help_record(context)) is not None
    ]
    below = [_command(one, f"{name} {one.name}") for one in getattr(command, "commands", {}).values() if not one.hidden]
    return Command(name, f"{name} {usage}", _text(command.help), options, below)


def _text(docstring: str | None) -> str:
    """The help of a command, a paragraph a line."""
    paragraphs = (docstring or "").strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def reference() -> list[str]:
    """The reference of all commands, in Markdown."""
    lines: list[str] = []
    for command in all_commands():
        lines += _described(command, "##")
    return lines[:-1]


def _described(command: Command, heading: str) -> list[str]:
    lines = [f"{heading} {command.name}", "", _cell(command.text), "", f"```text\n{_usage(command.usage)}\n```", ""]
    for title, options in command.sections():
        rows = [f"| `{_bar(option.names)}` | {_bar(_cell(option.text))} |" for option in options]
        lines += [f"| {title} | |", "|---|---|", *rows, ""]
    for below in command.commands:
        lines += _described(below, heading + "#")
    return lines


def _usage(usage: str) -> str:
    """Not a command line that a reader could run, and not marked as one."""
    return f"usage: {usage}"


def _bar(text: str) -> str:
    return text.replace("|", r"\|")


def _cell(text: str) -> str:
    """Help as Markdown: what could be taken for markup is escaped."""
    return re.sub(r"([*_<\[])", r"\\\1", text)


def manual_pages() -> dict[str, str]:
    """The manual pages by their file names: one of finclaw, and one for each command."""
    commands = all_commands()
    pages = {f"{command.name.replace(' ', '-')}.1": _manual(command) for command in commands}
    listed = [line for command in commands for line in _item(command.name, command.text.partition("\n\n")[0])]
    exits = [line for code, (meaning, _) in MEANINGS.items() for line in _item(str(code), meaning)]
    other = [f".BR {command.name.replace(' ', '-')} (1)," for command in commands]
    other[-1] = other[-1].rstrip(",")
    about = str(app.registered_callback.callback.__doc__) if app.registered_callback else ""
    pages["finclaw.1"] = _page(
        "finclaw",
        _roff(about),
        [".SH SYNOPSIS", r"\fBfinclaw\fR \fICOMMAND\fR [\fIOPTIONS\fR] [\fIARGUMENTS\fR]"],
        [".SH COMMANDS", *listed, ".SH EXIT STATUS", *exits, ".SH SEE ALSO", *other],
    )
    return pages


def _manual(command: Command) -> str:
    parts = [line for one in (command, *command.commands) for line in _part(one, top=one is command)]
    summary, _, rest = command.text.partition("\n\n")
    synopsis = [_roff(one.usage) for one in (command.commands or [command])]
    body = [".SH SYNOPSIS", *"\n.br\n".join(synopsis).splitlines()]
    if rest:
        body += [".SH DESCRIPTION", *_paragraphs(rest)]
    return _page(command.name.replace(" ", "-"), _roff(summary), body, [*parts, ".SH SEE ALSO", ".BR finclaw (1)"])


def _part(command: Command, *, top: bool) -> list[str]:
    lines = [] if top else [f".SH {_roff(command.name.upper())}", *_paragraphs(command.text)]
    for title, options in command.sections():
        lines += [f".SH {title.upper()}" if top else f".SS {title}"]
        for option in options:
            lines += _item(option.names, option.text)
    return lines


def _paragraphs(text: str) -> list[str]:
    return _roff(text).replace("\n\n", "\n.PP\n").splitlines()


def _item(name: str, text: str) -> list[str]:
    return [".TP", rf"\fB{_roff(name)}\fR", _roff(text)]


def _page(name: str, summary: str, *parts: list[str]) -> str:
    head = [
        f'.TH "{name.upper()}" "1" "" "finclaw {__version__}" "finclaw"',
        ".SH NAME",
        rf"{_roff(name)} \- {summary}",
    ]
    return "\n".join([*head, *(line for part in parts for line in part)]) + "\n"


def _roff(text: str) -> str:
    """Text without markup of roff: backslashes, hyphens of options, and a dot or an apostrophe at a line's start."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return "\n".join(rf"\&{line}" if line[:1] in {".", "'"} else line for line in text.splitlines())
