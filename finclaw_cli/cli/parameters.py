"""Parsing of text, number, flag and path options without pydantic.

For each option of a command, given or not, typer builds a pydantic adapter, and for the first one imports pydantic,
which takes three times as long as the command itself. Options of other types keep typer's parser. If typer moves the
patched function, all options do, and the test of a command's imports fails.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import typer
from typer import core

from finclaw_cli.core.numerals import number

# The function with which typer builds an option's parser; it is not public.
_DOOR = "build_runtime_param"
_FLAGS = {"1": True, "true": True, "t": True, "yes": True, "y": True, "on": True}
_FLAGS |= {"0": False, "false": False, "f": False, "no": False, "n": False, "off": False}


class Plain:
    """Parses the values of one option."""

    def __init__(self, read: Callable[[str], object], kind: str) -> None:
        self._read = read
        self._kind = kind

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Parse one value or several; an invalid one is an error that names the option."""
        if param.multiple or param.nargs == -1:
            return tuple(self._one(item, param, ctx) for item in value or ())
        return None if value is None else self._one(value, param, ctx)

    def _one(self, value: Any, param: Any, ctx: Any) -> object:
        if not isinstance(value, str):
            return value  # a default, already of its type
        try:
            return self._read(value)
        except (ValueError, KeyError):
            # The value is not shown: it may be a key.
            raise typer.BadParameter(f"{self._kind} is needed.", ctx=ctx, param=param) from None


_KINDS: dict[object, Plain] = {
    str: Plain(str, "a text"),
    int: Plain(lambda text: number(text, int), "a whole number"),
    float: Plain(lambda text: number(text, float), "a number"),
    bool: Plain(lambda text: _FLAGS[text.strip().lower()], "true or false"),
    Path: Plain(Path, "a path"),
    list[str]: Plain(str, "a text"),
    list[Path]: Plain(Path, "a path"),
}


def read_plainly() -> None:
    """Make typer parse plain options without pydantic."""
    built = getattr(core, _DOOR, None)
    if built is not None:
        setattr(core, _DOOR, partial(_reader, built))


def _reader(otherwise: Callable[[Any], Any], descriptor: Any) -> Any:
    info = descriptor.parameter_info
    if info.parser is None and info.min is None and info.max is None and descriptor.annotation in _KINDS:
        return _KINDS[descriptor.annotation]
    return otherwise(descriptor)
