"""Numbers as people write them in a variable or after an option."""

from __future__ import annotations


def number(text: str, kind: type[int | float]) -> int | float:
    """A number as it stands in a variable or after an option: plain digits, none of Python's other forms.

    Raises:
        ValueError: it is none.
    """
    if not text.isascii() or "_" in text:
        raise ValueError("must be a number")
    return kind(text)
