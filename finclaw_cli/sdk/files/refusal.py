"""The errors of refused paths."""

from __future__ import annotations

import errno
import os


class Refused(Exception):
    """A refused path or request; the message has what is wrong and what to do next."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.reason = message


def outside(shown: str) -> Refused:
    """The error for every path outside, the same whether the file exists or not."""
    return Refused("OUTSIDE_WORKSPACE", f"{shown} is not inside the workspace. Give a relative path without `..`.")


def from_os(error: OSError, shown: str) -> Refused:
    """The refusal for an error of the system about a path."""
    match error.errno:
        case errno.EXDEV | errno.ELOOP:
            return outside(shown)
        case errno.ENOTDIR:
            return Refused("NOT_A_FOLDER", f"a part of {shown} is no folder, so nothing is in it. Use another path.")
        case errno.ENOENT:
            return Refused("NOT_FOUND", f"{shown} does not exist. `glob` lists what does.")
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return Refused("NO_PERMISSION", f"{shown}: the system does not allow that. Ask the user, or go without.")
        case errno.ENAMETOOLONG:
            return Refused("BAD_INPUT", "the path is too long for the file system. Use a shorter name.")
        case errno.ENXIO | errno.ENODEV:
            return Refused("NOT_A_FILE", f"{shown} is not a regular file. Only regular files can be used.")
        case errno.EAGAIN | errno.ESTALE:
            return Refused("CHANGED", f"{shown} is being moved by another process. Try again.")
        case _:
            reason = os.strerror(error.errno) if error.errno else str(error)
            return Refused("FAILED", f"{shown}: {reason}. Report this to the user.")
