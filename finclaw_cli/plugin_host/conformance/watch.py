"""Capturing output to stdout, by `print` or below Python."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


class Written:
    """The captured output, set at the end of the capture."""

    text: str = ""


@contextmanager
def watched_stdout() -> Iterator[Written]:
    """Divert stdout, the stream and the descriptor, into `Written`."""
    written = Written()
    sys.stdout.flush()
    kept = os.dup(1)
    with tempfile.TemporaryFile() as file:
        stream = io.TextIOWrapper(io.FileIO(os.dup(file.fileno()), "w"), "utf-8", errors="replace", write_through=True)
        try:
            os.dup2(file.fileno(), 1)
            with stream, redirect_stdout(stream):
                yield written
        finally:
            os.dup2(kept, 1)
            os.close(kept)
            file.seek(0)
            written.text = file.read().decode("utf-8", "replace")
