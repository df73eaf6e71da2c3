"""Paths of files in a workspace: validation, protected names, and their text in messages."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Sequence

from finclaw_cli.core.protected_names import comparable_name, is_protected_name
from finclaw_cli.sdk.files.refusal import Refused, outside

Parts = tuple[str, ...]
MAX_PATH = 4096
_MAX_SHOWN = 300
_MAX_CANDIDATES = 2000


def shown(parts: Sequence[str] | str, widest: int = _MAX_SHOWN) -> str:
    """A path as text for messages and results: bounded, on one line, without control characters."""
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
    """The components of a path from a model, relative to the workspace.

    Args:
        path: relative, or absolute and lexically in one of the roots.
        roots: absolute names of the workspace.

    Raises:
        Refused: it is empty, has control characters, or leads out.
    """
    _check_name(path)
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


def _check_name(path: str) -> None:
    if not path or len(path.encode("utf-8", "replace")) > MAX_PATH:
        raise Refused("BAD_INPUT", f"the path is empty or longer than {MAX_PATH} bytes. Give a shorter one.")
    if not all(_nameable(character) for character in path):
        raise Refused("BAD_INPUT", "the path has control characters. Give a plain name.")


def _nameable(character: str) -> bool:
    # Not: controls, line and paragraph separators, surrogates, invisible format characters (bidi, zero width).
    # Joiners are allowed: emoji and several scripts need them in ordinary names.
    return character in "\u200c\u200d" or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def protected_part(parts: Parts, extra: Sequence[Parts]) -> str | None:
    """The part of a path by which it is protected from writing, or None."""
    protected = next((part for part in parts if is_protected_name(part)), None)
    if protected is not None:
        return protected
    return next(("/".join(path) for path in extra if lies_in(parts, path)), None)


def lies_in(parts: Parts, folder: Parts) -> bool:
    """Whether a path is a folder or below it, as the most lenient file system compares names."""
    return [comparable_name(part) for part in parts[: len(folder)]] == [comparable_name(part) for part in folder]


def near(name: str, candidates: Sequence[str]) -> str:
    """A sentence with the candidates that are similar to a name; empty where there are none."""
    import difflib

    found = difflib.get_close_matches(name, candidates[:_MAX_CANDIDATES], n=3, cutoff=0.6)
    return f" Near: {', '.join(shown(item) for item in found)}." if found else ""
