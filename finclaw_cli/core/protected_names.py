"""Names in a workspace that no tool may write: what stands there runs code as the user, or loosens finclaw's rules."""

from __future__ import annotations

import unicodedata

PROTECTED_NAMES = frozenset({".git", ".finclaw", ".finclaw.toml"})
_SHORT_NAMES = frozenset({"git~1", "fincla~1", "fincla~1.tom"})
"""What Windows calls the same files in its 8.3 form."""


def comparable_name(name: str) -> str:
    """A file name as the most lenient file system compares it.

    Case, width, trailing dots and blanks, invisible marks, and the name of a stream after a colon do not count there.
    """
    plain = unicodedata.normalize("NFKC", name)
    visible = "".join(character for character in plain if unicodedata.category(character) not in {"Cf", "Mn"})
    return visible.casefold().split(":", 1)[0].rstrip(". ")


def is_protected_name(name: str) -> bool:
    """Whether no tool may write a file or a folder of this name, nor anything below it, at any depth."""
    compared = comparable_name(name)
    return compared in PROTECTED_NAMES or compared in _SHORT_NAMES
