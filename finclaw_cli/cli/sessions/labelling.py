"""`finclaw sessions tag` and `finclaw sessions note`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from finclaw_cli.cli.listing import print_json
from finclaw_cli.cli.sessions.removal import named_session, session_name
from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import OutputFailed, UsageError
from finclaw_cli.output.console import echo
from finclaw_cli.settings.paths import sessions_folder
from finclaw_cli.transcript.labels import FILE, Labels, change_labels, checked_note, checked_tag, read_labels


def tag_session(name: str, add: Sequence[str], remove: Sequence[str], *, as_json: bool) -> None:
    """Add tags to a session, or remove some, and print those that it has then.

    Raises:
        UsageError: there is no such session, or a tag cannot be one.
        OutputFailed: the tags cannot be written.
    """
    added, removed = set(map(checked_tag, add)), set(map(checked_tag, remove))
    changes = bool(added or removed)
    labels = _changed(name, (lambda old: Labels(_tags(old.tags, added, removed), old.note)) if changes else None)
    if as_json:
        print_json({"tags": labels.tags})
    else:
        echo(", ".join(labels.tags) or "It has no tags.")


def _tags(old: Sequence[str], added: set[str], removed: set[str]) -> tuple[str, ...]:
    return tuple(sorted({*old, *added} - removed))


def note_session(name: str, text: str | None, *, clear: bool, as_json: bool) -> None:
    """Give a session a note in place of the one it has, and print it.

    Raises:
        UsageError: there is no such session, or the note is too long.
        OutputFailed: the note cannot be written.
    """
    if clear and text is not None:
        raise UsageError("--clear removes the note: give no text beside it")
    note = "" if clear else None if text is None else checked_note(text)
    labels = _changed(name, None if note is None else lambda old: Labels(old.tags, note))
    if as_json:
        print_json({"note": labels.note})
    else:
        echo(clean_line(labels.note) or "It has no note.")


def _changed(name: str, change: Callable[[Labels], Labels] | None) -> Labels:
    session, folder = session_name(named_session(name)), sessions_folder()
    if change is None:
        return read_labels(folder).get(session, Labels())
    try:
        return change_labels(folder, session, change)
    except OSError as error:
        raise OutputFailed(f"{folder / FILE} cannot be written: {error.strerror or error}") from error
