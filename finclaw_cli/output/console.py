"""Printing for people: everything goes through the cleaning function, nothing is ever half a traceback."""

from __future__ import annotations

import sys

from finclaw_cli.core.clean import clean


def echo(text: str, *, err: bool = False) -> None:
    """Print text and a newline to stdout or stderr, cleaned for a terminal and fit for the stream's encoding.

    Raises:
        BrokenPipeError: the reader of stdout is gone.
        OSError: stdout cannot be written.
    """
    stream = sys.stderr if err else sys.stdout
    line = clean(text) + "\n"
    encoding = stream.encoding or "utf-8"
    stream.write(line.encode(encoding, "replace").decode(encoding))
    stream.flush()
