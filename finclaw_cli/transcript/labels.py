"""Tags and notes that a user gives to sessions: one file beside them, which no run writes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.file_locks import locked
from finclaw_cli.core.files import private_folder, read_regular, replace_file
from finclaw_cli.core.record import record

FILE = "labels.json"
MOST_TAGS, LONGEST_NOTE = 32, 2_000
_MOST_BYTES = 64 * 1024 * 1024
_TAG = re.compile(r"[^\W_][\w.:/-]{0,39}")


@record
class Labels:
    """The tags of a session, in alphabetical order, and its note."""

    tags: tuple[str, ...] = ()
    note: str = ""


def read_labels(folder: Path) -> dict[str, Labels]:
    """The labels of all sessions that have some, by name.

    Raises:
        UsageError: the file cannot be read.
    """
    path = folder / FILE
    try:
        stored = json.loads(read_regular(path, _MOST_BYTES))
        return {str(name): Labels(tuple(map(str, each["tags"])), str(each["note"])) for name, each in stored.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{path} cannot be read: {_why(error)}",
            hint="Repair it, or move it away: it has the tags and notes of all sessions.",
            code="bad_labels",
        ) from error


def _why(error: Exception) -> str:
    """Why a file is none of labels."""
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON at line {error.lineno}, column {error.colno}"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return "it has not the form of tags and notes"


def change_labels(folder: Path, name: str, change: Callable[[Labels], Labels]) -> Labels:
    """Change the labels of one session, and return them.

    Raises:
        UsageError: the file cannot be read, or the session would have too many tags.
        OSError: it cannot be written.
    """
    with locked(private_folder(folder) / FILE):
        known = read_labels(folder)
        changed = change(known.get(name, Labels()))
        if len(changed.tags) > MOST_TAGS:
            raise UsageError(f"a session has at most {MOST_TAGS} tags")
        _write(folder, {**known, name: changed})
    return changed


def forget_labels(folder: Path, names: set[str]) -> None:
    """Drop the labels of sessions that were removed.

    Raises:
        UsageError: the file cannot be read.
        OSError: it cannot be written.
    """
    if not (folder / FILE).exists():
        return
    with locked(folder / FILE):
        known = read_labels(folder)
        if not known.keys().isdisjoint(names):
            _write(folder, {name: labels for name, labels in known.items() if name not in names})


def _write(folder: Path, labels: Mapping[str, Labels]) -> None:
    stored = {name: {"tags": each.tags, "note": each.note} for name, each in labels.items() if each != Labels()}
    replace_file(folder / FILE, (json.dumps(stored, indent=1, sort_keys=True) + "\n").encode("ascii"))


def checked_tag(text: str) -> str:
    """A tag as it is stored.

    Raises:
        UsageError: it is none.
    """
    if _TAG.fullmatch(text) is None:
        raise UsageError(
            f"{text!r} cannot be a tag", hint="Use letters, digits, and . _ : / - after the first, at most 40."
        )
    return text.lower()


def checked_note(text: str) -> str:
    """A note as it is stored: one line.

    Raises:
        UsageError: it is too long.
    """
    note = " ".join(text.split())
    if len(note) > LONGEST_NOTE:
        raise UsageError(f"a note has at most {LONGEST_NOTE} characters, not {len(note)}")
    return note
