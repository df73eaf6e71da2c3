"""What README and the documents show can be run with what README installs, or names what it needs beside."""

from __future__ import annotations

import re

import pytest

from finclaw_cli.cli.app import COMMANDS
from tests.docs.pages import ROOT, blocks_of, name_of, pages

INSTALLED = set(re.findall(r"-e plugins/(finclaw-\w+)", blocks_of(ROOT / "README.md")[0].text))
# Which plugin a command of its own, or a group of tools, comes with.
FROM_PLUGINS = {
    r"finclaw data\b": "finclaw-market",
    r"finclaw ledger\b": "finclaw-ledger",
    r"finclaw demo\b": "finclaw-demo",
    r"finclaw filings\b": "finclaw-filings",
    r"-t 'system:": "finclaw-workspace",
}
SHOWN = [
    (name_of(page), step.command)
    for page in pages()
    for block in blocks_of(page)
    if block.language == "console"
    for step in block.steps
]


def missing(command: str) -> set[str]:
    """Plugins that a command needs, that README does not install and the command does not name."""
    needed = {plugin for pattern, plugin in FROM_PLUGINS.items() if re.search(pattern, command)}
    return {plugin for plugin in needed - INSTALLED if plugin not in command}


def test_a_command_that_needs_another_plugin_names_it():
    assert [(page, command) for page, command in SHOWN if missing(command)] == []


@pytest.mark.parametrize("command", ["finclaw filings list", "finclaw run -t 'system:*' x"])
def test_a_command_that_does_not_name_it_is_found(command: str):
    assert missing(command)
    assert not missing(f"{command}  # needs {missing(command).pop()}")


def test_every_command_is_finclaws_own_or_a_known_plugins():
    names = {found for _, command in SHOWN for found in re.findall(r"(?:^|[/| ])finclaw ([a-z]\w*)", command)}
    assert {"run", "replay", "data"} <= names
    assert names - set(COMMANDS) <= {"data", "ledger", "filings", "demo"}
