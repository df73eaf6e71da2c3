"""A workspace folder, through which all of its files are opened."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from finclaw_cli.sdk.files.beneath import FILE, FOLDER, Found, Opener, best_opener, name_of
from finclaw_cli.sdk.files.names import Parts, lies_in, near, parts_of, protected_part, shown
from finclaw_cli.sdk.files.refusal import Refused, from_os

MAX_LISTED = 2000
_PROC = Path("/proc/self/fd")


@dataclass(frozen=True, slots=True)
class Target:
    """The place of a file to be written."""

    folder: int | None
    """The open folder; None where it does not exist and is not made."""
    parts: Parts
    """The real path: no component of it is a link."""

    @property
    def name(self) -> str:
        return self.parts[-1]


class Root:
    """An open folder. All checks are made on open files, never on a path that is opened later.

    Args:
        workspace: the folder. The user chose it, so links in its own name are followed.
        protected: further paths below it that must not be written.
        hidden: folders that must not be read either: finclaw's own data, where it is inside.
        opener: how files are opened; by default the best implementation for this system.
    """

    def __init__(
        self,
        workspace: Path,
        *,
        protected: Sequence[Parts] = (),
        hidden: Sequence[Path] = (),
        opener: Opener | None = None,
    ) -> None:
        self._opener = opener or best_opener()
        self._protected = tuple(protected)
        real = os.path.realpath(workspace)
        self._names = (os.path.abspath(workspace), real)  # noqa: PTH100 - lexical, on purpose
        self._hidden = tuple(below(real, os.path.realpath(folder)) for folder in hidden)
        try:
            self._fd = os.open(workspace, FOLDER | os.O_CLOEXEC)
        except OSError as error:
            raise Refused("NOT_FOUND", f"the workspace cannot be opened ({error.strerror}). Tell the user.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._fd)

    @contextmanager
    def reading(self, path: str) -> Iterator[tuple[Found, os.stat_result]]:
        """Open a regular file for reading.

        Raises:
            Refused: it is outside, missing, hidden, or no regular file.
        """
        parts = self._parts(path)
        with self._opened(parts, FILE) as found:
            yield found, regular(found.fd, found.parts)

    @contextmanager
    def folder(self, path: str) -> Iterator[Found]:
        """Open a folder for listing."""
        parts = self._parts(path)
        with self._opened(parts, FILE) as found:
            if not stat.S_ISDIR(os.fstat(found.fd).st_mode):
                raise Refused("NOT_A_FOLDER", f"{shown(found.parts)} is a file. Give the folder it is in.")
            yield found

    @contextmanager
    def writing(self, path: str, *, make: bool) -> Iterator[Target]:
        """The place of a file to be written, with its folder open; `make` creates missing folders.

        Raises:
            Refused: it is outside, protected, hidden, or a folder.
        """
        parts = self._parts(path)
        if not parts:
            raise Refused("IS_A_FOLDER", "the path is the workspace itself. Give the name of a file in it.")
        self._check_writable(parts)
        try:
            folder, real = self._place(parts, make=make)
        except OSError as error:
            raise from_os(error, shown(parts)) from error
        try:
            yield Target(folder.fd if folder else None, real)
        finally:
            if folder is not None:
                os.close(folder.fd)

    @property
    def hidden(self) -> tuple[Parts, ...]:
        """The hidden folders that are inside."""
        return tuple(parts for parts in self._hidden if parts is not None)

    def hides(self, parts: Parts) -> bool:
        """Whether a path must not be read."""
        return any(lies_in(parts, hidden) for hidden in self.hidden)

    def still_inside(self, target: Target) -> None:
        """Check, just before a file is renamed into place, that its folder was not moved since it was opened."""
        if target.folder is None or not _PROC.exists():
            return
        expected = "/".join((name_of(self._fd).rstrip("/"), *target.parts[:-1])) or "/"
        if name_of(target.folder) != expected:
            raise Refused("CHANGED", f"the folder of {shown(target.parts)} was moved meanwhile. Try again.")

    def _parts(self, path: str) -> Parts:
        return parts_of(path, self._names)

    @contextmanager
    def _opened(self, parts: Parts, flags: int) -> Iterator[Found]:
        try:
            found = self._opener.open(self._fd, parts, flags)
        except OSError as error:
            raise self._explained(error, parts) from error
        try:
            self._check_visible(found.parts)
            yield found
        finally:
            os.close(found.fd)

    def _place(self, parts: Parts, *, make: bool) -> tuple[Found | None, Parts]:
        """The folder of a file, and the file's real path: the target where it is a link."""
        real = self._real(parts)
        wanted = real or parts
        folder, missing = self._deepest(wanted[:-1])
        try:
            full = (*folder.parts, *missing, wanted[-1])
            self._check_place(full, real)
            if missing and not make:
                os.close(folder.fd)
                return None, full
            for name in missing:
                folder = _made(folder, name)
        except BaseException:
            os.close(folder.fd)
            raise
        return folder, full

    def _check_place(self, full: Parts, real: Parts | None) -> None:
        """Check the real path of a file; `real` is the path of the existing file when it was opened."""
        if real == ():
            raise Refused("IS_A_FOLDER", "the path is the workspace itself. Give the name of a file in it.")
        self._check_writable(full)
        if real is not None and full != real:
            raise OSError(errno.EAGAIN, "moved")

    def _real(self, parts: Parts) -> Parts | None:
        try:
            found = self._opener.open(self._fd, parts, FILE)
        except FileNotFoundError:
            return None
        os.close(found.fd)
        return found.parts

    def _deepest(self, parts: Parts) -> tuple[Found, Parts]:
        """Open the deepest existing folder of a path; return it and the missing names below it."""
        for count in range(len(parts), 0, -1):
            try:
                return self._opener.open(self._fd, parts[:count], FOLDER), parts[count:]
            except FileNotFoundError:
                continue
        return self._opener.open(self._fd, (), FOLDER), parts

    def _check_visible(self, parts: Parts) -> None:
        if self.hides(parts):
            raise Refused("PROTECTED", f"{shown(parts)} is finclaw's own data. Use another path.")

    def _check_writable(self, parts: Parts) -> None:
        self._check_visible(parts)
        part = protected_part(parts, self._protected)
        if part is not None:
            raise Refused(
                "PROTECTED", f"{shown(part)} is protected: no tool writes there. Ask the user to change {shown(parts)}."
            )

    def _explained(self, error: OSError, parts: Parts) -> Refused:
        refusal = from_os(error, shown(parts))
        if refusal.code != "NOT_FOUND":
            return refusal
        try:
            folder, missing = self._deepest(parts[:-1])
        except OSError:
            return refusal
        try:
            self._check_visible(folder.parts)
            name = (missing or parts[-1:])[0]
            return Refused("NOT_FOUND", f"{shown(parts)} does not exist.{near(name, _listed(folder.fd))}"
                           " `glob` lists what does.")  # fmt: skip
        except Refused:
            return refusal
        finally:
            os.close(folder.fd)


