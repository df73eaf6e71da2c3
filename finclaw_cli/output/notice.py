"""finclaw's messages on stderr."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Protocol

from finclaw_cli.core.clean import clean, clean_line
from finclaw_cli.core.secrets import PROCESS


class Failure(Protocol):
    """The message and the hint of an error, of an exception or an event."""

    @property
    def message(self) -> str: ...

    @property
    def hint(self) -> str | None: ...


def notice(text: str) -> None:
    """Write cleaned lines to stderr, without secrets; errors of stderr are ignored."""
    with suppress(OSError, ValueError, AttributeError):
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write((clean(PROCESS.mask(text)) + "\n").encode(encoding, "replace").decode(encoding))
        sys.stderr.flush()


def warn(text: str) -> None:
    """Write a warning to stderr, on one line whatever it quotes."""
    notice(f"finclaw: warning: {clean_line(text)}")


def error_text(failure: Failure) -> str:
    """An error in one to three lines: what happened, and what to do next."""
    return f"finclaw: {failure.message}" + (f"\n{failure.hint}" if failure.hint else "")
