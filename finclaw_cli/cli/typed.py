"""What a user typed, as an error may repeat it: without keys that stand in the wrong place."""

from __future__ import annotations

from finclaw_cli.core.errors import FinclawError, UsageError


def without_typed_keys(text: str) -> str:
    """The text of an error without what has the form of a key; known keys are masked wherever text is written."""
    from finclaw_cli.masking.tokens import mask_tokens  # only where something is wrong

    return mask_tokens(text)


def without_keys(error: FinclawError) -> FinclawError:
    """The error as it is shown; only one about the command line, a file or a setting repeats what was typed."""
    if isinstance(error, UsageError):
        error.message = without_typed_keys(error.message)
    return error
