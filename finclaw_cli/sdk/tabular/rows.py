"""Reading rows with a report: rejected ones with line and reason, progress in rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from finclaw_cli.core.tool import ToolContext
from finclaw_cli.output.progress import Step
from finclaw_cli.sdk.render import bounded
from finclaw_cli.sdk.tabular.problems import BadCell

Row = tuple[int, list[str]]
"""The line that a row begins in, and its cells."""
T = TypeVar("T")

_REPORTED_ROWS = 1_000
_SHOWN_CHARACTERS = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A row that is not imported: where it is, its text, and the reason."""

    file: str = ""
    line: int
    content: str
    reason: str


def row_text(cells: Iterable[str]) -> str:
    """A row as it is shown: on one line, truncated."""
    return bounded(", ".join(cells), _SHOWN_CHARACTERS)


def check_width(cells: Sequence[str], width: int) -> None:
    """Check that a row has as many cells as the header.

    Raises:
        BadCell: it has not.
    """
    if len(cells) != width:
        raise BadCell(f"{len(cells)} cells where the header has {width}")


def read_rows(
    rows: Iterable[Row],
    read: Callable[[list[str], int], T],
    rejected: list[Rejection],
    *,
    file: str = "",
    shown: Callable[[str], str] = str,
) -> Iterator[T]:
    """What `read` makes of each row; a row for which it raises `BadCell` is added to `rejected`.

    Args:
        rows: of a file.
        read: gets the cells and the line of a row.
        rejected: the list to which rejections are added.
        file: the name of the file in rejections.
        shown: the text of a cell in rejections, where it has private data.
    """
    for line, cells in rows:
        try:
            result = read(cells, line)
        except BadCell as error:
            rejected.append(Rejection(file=file, line=line, content=row_text(map(shown, cells)), reason=str(error)))
        else:
            yield result


def no_progress(message: str, done: float | None = None, total: float | None = None) -> None:
    """Report nothing."""


def tool_progress(ctx: ToolContext) -> Step:
    """The progress of a tool's call, reported like that of a command."""

    def step(message: str, done: float | None = None, total: float | None = None) -> None:
        ctx.progress(message, done / total if done is not None and total else None)

    return step


def counted_rows(rows: Iterable[Row], message: str, step: Step, total: int | None = None) -> Iterator[Row]:
    """The same rows; their number is reported every thousand."""
    step(message, 0, total)
    for count, row in enumerate(rows, 1):
        if count % _REPORTED_ROWS == 0:
            step(message, count, total)
        yield row
