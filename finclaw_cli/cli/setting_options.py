"""The options of commands that are settings, made from their declarations."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from finclaw_cli.cli.complete import complete_model, complete_tool
from finclaw_cli.core.checked import type_of
from finclaw_cli.settings.model import Declaration, Settings, declarations
from finclaw_cli.settings.run_settings import run_settings
from finclaw_cli.settings.tables import Seconds

_COMPLETIONS: dict[str | None, Callable[[str], Any]] = {"model": complete_model, "tool": complete_tool}
_READ_HERE = (str, int, float, bool)
"""Types that the command line parses; other values are texts, which the settings parse."""


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each setting that has one to a command, in place of its `**` parameter."""
    return _with(command, {name: each for name, each in declarations().items() if each.group is not None})


def with_run_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each setting of a single run that the command has no parameter for."""
    return _with(command, run_settings())


def _with(command: Callable[..., None], settings: Mapping[str, Declaration]) -> Callable[..., None]:
    own = inspect.signature(command, eval_str=True)
    *parameters, _ = own.parameters.values()
    options = [_parameter(name, each) for name, each in settings.items() if name not in own.parameters]
    command.__signature__ = own.replace(parameters=[*parameters, *options])  # type: ignore[attr-defined]
    return command


def _parameter(name: str, declared: Declaration) -> inspect.Parameter:
    declared_type = type_of(Settings, name)
    kind = _bare(declared_type)
    is_list = get_origin(kind) is list
    read: Any = list[str] if is_list else kind if kind in _READ_HERE else str
    flag = f"--{name.replace('_', '-')}"
    names = [f"{flag}/--no-{flag[2:]}" if kind is bool else flag, *([declared.short] if declared.short else [])]
    option = typer.Option(
        *names,
        help=_sentence(declared.description, is_list=is_list),
        metavar=declared.metavar or _choices(kind) or ("SECONDS" if declared_type == Seconds else None),
        autocompletion=_COMPLETIONS.get(declared.completes),
        rich_help_panel=declared.group,
    )
    annotation = Annotated[read | None, option]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _bare(kind: Any) -> Any:
    """A declared type without None and constraints."""
    inner = get_args(kind)
    if get_origin(kind) is Annotated:
        return _bare(inner[0])
    return _bare(next(each for each in inner if each is not NoneType)) if NoneType in inner else kind


def _choices(kind: Any) -> str | None:
    return "|".join(get_args(kind)) if get_origin(kind) is Literal else None


def _sentence(description: str, *, is_list: bool) -> str:
    return f"{description[0].upper()}{description[1:]}{'; repeatable' if is_list else ''}."
