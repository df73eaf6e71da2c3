"""Opening files below a folder, so that no link, no `..` and no race leads out of it.

There are two implementations of the same behaviour: `openat2` where the kernel has it, and elsewhere a walk that opens
one component at a time and reads each link before it follows it. Both follow links that stay inside and refuse
absolute links. Both return the real path of the opened file.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from finclaw_cli.sdk.files.names import Parts, shown
from finclaw_cli.sdk.files.refusal import Refused

_OPENAT2 = 437  # the same number on every architecture that is younger than the call, and on these older ones
_MACHINES = frozenset({"x86_64", "aarch64", "i686", "armv7l", "ppc64le", "riscv64", "s390x"})
_NO_MAGICLINKS, _BENEATH = 0x02, 0x08
_RETRIES = 100
_MAX_LINKS = 40
FOLDER = os.O_RDONLY | os.O_DIRECTORY
FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY  # does not wait for the writer of a FIFO, nor acquire a terminal
_PATH_ONLY: int = getattr(os, "O_PATH", os.O_RDONLY)


@dataclass(frozen=True, slots=True)
class Found:
    """An open file, and its real path below the root."""

    fd: int
    parts: Parts


class Opener(Protocol):
    """Opens files and folders below a folder.

    Raises OSError: EXDEV or ELOOP for a path that leads out, the system's error for anything else.
    """

    def open(self, root: int, parts: Parts, flags: int) -> Found: ...


class KernelOpener:
    """Opens with `openat2` and `RESOLVE_BENEATH`, by which the kernel refuses to leave the folder."""

    def open(self, root: int, parts: Parts, flags: int) -> Found:
        for _ in range(_RETRIES):
            fd = _openat2(root, "/".join(parts) or ".", flags)
            try:
                return Found(fd, place(root, fd))
            except FileNotFoundError:  # it was replaced or removed since it was opened
                os.close(fd)
            except BaseException:
                os.close(fd)
                raise
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def _openat2(root: int, path: str, flags: int) -> int:
    how = struct.pack("=QQQ", flags | os.O_CLOEXEC, 0, _BENEATH | _NO_MAGICLINKS)  # flags, mode, resolve
    name = os.fsencode(path)
    number = errno.EAGAIN
    for _ in range(_RETRIES):
        fd = int(_libc().syscall(_OPENAT2, root, name, how, len(how)))
        if fd >= 0:
            return fd
        number = _errno()
        if number not in {errno.EAGAIN, errno.EINTR}:  # EAGAIN: something was renamed during the look-up
            break
    raise OSError(number, os.strerror(number), path)


def _errno() -> int:
    import ctypes

    return ctypes.get_errno()


@cache
def _libc() -> Any:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return libc


def place(root: int, fd: int) -> Parts:
    """The path of an open file below the root, from the kernel.

    Raises:
        OSError: EXDEV if it is not below the root any more, ENOENT if it was deleted.
    """
    above, here = name_of(root), name_of(fd)
    if os.fstat(fd).st_nlink == 0:  # checked after its name was read
        raise FileNotFoundError(errno.ENOENT, "deleted")
    if here == above:
        return ()
    prefix = above.rstrip("/") + "/"
    if not here.startswith(prefix):
        raise OSError(errno.EXDEV, "moved out of the workspace")
    return tuple(here.removeprefix(prefix).split("/"))


def name_of(fd: int) -> str:
    """The current absolute name of an open file."""
    return str(Path(f"/proc/self/fd/{fd}").readlink())


class WalkingOpener:
    """Opens one component at a time, each relative to the folder before it, and follows links by their text."""

    def open(self, root: int, parts: Parts, flags: int) -> Found:
        walk = _Walk(root)
        try:
            walk.go(parts)
            return walk.last(flags)
        finally:
            walk.close()


class _Walk:
    """The stack of open folders on the way down; the `..` of a link returns to the folder that was opened."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._passed: list[tuple[str, int]] = []
        self._to_go: list[str] = []
        self._links = 0
        self._name: str | None = None

    def go(self, parts: Parts) -> None:
        """Walk to the last component, which `last` opens."""
        self._to_go = list(reversed(parts))
        while self._to_go:
            name = self._to_go.pop()
            if name in {"", "."}:
                continue
            if name == "..":
                self._back()
            elif (target := self._link(name)) is not None:
                self._follow(target)
            elif self._to_go:
                self._passed.append((name, self._open(name, _PATH_ONLY | os.O_DIRECTORY)))
            else:
                self._name = name

    def last(self, flags: int) -> Found:
        """Open the last component."""
        above = tuple(name for name, _ in self._passed)
        if self._name is None:  # the root itself, or a folder that a link ended in
            return Found(os.open(".", flags | os.O_CLOEXEC, dir_fd=self._here), above)
        fd = self._open(self._name, flags)
        return Found(fd, (*above, self._name))

    def close(self) -> None:
        """Close the folders."""
        while self._passed:
            os.close(self._passed.pop()[1])

    @property
    def _here(self) -> int:
        return self._passed[-1][1] if self._passed else self._root

    def _back(self) -> None:
        if not self._passed:
            raise OSError(errno.EXDEV, "leads out")
        os.close(self._passed.pop()[1])

    def _link(self, name: str) -> str | None:
        try:
            return os.readlink(name, dir_fd=self._here)
        except OSError as error:
            if error.errno == errno.EINVAL:  # no link
                return None
            raise

    def _follow(self, target: str) -> None:
        self._links += 1
        if target.startswith("/"):
            raise OSError(errno.EXDEV, "leads out")
        if self._links > _MAX_LINKS:
            raise OSError(errno.ELOOP, "too many links")
        if target.endswith("/"):
            target += "."
        self._to_go.extend(reversed(target.split("/")))

    def _open(self, name: str, flags: int) -> int:
        try:
            return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=self._here)
        except OSError as error:
            if error.errno == errno.ELOOP:  # it was no link when it was looked at
                raise OSError(errno.EAGAIN, "became a link") from error
            raise


class WithoutLinks:
    """Opens like another opener, but refuses paths with links, also where they stay inside."""

    def __init__(self, opener: Opener | None = None) -> None:
        self._opener = opener or best_opener()

    def open(self, root: int, parts: Parts, flags: int) -> Found:
        found = self._opener.open(root, parts, flags)
        if found.parts == parts:
            return found
        os.close(found.fd)
        raise Refused("LINK", f"{shown(parts)}: links are not followed. Give the path of the file itself.")


@cache
def best_opener() -> Opener:
    """The kernel's implementation where it works on this system, else the walk."""
    if sys.platform != "linux" or os.uname().machine not in _MACHINES:
        return WalkingOpener()
    root = os.open("/", FOLDER | os.O_CLOEXEC)
    try:
        os.close(KernelOpener().open(root, (), FOLDER).fd)
    except OSError:  # an old kernel (ENOSYS), a seccomp filter (EPERM), or no /proc
        return WalkingOpener()
    finally:
        os.close(root)
    return KernelOpener()
