"""The history of the interactive prompt: a private file, one entry a line, without secrets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from finclaw_cli.core.file_locks import locked
from finclaw_cli.core.files import private_folder, replace_file
from finclaw_cli.core.secrets import PROCESS

MAX_ENTRIES = 1_000
MAX_ENTRY_CHARS = 10_000
PATIENCE_S = 1.0
_APPENDING = os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


class InputHistory:
    """Appends each entry at once, so that concurrent conversations keep each other's.

    Errors of reading and writing are ignored: a conversation does not depend on its history.
    """

    def __init__(self, path: Path, *, keeps: bool) -> None:
        self._path = path
        self._keeps = keeps

    def load(self) -> list[str]:
        """The newest entries, oldest first; a longer file is truncated to them."""
        if len(lines := self._lines()) > MAX_ENTRIES and self._keeps:
            with suppress(OSError), locked(self._path, PATIENCE_S):
                lines = self._lines()
                replace_file(self._path, _text(lines[-MAX_ENTRIES:]))
        return [entry_of(line) for line in lines[-MAX_ENTRIES:]]

    def add(self, entry: str) -> None:
        """Append an entry, unless it is too long."""
        if not self._keeps or len(entry) > MAX_ENTRY_CHARS:
            return
        with suppress(OSError):
            private_folder(self._path.parent)
            with locked(self._path, PATIENCE_S):  # a file that is being truncated would lose it
                _append(self._path, _text([line_of(PROCESS.mask(entry))]))

    def _lines(self) -> list[str]:
        try:
            return self._path.read_text("utf-8", errors="replace").splitlines()
        except OSError:
            return []


def line_of(entry: str) -> str:
    """An entry as one line."""
    return "\\n".join(entry.replace("\\", "\\\\").splitlines())


def entry_of(line: str) -> str:
    """The entry of a line."""
    return re.sub(r"\\(.?)", lambda found: "\n" if found[1] == "n" else found[1], line)


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _append(path: Path, text: bytes) -> None:
    fd = os.open(path, _APPENDING, 0o600)
    try:
        os.write(fd, text)
    finally:
        os.close(fd)
