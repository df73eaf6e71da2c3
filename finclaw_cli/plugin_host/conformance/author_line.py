"""The line of a plugin's own source that an exception comes from."""

from __future__ import annotations

import os
import sysconfig
import traceback
from pathlib import Path

_OURS = str(Path(__file__).parents[2])
_LIBRARIES = tuple(f"{sysconfig.get_path(name)}{os.sep}" for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def author_line(raised: BaseException) -> str:
    """`file:line` of the innermost frame that is neither finclaw's nor a library's, else of the innermost frame.

    Empty where there is no frame at all.
    """
    frames = traceback.extract_tb(raised.__traceback__)
    if not frames:
        return ""
    own = [frame for frame in frames if not frame.filename.startswith((_OURS, *_LIBRARIES, "<"))]
    last = (own or frames)[-1]
    return f"{os.path.basename(last.filename)}:{last.lineno}"  # noqa: PTH119 - it may be no path at all: <string>


def described(raised: BaseException) -> str:
    """The kind, the message and the line of an exception."""
    where = author_line(raised)
    return f"{type(raised).__name__}: {raised}" + (f" ({where})" if where else "")
