"""What finclaw itself raises to end work from outside, and what becomes of what the code of a plugin raises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

MAX_TEXT = 4_000
"""How many characters of the text of a plugin's exception are kept."""
MAX_TRACEBACK = 20_000


class Interruption(BaseException):
    """Finclaw ends the work that runs: a signal came, or a call was ended."""


class OutOfTime(Exception):
    """The work took too long."""


class PluginExit(Exception):
    """A plugin raised what cannot be passed on: no `Exception`, or one whose text is too long or cannot be read."""


@contextmanager
def plugin_code() -> Iterator[None]:
    """Run code of a plugin; whatever it raises is an `Exception` with a short text outside.

    Raises:
        Exception: as the plugin raised it.
        PluginExit: the plugin raised another `BaseException`, or an exception without a text that can be shown.
        Interruption: finclaw ends the work.
    """
    try:
        yield
    except (Interruption, PluginExit):
        raise
    except BaseException as error:
        if isinstance(error, Exception) and _has_short_text(error):
            raise
        raise PluginExit(f"it raised {error_text(error)}") from error


def error_text(error: BaseException) -> str:
    """The type and the text of an exception, at most so long; the text of an exception may be code of a plugin."""
    if isinstance(error, PluginExit):
        return str(error)
    kind = type(error).__name__
    try:
        text = shortened(str(error))
    except (Interruption, OutOfTime):
        raise
    except BaseException:  # noqa: BLE001 - an exception may raise another one when its text is read
        text = "its text cannot be read"
    return f"{kind}: {text}" if text else kind


def shortened(text: str, limit: int = MAX_TEXT) -> str:
    """The text, or its beginning with a mark of how long it is; in all at most so many characters."""
    if len(text) <= limit:
        return text
    mark = f"… ({len(text):,} characters in all)"
    return text[: limit - len(mark)] + mark


def traceback_text(error: BaseException) -> str:
    """The traceback of an exception with its causes, at most so long."""
    import traceback

    return shortened("".join(traceback.format_exception(error)), MAX_TRACEBACK)


def _has_short_text(error: Exception) -> bool:
    try:
        return max(len(str(error)), len(repr(error)) // 2) <= MAX_TEXT
    except (Interruption, OutOfTime):
        raise
    except BaseException:  # noqa: BLE001 - see `error_text`
        return False
