"""One thing that a check found."""

from __future__ import annotations

from typing import Literal

from finclaw_cli.core.record import record

Severity = Literal["error", "warning", "note"]


@record(kw_only=True)
class Problem:
    """What is wrong, and with what.

    An `error` is refused by finclaw or a provider, or breaks a promise of the contract; a `warning` works, but worse
    than it could; a `note` says what was not looked at.
    """

    severity: Severity
    subject: str
    """`plugin`, or what of it is meant: `tool get_quote`, `provider acme`."""
    code: str
    """A stable name for machines."""
    message: str


def error(subject: str, code: str, message: str) -> Problem:
    """Something that must be put right."""
    return Problem(severity="error", subject=subject, code=code, message=message)


def warning(subject: str, code: str, message: str) -> Problem:
    """Something that should be put right."""
    return Problem(severity="warning", subject=subject, code=code, message=message)


def note(subject: str, code: str, message: str) -> Problem:
    """Something that was left out of the check."""
    return Problem(severity="note", subject=subject, code=code, message=message)
