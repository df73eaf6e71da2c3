"""Names of files: what may be asked for, what is protected, and how a name is shown."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Sequence

from finclaw_cli.sdk import comparable_name, is_protected_name
from finclaw_workspace.refusal import Refused, outside

Parts = tuple[str, ...]
SKIPPED_FOLDERS = frozenset({".git", "node_modules", ".venv"})
MAX_PATH = 4096
_MAX_SHOWN = 300
_MAX_CANDIDATES = 2000


def shown(parts: Sequence[str] | str, widest: int = _MAX_SHOWN) -> str:
    """A path for messages and results: bounded, and without bytes that steer a terminal or break a line."""
    text = parts if isinstance(parts, str) else ("/".join(parts) or ".")
    if len(text) > widest:
        text = text[: widest - 1] + "…"
    if text.isprintable():
        return text
    readable = os.fsencode(text).decode("utf-8", "backslashreplace") if _escaped_bytes(text) else text
    return readable if readable.isprintable() else json.dumps(readable)


def _escaped_bytes(text: str) -> bool:
    return any("\udc80" <= character <= "\udcff" for character in text)


def parts_of(path: str, roots: Sequence[str]) -> Parts:
    """The components of a path that a model gave, relative to the workspace.

    Args:
        path: what was given; an absolute path is taken when it lies lexically in one of the roots.
        roots: absolute names of the workspace.

    Raises:
        Refused: it is empty, not a name, or leads out.
    """
    if not path or len(path.encode("utf-8", "replace")) > MAX_PATH:
        raise Refused("BAD_INPUT", f"the path is empty or longer than {MAX_PATH} bytes. Give a shorter one.")
    if not all(_nameable(character) for character in path):
        raise Refused("BAD_INPUT", "the path has control characters. Give a plain name.")
    if path.startswith("~"):
        raise outside(shown(path))
    parts = tuple(part for part in path.split("/") if part not in {"", "."})
    if ".." in parts:
        raise outside(shown(path))
    if not path.startswith("/"):
        return parts
    for root in roots:
        above = tuple(part for part in root.split("/") if part)
        if parts[: len(above)] == above:
            return parts[len(above) :]
    raise outside(shown(path))


def _nameable(character: str) -> bool:
    # Controls, line and paragraph separators, surrogates; and format characters, which hide (bidi, zero width).
    # The joiners stay: emoji and several scripts need them inside ordinary names.
    return character in "\u200c\u200d" or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def protected_part(parts: Parts, extra: Sequence[Parts]) -> str | None:
    """The part of a path for which it may not be written, or None."""
    protected = next((part for part in parts if is_protected_name(part)), None)
    if protected is not None:
        return protected
    names = tuple(comparable_name(part) for part in parts)
    for path in extra:
        wanted = tuple(comparable_name(part) for part in path)
        if names[: len(wanted)] == wanted:
            return "/".join(path)
    return None


def leads_to_protected(parts: Parts, extra: Sequence[Parts]) -> bool:
    """Whether something protected lies at or below a path; then the path itself may not be replaced by a file."""
    names = tuple(comparable_name(part) for part in parts)
    return any(tuple(comparable_name(part) for part in path)[: len(names)] == names for path in extra)


def near(name: str, candidates: Sequence[str]) -> str:
    """Words that name the candidates that look like a name, or nothing."""
    import difflib

    found = difflib.get_close_matches(name, candidates[:_MAX_CANDIDATES], n=3, cutoff=0.6)
    return f" Near: {', '.join(shown(item) for item in found)}." if found else ""
