"""Runs of the real command, each in a process of its own that may die: forked from one that has imported everything.

A trial costs tens of milliseconds in place of half a second, which is what makes thousands of them affordable.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from finclaw_cli.transcript.lines import Line
from finclaw_cli.transcript.reader import Damage, Found, read_file
from tests.e2e.harness import ROOT, checked_lines, install_module
from tests.e2e.warm import preload, run_warm
from tests.faults.points import Boundaries, Fault

PROMPTLY_S = 60
# For trials that speak to a server: an SDK costs as much as twenty trials.
SDKS = (
    "anthropic",
    "finclaw_cli.providers.anthropic.adapter",
    "finclaw_cli.providers.openai.chat",
    "finclaw_cli.providers.openai.responses",
    "openai",
)


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
    preload: tuple[str, ...] = ()
    plugin: str = "paying"
    """The plugin whose tools have effects: the module `tests/faults/<plugin>_plugin.py`."""

    @classmethod
    def like(cls, home: Path, plugins: Path, folder: Path) -> Bench:
        """A fresh home that has seen and trusts the same plugins."""
        folder.mkdir(mode=0o700, parents=True)
        shutil.copy(home / "trust.json", folder)
        shutil.copytree(home / "cache", folder / "cache")
        return cls(folder, plugins)

    @classmethod
    def trusting(cls, folder: Path, preload: tuple[str, ...] = (), plugin: str = "paying") -> Bench:
        """A home of its own, with the tools that pay installed and trusted."""
        plugins, home = folder / "plugins", folder / "home"
        for each in (plugins, home):
            each.mkdir()
        source = (Path(__file__).parent / f"{plugin}_plugin.py").read_text()
        install_module(plugins, f"finclaw-{plugin}", source)
        bench = cls(home, plugins, preload, plugin)
        trusted = bench.run("plugins", "trust", f"finclaw-{plugin}", env={"PYTHONPATH": f"{plugins}:{ROOT}"})
        assert trusted.code == 0, trusted.stderr
        return bench

    def fresh(self, folder: Path) -> Bench:
        """Another home that trusts what this one does; nothing has happened there."""
        return replace(Bench.like(self.home, self.plugins, folder), preload=self.preload, plugin=self.plugin)

    def run(self, *arguments: str, fault: Fault | None = None, env: Mapping[str, str] | None = None) -> Ended:
        """Run the command; where it fails is decided before it begins."""
        preload(*self.preload)
        boundaries = self.home / "boundaries"
        boundaries.write_text("")
        own = {"FINCLAW_HOME": str(self.home), "PYTHONPATH": str(self.plugins)}
        own["FINCLAW_PLUGINS"] = f"finclaw-{self.plugin}"
        code, stdout, stderr = run_warm(
            arguments,
            env={**os.environ, **own, **(env or {})},
            cwd=self.home,
            timeout_s=PROMPTLY_S,
            before=Boundaries(boundaries, fault).install,
        )
        return Ended(code, stdout, stderr.decode())

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

    def spent(self) -> list[tuple[Any, ...]]:
        """The rows of the ledger, without the numbers that they have there."""
        with closing(sqlite3.connect(self.home / "ledger.db")) as ledger:
            rows = (ledger.execute(f"SELECT * FROM {table}") for table in ("requests", "tool_calls"))
            return sorted((row[1:] for row in chain.from_iterable(rows)), key=repr)

    def damage(self) -> list[Damage]:
        """What is wrong with the session's file."""
        return [item for item in self._found() if isinstance(item, Damage)]

    def _found(self) -> list[Found]:
        return [item for path in (self.home / "sessions").glob("*.jsonl") for item in read_file(path)]


def script(folder: Path, *turns: dict[str, Any]) -> str:
    """Write a script and return the model that plays it."""
    path = folder / "script.json"
    path.write_text(json.dumps({"turns": turns}))
    return f"scripted:{path}"
