"""Typed text in errors, without keys in the wrong place."""

from __future__ import annotations

from finclaw_cli.core.errors import FinclawError, UsageError


def without_typed_keys(text: str) -> str:
    """The text of an error without anything in the form of a key; known keys are masked in all output."""
    from finclaw_cli.masking.tokens import mask_tokens  # only where something is wrong

    return mask_tokens(text)


def without_keys(error: FinclawError) -> FinclawError:
    """The error without keys; only errors about the command line, a file or a setting quote typed text."""
    if isinstance(error, UsageError):
        error.message = without_typed_keys(error.message)
    return error
