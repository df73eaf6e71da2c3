from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from finclaw_workspace.sandbox import Sandbox
from finclaw_workspace.settings import WorkspaceSettings


def works() -> bool:
    program = shutil.which("bwrap")
    if program is None:
        return False
    sandbox = Sandbox(program, "/tmp", WorkspaceSettings(writable=False))
    return subprocess.run(sandbox.command(":", modern=False), check=False, capture_output=True).returncode == 0


needs_sandbox = pytest.mark.skipif(not works(), reason="no sandbox can be made here")


def sleeping(mark: str) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[:2] == [b"sleep", mark.encode()]:
            found.append(process.name)
    return found
