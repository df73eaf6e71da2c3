"""The programs that tools run."""

from __future__ import annotations

import os
import shutil
import sys


def find_program(name: str) -> str | None:
    """Return the path of a program: on PATH, or beside the Python of finclaw, where extras install theirs; else None.

    `pipx` and `uvx` put the programs of an extra on no PATH, and neither does an environment that is not activated.
    """
    return shutil.which(name) or shutil.which(name, path=os.path.dirname(sys.executable))  # noqa: PTH120 - no pathlib
