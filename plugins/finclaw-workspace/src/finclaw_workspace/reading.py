"""`read`: a text file, with line numbers."""

from __future__ import annotations

import time

from finclaw_cli.sdk import PlainText, ToolContext, tool
from finclaw_cli.sdk.files import shown
from finclaw_workspace.calls import checked, workspace
from finclaw_workspace.text import Line, Timed, lines

_MAX_LIMIT = 5000
_MAX_LINE = 1000
_MAX_CHARS = 60_000
# How long lines are read, and how long those are only counted that are not shown: enough for hundreds of MB.
_READING_S = 6.0
_COUNTING_S = 1.0


@tool(group="system", read_only=True, idempotent=True, timeout=10)
def read(path: str, ctx: ToolContext, offset: int = 1, limit: int = 2000) -> PlainText:
    """Read a text file of the workspace, each line after its number and a tab.

    Args:
        path: the file, relative to the workspace.
        ctx: given by finclaw.
        offset: the first line, from 1.
        limit: how many lines at most, up to 5000.
    """
    checked("offset", offset, 1, 1_000_000_000)
    checked("limit", limit, 1, _MAX_LIMIT)
    with workspace(ctx) as root, root.reading(path) as (found, facts):
        name = shown(found.parts)
        page = _Page(Timed(found.fd, time.monotonic() + _READING_S), offset, limit)
        page.take(name, facts.st_size)
        return PlainText(page.rendered(name, facts.st_size))


class _Page:
    """The lines that are shown, and what is known of the others."""

    def __init__(self, file: Timed, offset: int, limit: int) -> None:
        self._file = file
        self._offset, self._limit = offset, limit
        self._shown: list[str] = []
        self._size = 0
        self._total = 0
        self._full = False

    def take(self, name: str, size: int) -> None:
        """Read the lines up to the page, keep the page, count the rest for a while."""
        for number, line in enumerate(lines(self._file, name, size, _MAX_LINE), start=1):
            self._total = number
            if number >= self._offset and not self._full:
                self._keep(number, line)

    def _keep(self, number: int, line: Line) -> None:
        more = f"… ({line.left_out:,} more characters)" if line.left_out else ""
        text = f"{number}\t{line.text}{more}"
        self._size += len(text) + 1
        if len(self._shown) == self._limit or (self._shown and self._size > _MAX_CHARS):
            self._full = True
            self._file.until = min(self._file.until, time.monotonic() + _COUNTING_S)
        else:
            self._shown.append(text)

    def rendered(self, name: str, size: int) -> str:
        total = f"{self._total:,}" if not self._file.cut else f"more than {self._total:,}"
        facts = f"{total} line{'' if self._total == 1 else 's'}, {size:,} bytes"
        if not self._shown:
            return f"[{name}: {facts}; nothing from line {self._offset} on]"
        last = self._offset + len(self._shown) - 1
        if last < self._total:
            facts = f"lines {self._offset} to {last} of {facts}; go on with offset={last + 1}"
        return "\n".join((f"[{name}: {facts}]", *self._shown))
