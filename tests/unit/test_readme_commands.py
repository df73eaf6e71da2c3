"""What README shows can be run with what README installs, or says what it needs beside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from finclaw_cli.cli.app import COMMANDS

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```(?:bash|sh|text)\n(.*?)```", README, re.DOTALL)
INSTALLED = set(re.findall(r"-e plugins/(finclaw-\w+)", BLOCKS[0]))
# Which plugin a command of its own, or a group of tools, comes with.
FROM_PLUGINS = {
    r"finclaw data\b": "finclaw-market",
    r"finclaw ledger\b": "finclaw-ledger",
    r"finclaw demo\b": "finclaw-demo",
    r"finclaw filings\b": "finclaw-filings",
    r"-t 'system:": "finclaw-workspace",
}


def shown() -> list[str]:
    return [line for block in BLOCKS for line in block.splitlines() if re.search(r"\bfinclaw [a-z]", line)]


@pytest.mark.parametrize(("pattern", "plugin"), FROM_PLUGINS.items())
def test_a_line_that_needs_another_plugin_names_it(pattern: str, plugin: str) -> None:
    lines = [line for line in shown() if re.search(pattern, line)]
    if plugin not in INSTALLED:
        assert lines
        assert all(plugin in line for line in lines)


def test_every_command_is_finclaws_own_or_a_known_plugins() -> None:
    names = {found for line in shown() for found in re.findall(r"(?:^|[/| ])finclaw ([a-z]\w*)", line)}
    assert names - set(COMMANDS) <= {"data", "ledger", "filings", "demo"}
