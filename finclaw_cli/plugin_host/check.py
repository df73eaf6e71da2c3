"""Checking one plugin in a process of its own, which reports each step before it is taken.

    python -P -m finclaw_cli.plugin_host.check MODULE[:ATTRIBUTE] [FOLDER…]

The folders come first on the path of imports, for plugins that are not installed. The report is one JSON object a
line on the original stdout: `{"at": …}`, `{"problem": {…}}`, and `{"done": true}` when nothing was cut short.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from typing import TextIO

from finclaw_cli.plugin_host.conformance.author_line import described
from finclaw_cli.plugin_host.conformance.problem import Problem, error
from finclaw_cli.plugin_host.conformance.watch import watched_stdout
from finclaw_cli.plugin_host.contract import PLUGIN, iter_problems
from finclaw_cli.plugin_host.entry_points import loaded
from finclaw_cli.plugin_host.supervised import supervised


class _Report:
    """Lines for the waiting process, each flushed at once, as the plugin may end this process."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def line(self, content: dict[str, object]) -> None:
        self._stream.write(json.dumps(content) + "\n")
        self._stream.flush()

    def at(self, step: str) -> None:
        self.line({"at": step})


def main() -> None:
    """Check the plugin named on the command line."""
    report_to = os.dup(1)
    os.dup2(2, 1)
    target, *folders = sys.argv[1:]
    sys.path[:0] = folders
    with os.fdopen(report_to, "w", encoding="utf-8") as stream, tempfile.TemporaryDirectory() as home:
        os.environ["FINCLAW_HOME"] = home
        report = _Report(stream)
        for problem in _problems(target, report):
            report.line({"problem": asdict(problem)})
        report.line({"done": True})
    os._exit(0)  # without waiting for threads and tasks that ignored their cancellation


def _problems(target: str, report: _Report) -> Iterator[Problem]:
    report.at("importing it")
    with watched_stdout() as written:
        plugin = _imported(target)
    if written.text:
        yield error(PLUGIN, "stdout", f"importing it prints on stdout: {written.text[:60]!r}")
    if isinstance(plugin, Problem):
        yield plugin
    else:
        yield from iter_problems(plugin, report.at)


def _imported(target: str) -> object:
    """The plugin, or the problem in importing it."""
    try:
        return loaded(target)
    except (Exception, SystemExit) as raised:  # noqa: BLE001 - a plugin may raise anything
        return error(PLUGIN, "import", f"importing it raises {described(raised)}")


if __name__ == "__main__":
    supervised(main)
