"""The commands whose cost is counted, what each is held against, and how both are counted."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import packages_distributions

from tests.benchmarks.checkout import PLUGIN, Checkout, Home
from tests.benchmarks.loopback import Loopback, serving
from tests.benchmarks.one_turn import DELTAS, asking, bare
from tests.benchmarks.start_up import BARE_TYPER, COMPLETING

PLUGIN_MODULE = "bench_installed"
VALGRIND = ("--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
_REFERENCES = re.compile(r"I\s+refs:\s+([\d,]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A command line of this interpreter."""

    arguments: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What a command imports that an interpreter without work does not."""

    own: int
    """Modules of finclaw."""
    other: int
    """All other modules."""
    packages: frozenset[str]
    """The packages that are installed, and of these only the top."""


class Workbench:
    """One warm home with one plugin, and a server that answers with a short turn."""

    def __init__(self, home: Home, server: Loopback) -> None:
        self._home = home
        script = home.command()[1]
        self.commands: Mapping[str, Counted] = {
            "version": Counted(arguments=(script, "--version")),
            "help": Counted(arguments=(script, "--help")),
            "tools-list": Counted(arguments=(script, "tools", "list")),
            "completion": Counted(arguments=(script,), env=COMPLETING),
            "run": Counted(arguments=(script, *asking(server))),
        }
        self._yardsticks: Mapping[str, Counted] = {
            "python": Counted(arguments=("-c", "pass")),
            "typer": Counted(arguments=("-c", BARE_TYPER)),
            "httpx2": Counted(arguments=tuple(bare(server))),
        }
        # What is tried and not there is told as well.
        self._installed = packages_distributions().keys() | {PLUGIN_MODULE}
        self._counts: dict[str, int] = {}
        self._seen: dict[str, Imported] = {}

    def warm(self) -> None:
        """Compile, look at the plugin, begin the ledger: what happens once."""
        for command in (*self.commands.values(), *self._yardsticks.values()):
            self._run([sys.executable, *command.arguments], command)

    def imported(self, name: str) -> Imported:
        """What a command imports."""
        if name not in self._seen:
            self._seen[name] = self._imported(name)
        return self._seen[name]

    def _imported(self, name: str) -> Imported:
        modules = self._modules(self.commands[name]) - self._modules(self._yardsticks["python"])
        own = {module for module in modules if _top(module) == "finclaw_cli"}
        packages = {_top(module) for module in modules - own} & self._installed
        other = [module for module in modules - own if _top(module) in sys.stdlib_module_names | packages]
        return Imported(own=len(own), other=len(other), packages=frozenset(packages))

    def ratio(self, name: str, yardstick: str) -> float:
        """The instructions of a command over those of a yardstick, both counted here."""
        if yardstick not in self._counts:
            self._counts[yardstick] = self._instructions(self._yardsticks[yardstick])
        return self._instructions(self.commands[name]) / self._counts[yardstick]

    def _modules(self, command: Counted) -> set[str]:
        said = self._run([sys.executable, "-X", "importtime", *command.arguments], command)
        lines = (line for line in said.splitlines() if line.startswith("import time:"))
        return {line.rpartition("|")[2].strip() for line in lines} - {"imported package"}

    def _instructions(self, command: Counted) -> int:
        valgrind = shutil.which("valgrind")
        assert valgrind is not None
        said = self._run([valgrind, *VALGRIND, sys.executable, *command.arguments], command)
        found = _REFERENCES.search(said)
        assert found is not None, said[-2_000:]
        return int(found.group(1).replace(",", ""))

    def _run(self, line: Sequence[str], command: Counted) -> str:
        """What it says on stderr."""
        env = {**self._home.env, "PYTHONHASHSEED": "0", **command.env}
        done = subprocess.run(
            line, env=env, cwd=self._home.folder, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        said = done.stderr.decode(errors="replace")
        assert done.returncode == 0, said[-2_000:]
        return said


@contextmanager
def workbench() -> Iterator[Workbench]:
    """Everything that counting needs, warm."""
    plugin = {PLUGIN_MODULE: PLUGIN.format(module=PLUGIN_MODULE)}
    with Checkout().home(plugins=plugin) as home, serving(deltas=DELTAS) as server:
        bench = Workbench(home, server)
        bench.warm()
        yield bench


def _top(module: str) -> str:
    return module.partition(".")[0]
