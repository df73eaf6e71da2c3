"""What finclaw itself says on stderr."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Protocol

from finclaw_cli.core.clean import clean
from finclaw_cli.core.secrets import PROCESS


class Told(Protocol):
    """What an error says, be it raised or told by an event."""

    @property
    def message(self) -> str: ...

    @property
    def hint(self) -> str | None: ...


def notice(text: str) -> None:
    """One cleaned line or more on stderr, without secrets; a stderr that is gone is no reason to fail."""
    with suppress(OSError, ValueError, AttributeError):
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write((clean(PROCESS.mask(text)) + "\n").encode(encoding, "replace").decode(encoding))
        sys.stderr.flush()


def error_text(failure: Told) -> str:
    """An error in one to three lines: what happened, and what to do next."""
    return f"finclaw: {failure.message}" + (f"\n{failure.hint}" if failure.hint else "")
