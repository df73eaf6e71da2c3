"""Standard streams whose text is made safe for a terminal.

`sys.stderr` is always cleaned, `sys.stdout` where it is a terminal: finclaw's own output is clean already, but that of
plugins, libraries and loggers uses the same streams. Renderers that draw on a terminal clean their input and write to
`sys.__stderr__` or to a descriptor of their own.
"""

from __future__ import annotations

import sys
from typing import Any, TextIO, cast


def clean_standard_streams() -> None:
    """Put a cleaning stream in front of `sys.stdout` and `sys.stderr`."""
    sys.stdout = cast("TextIO", CleanStream(sys.stdout, always=False))
    sys.stderr = cast("TextIO", CleanStream(sys.stderr, always=True))


class CleanStream:
    """A text stream that removes escape sequences, hidden characters and known keys; the rest is delegated.

    A sequence that is written in several pieces loses its first character, so that the rest of it is plain text.

    Args:
        stream: the underlying stream.
        always: whether to clean also where the stream is no terminal.
    """

    def __init__(self, stream: TextIO, *, always: bool) -> None:
        self._stream = stream
        self._always = always

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def buffer(self) -> Any:
        """The underlying binary stream, whose bytes are cleaned as text."""
        return _CleanBytes(self) if self._is_cleaned() else self._stream.buffer

    def write(self, text: str) -> int:
        """Write the cleaned text; return the number of characters of the original."""
        if self._is_cleaned():
            self._stream.write(_cleaned(text, self._stream.encoding or "utf-8"))
        else:
            self._stream.write(text)
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write each line as `write` does."""
        for line in lines:
            self.write(line)

    def _is_cleaned(self) -> bool:
        return self._always or self._stream.isatty()


class _CleanBytes:
    """The binary side of a cleaned stream."""

    def __init__(self, stream: CleanStream) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, content: Any) -> int:
        data = bytes(content)
        self._stream.write(data.decode("utf-8", "replace"))
        self._stream.flush()
        return len(data)


def _cleaned(text: str, encoding: str) -> str:
    from finclaw_cli.core.clean import clean  # imported only when needed
    from finclaw_cli.core.secrets import PROCESS

    return clean(PROCESS.mask(text)).encode(encoding, "replace").decode(encoding)
