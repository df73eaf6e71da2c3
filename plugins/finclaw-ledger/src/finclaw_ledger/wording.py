"""Text from outside as we keep and show it: clean, bounded, without the numbers of accounts and cards."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from finclaw_cli.sdk.render import one_line

_MAX_TEXT = 300
_LAST = 4
_DIGITS = 6
_IBAN = re.compile(r"(?<![^\W_])[A-Z]{2}[0-9]{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?(?![^\W_])")
# A comma or a point between digits makes them an amount; one at the end of a clause or a cell does not.
_LONG_NUMBER = re.compile(r"(?<![0-9])(?<![0-9][.,])[0-9](?:[ -]?[0-9]){8,21}(?![0-9]|[.,][0-9])")


@lru_cache(maxsize=16_384)
def cleaned(text: str) -> str:
    """A cell as it is kept: one line, single spaces, no control or invisible characters, composed, bounded.

    A formula such as `=cmd()` stays what it is here: text.
    """
    return " ".join(one_line(unicodedata.normalize("NFC", text[: _MAX_TEXT * 4])).split())[:_MAX_TEXT]


def private(text: str) -> str:
    """The text with the numbers of accounts and cards cut to their last four characters."""
    return _LONG_NUMBER.sub(_tail, _IBAN.sub(_tail, text))


def _tail(found: re.Match[str]) -> str:
    return "…" + re.sub(r"[^A-Z0-9]", "", found[0])[-_LAST:]


def alias(number: str) -> str:
    """The name of an account as it is shown: its own, or the last four characters of its number."""
    letters = re.sub(r"[^A-Za-z0-9]", "", number)
    digits = sum(mark.isdigit() for mark in letters)
    # Mostly digits, and more of them than a year and a month have.
    if digits < _DIGITS or digits * 2 <= len(letters) or not number.isascii():
        return number
    return "account …" + letters[-_LAST:]
