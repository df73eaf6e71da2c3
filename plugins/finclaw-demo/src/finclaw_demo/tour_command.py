"""`finclaw demo`: real commands on made-up data, in a folder of its own that is gone afterwards."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import typer

from finclaw_cli.sdk import echo
from finclaw_demo.steps import Step, steps

FILES = Path(__file__).with_name("tour")
_FAILED = 1
_NEXT = """
All of that was in a folder that is gone now. With your own files:

  finclaw data import FILE --symbol NAME --currency USD --adjustment none
  finclaw ledger import FILE --guess
  finclaw tools list

and with a model: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name one of your own with -m and --base-url."""
_ENDING_S = 10
# Of the user's settings nothing may reach the tour: it shows what finclaw does by itself.
_OWN = ("FINCLAW_",)


def demo() -> None:
    """A tour in under a minute: your files, a question, an order, private data, the cost, the same bytes again."""
    with tempfile.TemporaryDirectory(prefix="finclaw-demo-", ignore_cleanup_errors=True) as folder:
        tour = _Tour(Path(folder))
        for number, step in enumerate(steps(can_ask=sys.stdin.isatty() and sys.stdout.isatty()), 1):
            tour.take(number, step)
        tour.replay()
    echo(_NEXT)


class _Tour:
    """Takes the steps, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "files"
        shutil.copytree(FILES, self._folder)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
        self._environment = {**kept, "FINCLAW_HOME": str(folder / "home")}

    def take(self, number: int, step: Step) -> None:
        """Show a command and run it.

        Raises:
            Exit: it did not end as it does where all is well.
        """
        echo(f"\n{number}. {step.title}\n\n$ finclaw {shlex.join(step.command)}")
        ended = self._run(step.command)
        if ended.returncode not in step.codes:
            raise _failed(f"that should have ended with exit code {step.codes[0]}, not {ended.returncode}")
        if step.after:
            echo(f"\n{step.after}")

    def replay(self) -> None:
        """Stream the first answer again, twice, and compare.

        Raises:
            Exit: the two differ.
        """
        command = ("replay", "tour", "-o", "ndjson")
        echo(f"\nThe same run again, byte for byte\n\n$ finclaw {shlex.join(command)} | sha256sum    # twice")
        sums = [hashlib.sha256(self._run(command, stdout=subprocess.PIPE).stdout).hexdigest() for _ in range(2)]
        echo("\n".join(f"{one}  -" for one in sums))
        if len(set(sums)) > 1:
            raise _failed("the two differ")

    def _run(self, command: Sequence[str], stdout: int | None = None) -> subprocess.CompletedProcess[bytes]:
        """Run a command for as long as it takes: a person may read the question about an order for a while."""
        sys.stdout.flush()
        process = subprocess.Popen(  # noqa: S603 - finclaw itself
            [sys.executable, "-m", "finclaw_cli", *command], cwd=self._folder, env=self._environment, stdout=stdout
        )
        try:
            output, _ = process.communicate()
        except KeyboardInterrupt:
            process.wait(_ENDING_S)  # it got the signal too: it must not write after the folder was removed
            raise
        return subprocess.CompletedProcess(process.args, process.returncode, output or b"")


def _failed(why: str) -> typer.Exit:
    echo(f"finclaw demo: {why}", err=True)
    return typer.Exit(_FAILED)
