"""Opening beneath a folder, so that no link, no `..` and no race leads out of it.

Two ways with one meaning: `openat2` where the kernel has it, and elsewhere a walk that opens one component at a time
and follows no link without looking at it. Links that stay inside are followed by both; absolute links by neither.
Both say which file was really opened.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from finclaw_workspace.names import Parts

_OPENAT2 = 437  # the same number on every architecture that is younger than the call, and on these older ones
_MACHINES = frozenset({"x86_64", "aarch64", "i686", "armv7l", "ppc64le", "riscv64", "s390x"})
_NO_MAGICLINKS, _BENEATH = 0x02, 0x08
_RETRIES = 100
_MAX_LINKS = 40
FOLDER = os.O_RDONLY | os.O_DIRECTORY
FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY  # a FIFO must not wait for its writer, a terminal not adopt us
_PATH_ONLY: int = getattr(os, "O_PATH", os.O_RDONLY)


@dataclass(frozen=True, slots=True)
class Found:
    """What was opened, and where below the root it really is."""

    fd: int
    parts: Parts


class Opener(Protocol):
    """Opens what lies beneath a folder.

    Raises OSError: with EXDEV or ELOOP for what leads out, with the system's error for everything else.
    """

    def open(self, root: int, parts: Parts, flags: int) -> Found: ...


class KernelOpener:
    """`openat2` with `RESOLVE_BENEATH`: the kernel itself refuses to leave the folder."""

    def open(self, root: int, parts: Parts, flags: int) -> Found:
        for _ in range(_RETRIES):
            fd = _openat2(root, "/".join(parts) or ".", flags)
            try:
                return Found(fd, place(root, fd))
            except FileNotFoundError:  # another file has taken its place since it was opened, or none
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
        number = ctypes.get_errno()
        if number not in {errno.EAGAIN, errno.EINTR}:  # EAGAIN: something was renamed while it looked
            break
    raise OSError(number, os.strerror(number), path)


@cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return libc


def place(root: int, fd: int) -> Parts:
    """Where an open file is now, below the root, as the kernel knows it.

    Raises:
        OSError: it is not below the root any more (EXDEV), or it was deleted (ENOENT).
    """
    above, here = name_of(root), name_of(fd)
    if os.fstat(fd).st_nlink == 0:  # now, or already when its name was read
        raise FileNotFoundError(errno.ENOENT, "deleted")
    if here == above:
        return ()
    prefix = above.rstrip("/") + "/"
    if not here.startswith(prefix):
        raise OSError(errno.EXDEV, "moved out of the workspace")
    return tuple(here.removeprefix(prefix).split("/"))


def name_of(fd: int) -> str:
    """The absolute name that an open file has now."""
    return str(Path(f"/proc/self/fd/{fd}").readlink())


class WalkingOpener:
    """One component at a time, each relative to the folder before it, and never through a link unseen."""

    def open(self, root: int, parts: Parts, flags: int) -> Found:
        walk = _Walk(root)
        try:
            walk.go(parts)
            return walk.last(flags)
        finally:
            walk.close()


class _Walk:
    """The folders that were opened on the way down, so that a link's `..` leads back to what was really passed."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._passed: list[tuple[str, int]] = []
        self._to_go: list[str] = []
        self._links = 0
        self._name: str | None = None

    def go(self, parts: Parts) -> None:
        """Walk to the last component, which is left to be opened."""
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
        """Let go of the folders on the way."""
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


@cache
def best_opener() -> Opener:
    """The kernel's way where it works here, else the walk. Looked for once."""
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
