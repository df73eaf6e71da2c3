"""Windows, where finclaw does not run: one line that names WSL, in place of a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

WINDOWS = """
import signal, sys
sys.platform = "win32"
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty"):
    sys.modules[name] = None
del signal.SIGHUP, signal.SIGPIPE, signal.pthread_sigmask
"""
SCRIPT = "from finclaw_cli.__main__ import main\nmain()"
MODULE = "import runpy\nrunpy.run_module('finclaw_cli', run_name='__main__')"


def on_windows(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WINDOWS + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("start", [SCRIPT, MODULE])
@pytest.mark.parametrize("arguments", [("--version",), ("run", "hello"), ()])
def test_the_command_ends_with_one_line_that_names_wsl(start: str, arguments: tuple[str, ...]) -> None:
    ended = on_windows(start, *arguments)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert "WSL" in ended.stderr


def test_importing_agent_names_wsl_as_well() -> None:
    ended = on_windows("from finclaw_cli import Agent")
    assert ended.stderr.splitlines()[-1].startswith("ImportError: finclaw runs on Linux and macOS")
