"""What all of finclaw's own tools cost every request that offers them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from finclaw_cli.core.tool import ToolDefinition
from finclaw_cli.engine.context.count import tokens_of_tools
from finclaw_cli.tools.define import define_all

PLUGINS = sorted(path.name for path in (Path(__file__).parents[2] / "plugins").iterdir() if path.is_dir())
MOST_TOKENS = 7_600
MOST_TOOLS = 9


def tools(plugin: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ToolDefinition]:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "plugins" / plugin / "src"))
    offer = getattr(import_module(f"{plugin.replace('-', '_')}.plugin"), "finclaw_tools", tuple)
    for offered in offer():
        yield from define_all(offered)


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_has_few_tools(plugin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(list(tools(plugin, monkeypatch))) <= MOST_TOOLS


def test_all_of_them_together_leave_room_for_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    every = [tool for plugin in PLUGINS for tool in tools(plugin, monkeypatch)]
    assert len(every) > 40
    assert tokens_of_tools(every) < MOST_TOKENS
