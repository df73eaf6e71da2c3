"""Patterns of the user's own, from the settings: linear in time, or refused."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from typing import Any

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.record import record

_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")


@record(kw_only=True)
class Pattern:
    """A named pattern; `find` gives the spans it matches."""

    name: str
    find: Callable[[str], Iterator[tuple[int, int]]]


def compile_pattern(name: str, regex: str) -> Pattern:
    """Compile a pattern with RE2, which cannot be made slow by any text.

    Raises:
        UsageError: without google-re2, or when the name or the expression is not valid.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"invalid name for a pattern: {name!r}", hint="Use small letters, digits and underscores, like `client_id`."
        )
    re2 = _engine()
    options = re2.Options()
    options.log_errors = False
    try:
        compiled = re2.compile(regex, options)
    except re2.error as error:
        raise UsageError(
            f"invalid pattern {name!r}: {_words(error)}", hint="RE2 has no look-around and no back-references."
        ) from None
    return Pattern(name=name, find=lambda text: _spans(compiled, text))


def _engine() -> Any:
    try:
        return importlib.import_module("re2")
    except ImportError:
        raise UsageError(
            "patterns of your own need google-re2, which is not installed",
            hint="Install it: pip install 'finclaw-cli[re2]'",
        ) from None


def _words(error: Exception) -> str:
    reason = error.args[0] if error.args else ""
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)


def _spans(compiled: Any, text: str) -> Iterator[tuple[int, int]]:
    for found in compiled.finditer(text):
        if found.end() > found.start():
            yield found.start(), found.end()
