"""Where sessions lie, and which one a name means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.files import private_folder

SUFFIX = ".jsonl"
LEAST_KEY = 18
"""Fewer characters than any key that is known by its form."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class SessionStore:
    """The folder that holds a user's sessions, a file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def make(self) -> None:
        """Make the folder, for its owner alone.

        Raises:
            OSError: it cannot be made.
        """
        private_folder(self._folder)

    def path(self, name: str) -> Path:
        """Where a session of that name lies, or will.

        Raises:
            UsageError: no session can be called that.
        """
        if not _is_name(name):
            raise UsageError(
                f"no session can be called {name!r}",
                hint="Use letters, digits, dots, dashes and underscores, at most 64 of them.",
                code="bad_session",
            )
        if _holds_key(name):
            raise UsageError(
                "the name of the session has a key in it", hint="Use a name that may be shown.", code="bad_session"
            )
        return self._folder / f"{name}{SUFFIX}"

    def find(self, name: str) -> Path:
        """The session that a name, the beginning of one, or a path to a file means.

        Raises:
            UsageError: there is none, or there are several.
        """
        if _is_name(name) and (path := self.path(name)).is_file():
            return path
        if Path(name).is_file():
            return Path(name)
        if "/" in name and Path(name).exists():
            raise UsageError(f"{name} is no regular file", hint="Name a session, or a transcript.", code="bad_file")
        self.path(name)  # what follows is for names alone
        found = [other for other in self.paths() if other.name.startswith(name)]
        if len(found) == 1:
            return found[0]
        several = ", ".join(other.name.removesuffix(SUFFIX) for other in found[:5])
        raise UsageError(
            f"{name!r} begins the names of {len(found)} sessions: {several}" if found else f"no session {name!r}",
            hint="`finclaw sessions list` shows which there are.",
            code="unknown_session",
        )

    def paths(self) -> list[Path]:
        """The files of all sessions, the last one written first; of those written at one time, the last name first.

        Raises:
            UsageError: the folder cannot be read.
        """
        files = [path for path in self._files() if path.is_file()]
        return sorted(files, key=place_in_list, reverse=True)

    def _files(self) -> Iterator[Path]:
        if not self._folder.exists():
            return
        try:
            yield from (path for path in self._folder.iterdir() if path.name.endswith(SUFFIX) and is_text(path.name))
        except OSError as error:
            raise UsageError(f"{self._folder}: cannot be read: {error.strerror}", code="bad_file") from error


def place_in_list(path: Path) -> tuple[int, str]:
    """When a session was last written (ns since the epoch) and its file's name: the order of lists of sessions.

    A file system's times may be some milliseconds apart at least, so that two sessions can have the same.
    """
    return path.stat().st_mtime_ns, path.name


def is_text(name: str) -> bool:
    """Whether the name of a file is UTF-8, as the names of all sessions are."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _holds_key(name: str) -> bool:
    if environment().secrets.mask(name) != name:
        return True
    if len(name) < LEAST_KEY or name.startswith("run_"):
        return False
    from finclaw_cli.masking.tokens import mask_tokens  # few names are so long

    return mask_tokens(name) != name


def _is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and not name.endswith(SUFFIX)