def regular(fd: int, parts: Parts) -> os.stat_result:
    """The status of an open file, which must be a regular one."""
    facts = os.fstat(fd)
    if stat.S_ISDIR(facts.st_mode):
        raise Refused("IS_A_FOLDER", f"{shown(parts)} is a folder. `glob` lists what is in it.")
    if not stat.S_ISREG(facts.st_mode):
        raise Refused("NOT_A_FILE", f"{shown(parts)} is a device, pipe or socket. Only regular files can be used.")
    return facts


def _made(folder: Found, name: str) -> Found:
    with suppress(FileExistsError):  # made by another process, or a dangling link, which is not followed
        os.mkdir(name, dir_fd=folder.fd)
    deeper = os.open(name, FOLDER | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder.fd)
    os.close(folder.fd)
    return Found(deeper, (*folder.parts, name))


def _listed(fd: int) -> list[str]:
    names: list[str] = []
    with os.scandir(fd) as entries:
        for entry in entries:
            names.append(entry.name)
            if len(names) == MAX_LISTED:
                break
    return names


def below(above: str, path: str) -> Parts | None:
    """The components of one absolute real path below another; None where it is not below."""
    if path == above:
        return ()
    prefix = above.rstrip("/") + "/"
    return tuple(path.removeprefix(prefix).split("/")) if path.startswith(prefix) else None
