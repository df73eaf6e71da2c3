"""The settings of editors, as docs/how-to/acp.md shows them: each starts the command with options that it has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer

from finclaw_acp.plugin import finclaw_commands

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "acp.md"
FILE = re.compile(r'^```(?:json|lua) title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
FILES = dict(FILE.findall(PAGE.read_text()))


def words_of(title: str) -> list[str]:
    """The command that a file has an editor start."""
    if title.endswith("lua"):
        found = re.search(r"default = \{(.*?)\}", FILES[title])
        assert found is not None
        return re.findall(r'"([^"]+)"', found[1])
    ((name, entry),) = json.loads(FILES[title])["agent_servers"].items()
    assert name == "finclaw"
    return [entry["command"], *entry["args"]]


@pytest.mark.parametrize("title", FILES)
def test_the_settings_start_the_command_with_options_that_it_has(title: str):
    app = typer.Typer()
    app.callback()(lambda: None)
    finclaw_commands(app)
    command, name, *arguments = words_of(title)
    assert (Path(command).name, name) == ("finclaw", "acp")
    known = typer.main.get_command(app).commands["acp"]  # type: ignore[attr-defined]
    assert known.make_context("acp", list(arguments)).params["model"][0] == "anthropic:claude-sonnet-4-5"


def test_the_page_has_the_settings_of_three_editors():
    assert len(FILES) == 3
