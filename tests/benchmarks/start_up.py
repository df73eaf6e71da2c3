"""How much a command costs before it does anything: `python -m tests.benchmarks.start_up`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from tests.benchmarks.measure import compare, cpu_seconds, scratch_home

BARE_TYPER = "import typer; app = typer.Typer(rich_markup_mode=None); app.command()(lambda: None); app(['--help'])"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        env = scratch_home(Path(folder))
        run = partial(cpu_seconds, env=env, stdout=subprocess.DEVNULL)
        finclaw = [sys.executable, "-m", "finclaw_cli"]
        compare(
            {
                "python -c pass": lambda: run([sys.executable, "-c", "pass"]),
                "a bare typer app, --help": lambda: run([sys.executable, "-c", BARE_TYPER]),
                "finclaw --version": lambda: run([*finclaw, "--version"]),
                "finclaw --help": lambda: run([*finclaw, "--help"]),
                "finclaw tools list": lambda: run([*finclaw, "tools", "list"]),
            }
        )


if __name__ == "__main__":
    main()
