"""The options of `finclaw cost`, checked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import cast

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record
from finclaw_cli.usage.report import REQUEST_DIMENSIONS, TOOL_DIMENSIONS, RequestDimension, ToolDimension

DIMENSIONS: tuple[str, ...] = tuple(dict.fromkeys((*REQUEST_DIMENSIONS, *TOOL_DIMENSIONS)))
FORMATS = ("table", "json", "ndjson", "csv")
DEFAULT_BY = "model"
TOOL = "tool"


@record(kw_only=True)
class Options:
    """The options of the command line, unchecked."""

    by: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    session: str | None = None
    run: str | None = None
    format: str | None = None
    as_json: bool = False
    chart: bool | None = None
    """None: on a terminal."""


@record(kw_only=True)
class Asked:
    """The query of a report, in the terms of the ledger."""

    by: tuple[str, ...]
    since: datetime | None = None
    until: datetime | None = None
    """The end, exclusive."""
    session: str | None = None
    run: str | None = None

    @property
    def is_of_tools(self) -> bool:
        return TOOL in self.by

    @property
    def request_dimensions(self) -> tuple[RequestDimension, ...]:
        return cast("tuple[RequestDimension, ...]", self.by)

    @property
    def tool_dimensions(self) -> tuple[ToolDimension, ...]:
        return cast("tuple[ToolDimension, ...]", self.by)


def check_alone(options: Options, command: str) -> None:
    """Refuse options of the report before a subcommand, where they would have no effect.

    Raises:
        UsageError: there is such an option.
    """
    if options != Options():
        raise UsageError(
            f"options before `{command}` belong to the report of costs", hint=f"See finclaw cost {command} --help."
        )


def dimensions(words: Sequence[str]) -> tuple[str, ...]:
    """The dimensions to group by, each once and in the order given.

    Raises:
        UsageError: one of them is no dimension, or they cannot be combined.
    """
    names = tuple(dict.fromkeys(name.strip() for word in words for name in word.split(","))) or (DEFAULT_BY,)
    for name in names:
        if name not in DIMENSIONS:
            raise UsageError(
                f"costs cannot be shown by {name!r}{_near(name, DIMENSIONS)}", hint=f"Use {_listed(DIMENSIONS)}."
            )
    foreign = [name for name in names if name not in TOOL_DIMENSIONS]
    if TOOL in names and foreign:
        others = [name for name in TOOL_DIMENSIONS if name != TOOL]
        raise UsageError(
            f"tool calls cannot be grouped by {', '.join(foreign)}: they are no requests and have no price",
            hint=f"Beside tool, use {_listed(others)}; or leave tool out.",
        )
    return names


def chosen_format(options: Options) -> str:
    """The output format.

    Raises:
        UsageError: there is no such format, or another option contradicts it.
    """
    form = options.format or ("json" if options.as_json else FORMATS[0])
    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r}{_near(form, FORMATS)}", hint=f"Use {_listed(FORMATS)}.")
    if options.as_json and form != "json":
        raise UsageError(f"--json and --format {form} exclude each other", hint="Leave one of them out.")
    if options.chart and form != FORMATS[0]:
        raise UsageError(f"there is no chart in {form}", hint="Leave out --chart, or use --format table.")
    return form


def unknown_name(kind: str, name: str, known: Sequence[str]) -> UsageError:
    """The error for a session or run without any row in the ledger."""
    return UsageError(
        f"nothing was spent in a {kind} {name!r}{_near(name, known)}",
        hint=f"`finclaw cost --by {kind}` shows which there are.",
        code=f"unknown_{kind}",
    )


def several_names(kind: str, name: str, found: Sequence[str], most: int) -> UsageError:
    """The error for an ambiguous prefix."""
    several = f"{', '.join(found[:most])}{', …' if len(found) > most else ''}"
    return UsageError(
        f"{name!r} begins the names of several {kind}s: {several}",
        hint="Write more of the name.",
        code=f"unknown_{kind}",
    )


def _near(name: str, names: Sequence[str]) -> str:
    near = get_close_matches(name, names, n=3)
    return f"; did you mean {', '.join(near)}?" if near else ""


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
