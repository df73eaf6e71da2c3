"""Text that comes in pieces."""

from __future__ import annotations

from io import StringIO


class GrowingText:
    """One buffer for all pieces: each of them alone takes ten times the memory of its letters."""

    def __init__(self) -> None:
        buffer = StringIO()
        self.append = buffer.write
        self._whole = buffer.getvalue
        self._length = buffer.tell

    def __bool__(self) -> bool:
        return self._length() > 0

    def __str__(self) -> str:
        return self._whole()
