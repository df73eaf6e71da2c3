"""Runs of the real command, each in a process of its own that may die: forked from one that has imported everything.

A trial costs tens of milliseconds in place of half a second, which is what makes thousands of them affordable.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.reader import Damage, Found, read_file
from tests.e2e.harness import checked_lines
from tests.faults.points import Boundaries, Fault

PROMPTLY_S = 60
PRELOADED = [
    "__main__",
    "ctypes",
    "docstring_parser",
    "filelock",
    "finclaw_cli.__main__",
    "finclaw_cli.cli.app",
    "finclaw_cli.cli.complete",
    "finclaw_cli.cli.entry",
    "finclaw_cli.cli.launch",
    "finclaw_cli.cli.plugin_commands",
    "finclaw_cli.cli.replay",
    "finclaw_cli.cli.replay_session",
    "finclaw_cli.cli.run",
    "finclaw_cli.masking.private",
    "finclaw_cli.providers.scripted",
    "finclaw_cli.sdk",
    "finclaw_cli.tools.define",
    "jsonschema_rs",
    "pydantic.dataclasses",
    "tenacity",
    "tests.faults.trials",
]


@dataclass(frozen=True)
class Ended:
    """How a run ended, and what it said."""

    code: int
    stdout: bytes
    stderr: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        return checked_lines(self.stdout)


@dataclass(frozen=True)
class Bench:
    """One home, in which runs are made and cut off."""

    home: Path
    plugins: Path

    @classmethod
    def like(cls, home: Path, plugins: Path, folder: Path) -> Bench:
        """A fresh home that has seen and trusts the same plugins."""
        folder.mkdir(mode=0o700, parents=True)
        shutil.copy(home / "trust.json", folder)
        shutil.copytree(home / "cache", folder / "cache")
        return cls(folder, plugins)

    def run(self, *arguments: str, fault: Fault | None = None) -> Ended:
        """Run the command; where it fails is decided before it begins."""
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(PRELOADED)
        process = context.Process(target=_command, args=(self.home, self.plugins, arguments, fault))
        process.start()
        process.join(PROMPTLY_S)
        assert process.exitcode is not None, "the run does not end"
        code = process.exitcode
        process.close()
        out, err = (self.home / name for name in ("stdout", "stderr"))
        return Ended(code, out.read_bytes(), err.read_text())

    def boundaries(self) -> list[str]:
        """What the boundaries of the last run were."""
        return (self.home / "boundaries").read_text().split()

    def marks(self, name: str) -> list[str]:
        """What a tool has done, by the keys of its calls."""
        path = self.home / name
        return path.read_text().splitlines() if path.exists() else []

    def recorded(self, kind: str) -> list[dict[str, Any]]:
        """The records of a type in the one session there is, as far as they are whole."""
        return [dict(item.data) for item in self._found() if isinstance(item, Line) and item.type == kind]

    def damage(self) -> list[Damage]:
        """What is wrong with the session's file."""
        return [item for item in self._found() if isinstance(item, Damage)]

    def _found(self) -> list[Found]:
        return [item for path in (self.home / "sessions").glob("*.jsonl") for item in read_file(path)]


def _command(home: Path, plugins: Path, arguments: tuple[str, ...], fault: Fault | None) -> None:
    for number, (name, flags) in enumerate(
        [("/dev/null", os.O_RDONLY), (home / "stdout", os.O_WRONLY), (home / "stderr", os.O_WRONLY)]
    ):
        fd = os.open(name, flags | (os.O_CREAT | os.O_TRUNC if number else 0), 0o600)
        os.dup2(fd, number)
        os.close(fd)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115 - as at a start
    os.setsid()
    os.chdir(home)
    os.environ.update(FINCLAW_HOME=str(home), FINCLAW_PLUGINS="finclaw-paying")
    sys.path.insert(0, str(plugins))
    (home / "boundaries").write_text("")
    Boundaries(home / "boundaries", fault).install()
    sys.argv = ["finclaw", *arguments]
    from finclaw_cli.__main__ import main

    main()


def script(folder: Path, *turns: dict[str, Any]) -> str:
    """Write a script and return the model that plays it."""
    path = folder / "script.json"
    path.write_text(json.dumps({"turns": turns}))
    return f"scripted:{path}"
