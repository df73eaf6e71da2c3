"""Messages from typed lines: continued lines, and blocks."""

from __future__ import annotations

FENCES = ('"""', "```")
FIRST, NEXT = "> ", "… "


class Composer:
    """Joins lines until they are a complete message.

    A line that ends with a backslash continues in the next one; a line that is a fence alone begins a block, which ends
    with the same. Several lines at once, as a terminal sends pasted text, are a message as they are.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._fence: str | None = None
        self._goes_on = False

    @property
    def is_empty(self) -> bool:
        """Whether no message is incomplete."""
        return not (self._goes_on or self._fence)

    @property
    def prompt(self) -> str:
        return FIRST if self.is_empty else NEXT

    def add(self, line: str) -> str | None:
        """Add a line; return the message when it is complete."""
        pasted = line.splitlines()
        if len(pasted) > 1 and self._fence is None:
            return self._end([*self._lines, *_unfenced(pasted)])
        if line.strip() == self._fence:
            return self._end(self._lines)
        if self._fence is not None:
            self._lines.append(line)
        elif not self._goes_on and line.strip() in FENCES:
            self._fence = line.strip()
        elif line.endswith("\\"):
            self._goes_on = True
            self._lines.append(line[:-1])
        else:
            return self._end([*self._lines, line])
        return None

    def clear(self) -> None:
        """Discard the incomplete message."""
        self._end([])

    def _end(self, lines: list[str]) -> str:
        self._lines, self._fence, self._goes_on = [], None, False
        return "\n".join(lines).strip()


def _unfenced(lines: list[str]) -> list[str]:
    first, last = lines[0].strip(), lines[-1].strip()
    return lines[1:-1] if first in FENCES and first == last else lines
