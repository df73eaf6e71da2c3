"""A tree of finclaw's source as a command, in a home of its own, with the plugins that a row asks for and no other."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.measure import Ended, cpu_seconds, peak_bytes, run, scratch_home

ROOT = Path(__file__).parents[2]
# What an installer writes, so that the start of a process costs what it costs a user.
SCRIPT = "import sys\nfrom finclaw_cli.__main__ import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
SCRIPT_NAME = "finclaw"
PLUGIN = '''
from finclaw_cli.sdk import hookimpl, tool

@tool(group="finance", read_only=True)
def {module}_quote(symbol: str) -> dict[str, str]:
    """The price of one symbol.

    Args:
        symbol: the ticker.
    """
    return {{"symbol": symbol}}

@hookimpl
def finclaw_tools():
    return [{module}_quote]
'''
NO_PLUGIN = "none"
"""A plugin of this name does not exist: with it alone, none of those installed here takes part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """The command of one checkout, with what is in its home."""

    folder: Path
    """The working folder: no project of anybody's."""
    env: Mapping[str, str]

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, str(self.folder / SCRIPT_NAME), *arguments]

    def run(
        self, *arguments: str, started: Callable[[int], None] = lambda _pid: None, env: Mapping[str, str] | None = None
    ) -> Ended:
        return run(self.command(*arguments), {**self.env, **(env or {})}, started=started, cwd=self.folder)

    def cpu(self, *arguments: str, **env: str) -> float:
        """CPU seconds of the command from its start to its end."""
        return self.run(*arguments, env=env).cpu_s

    def peak(self, *arguments: str) -> float:
        """The most memory that it ever held, in bytes."""
        return peak_bytes(self.command(*arguments), self.env, self.folder)

    def trust(self, modules: Iterable[str]) -> None:
        """Let these plugins take part in runs."""
        for module in modules:
            self.run("plugins", "trust", dist_name(module))


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """A tree of source; both of two run in the same interpreter, with the same libraries."""

    root: Path = ROOT

    @contextmanager
    def home(self, *, plugins: Mapping[str, str] | None = None, distributions: int = 0) -> Iterator[Home]:
        """A warm home in a temporary folder, and plugins (module and source) that are installed."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            site = folder / "site"
            site.mkdir()
            (folder / SCRIPT_NAME).write_text(SCRIPT)
            sources = plugins or {}
            for module, source in sources.items():
                (site / f"{module}.py").write_text(source)
                install(site, module, f"[finclaw]\n{module} = {module}\n")
            for number in range(distributions):
                install(site, f"bystander_{number}", "[console_scripts]\nx = x:y\n" if number % 3 == 0 else "")
            env = {
                **scratch_home(folder / "home"),
                "PYTHONPATH": os.pathsep.join([str(self.root), str(site)]),
                "FINCLAW_PLUGINS": ",".join(map(dist_name, sources)) or NO_PLUGIN,
                "ANTHROPIC_API_KEY": "sk-ant-of-no-account",
            }
            yield Home(folder=folder, env=env)


def twenty_plugins() -> dict[str, str]:
    """Twenty plugins of one tool each."""
    return {name: PLUGIN.format(module=name) for name in (f"bench_{number:02}" for number in range(20))}


def dist_name(module: str) -> str:
    return module.replace("_", "-")


def install(site: Path, module: str, entry_points: str) -> None:
    """Metadata as an installer leaves it, about as long as most are."""
    info = site / f"{module}-1.0.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: {dist_name(module)}\nVersion: 1.0\nSummary: one of many\n\n"
    (info / "METADATA").write_text(head + "Many words that nobody reads at start-up.\n" * 80)
    (info / "RECORD").write_text("".join(f"{module}/part_{number}.py,,\n" for number in range(40)))
    if entry_points:
        (info / "entry_points.txt").write_text(entry_points)


def python(*arguments: str, env: Mapping[str, str]) -> float:
    """CPU seconds of a script in the same interpreter: what yardsticks are."""
    return cpu_seconds([sys.executable, *arguments], env)
