"""Plugins as strangers write them: good ones, and each way of being broken."""

from __future__ import annotations

from pathlib import Path

PROBE_LIMIT_S = 6
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{dist}"
version = "1.0"
entry-points.finclaw.{module} = "{module}"
"""

TOOL = '''
from finclaw_cli.sdk import hookimpl, tool

@tool(group="finance", read_only=True)
async def {name}(symbol: str) -> dict:
    """{what}

    Args:
        symbol: the ticker.
    """
    return {{"symbol": symbol, "from": "{dist}"}}

@hookimpl
def finclaw_tools():
    return [{name}]
'''

GOOD = TOOL.format(name="third_quote", what="A quote of a third party.", dist="third-good")
HEARS = """
from finclaw_cli.sdk import hookimpl

@hookimpl
def finclaw_event(run_id, event):
    raise RuntimeError("I heard enough")
"""
SOURCES: dict[str, str] = {
    "third-good": GOOD,
    "third-prints": "print('HELLO FROM AN IMPORT')\n"
    + TOOL.format(name="third_noisy", what="Noisy.", dist="third-prints"),
    "third-raises": "raise ValueError('not today')\n",
    "third-exits": "import sys\nsys.exit(3)\n",
    "third-dies": "import os\nos._exit(7)\n",
    "third-crashes": "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n",
    "third-hangs": "import time\ntime.sleep(600)\n",
    "third-one": TOOL.format(name="third_twin", what="The first of two.", dist="third-one"),
    "third-two": TOOL.format(name="third_twin", what="The second of two.", dist="third-two"),
    "third-hears": HEARS,
    "third-future": "FINCLAW_CONTRACT = 2\n" + GOOD,
    "third-unknown": GOOD.replace("def finclaw_tools", "def finclaw_gadgets"),
    "third-awry": HEARS.replace("run_id, event", "run_id, colour"),
}
BROKEN = {
    "third-raises": "ValueError: not today",
    "third-exits": "SystemExit: 3",
    "third-dies": "its process ended with code 7 while it was imported",
    "third-crashes": "its process ended with code -11 while it was imported",
    "third-hangs": f"it was not imported within {PROBE_LIMIT_S} s",
    "third-future": "made for version 2 of the plugin contract; this finclaw speaks version 1",
    "third-unknown": "unknown hook 'finclaw_gadgets'; hooks: finclaw_tools, ",
    "third-awry": "Argument(s) {'colour'} are declared in the hookimpl but can not be found in the hookspec",
}


# Installed editable, and changed by a test.
EDITED = TOOL.format(name="third_first", what="Before the edit.", dist="third-edited")
LATE = "import third_library\n" + TOOL.format(name="third_late", what="Its library comes later.", dist="third-late")


def write_project(folder: Path, dist: str, source: str) -> Path:
    """A project as an author has it; the module is the distribution's name with underscores."""
    module = dist.replace("-", "_")
    project = folder / dist
    project.mkdir()
    (project / "pyproject.toml").write_text(PROJECT.format(dist=dist, module=module))
    (project / f"{module}.py").write_text(source)
    return project
