"""What `finclaw cost` was asked for, and whether that can be told."""

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
    """The command line, as it was written."""

    by: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    session: str | None = None
    run: str | None = None
    format: str | None = None
    as_json: bool = False
    chart: bool | None = None
    """None: where it can be seen."""


@record(kw_only=True)
class Asked:
    """What a report is of, in the ledger's words."""

    by: tuple[str, ...]
    since: datetime | None = None
    until: datetime | None = None
    """The first moment that is left out."""
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
    """Make sure that options of the report do not stand before a subcommand, where they would do nothing.

    Raises:
        UsageError: they do.
    """
    if options != Options():
        raise UsageError(
            f"options before `{command}` belong to the report of costs", hint=f"See finclaw cost {command} --help."
        )


def dimensions(words: Sequence[str]) -> tuple[str, ...]:
    """What to group by, each once and in the order in which it was said.

    Raises:
        UsageError: nothing can be grouped by one of them, or not by all of them together.
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
            f"calls of tools cannot be shown by {', '.join(foreign)}: they are no requests and have no price",
            hint=f"Beside tool, use {_listed(others)}; or leave tool out.",
        )
    return names


def chosen_format(options: Options) -> str:
    """What is printed.

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
    """No row of the ledger is of that session or run."""
    return UsageError(
        f"nothing was spent in a {kind} {name!r}{_near(name, known)}",
        hint=f"`finclaw cost --by {kind}` shows which there are.",
        code=f"unknown_{kind}",
    )


def several_names(kind: str, name: str, found: Sequence[str], most: int) -> UsageError:
    """More than one begins like that."""
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
