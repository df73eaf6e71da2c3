"""The problems that a check finds."""

from __future__ import annotations

from typing import Literal

from finclaw_cli.core.record import record

Severity = Literal["error", "warning", "note"]


@record(kw_only=True)
class Problem:
    """One problem and its subject.

    An `error` is refused by finclaw or a provider, or breaks the contract; a `warning` works, but worse than it could;
    a `note` names a part that was not checked.
    """

    severity: Severity
    subject: str
    """`plugin`, or a part of it: `tool get_quote`, `provider acme`."""
    code: str
    """A stable name for machines."""
    message: str


def error(subject: str, code: str, message: str) -> Problem:
    """A problem that must be fixed."""
    return Problem(severity="error", subject=subject, code=code, message=message)


def warning(subject: str, code: str, message: str) -> Problem:
    """A problem that should be fixed."""
    return Problem(severity="warning", subject=subject, code=code, message=message)


def note(subject: str, code: str, message: str) -> Problem:
    """A part that was left out of the check."""
    return Problem(severity="note", subject=subject, code=code, message=message)
