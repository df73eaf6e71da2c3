"""The process that looks at a plugin, without the one that has started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["probe", "check"])
def test_nothing_begins_after_the_end_of_the_process_that_has_started_it(module: str):
    command = [sys.executable, "-P", "-m", f"finclaw_cli.plugin_host.{module}"]
    variables = {**os.environ, "FINCLAW_PARENT": "0"}
    ended = subprocess.run(command, env=variables, capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGTERM, b"", b"")
