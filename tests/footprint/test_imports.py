"""How much a command imports: as much as it did, and nothing that it has no use for."""

from __future__ import annotations

import pytest

from tests.footprint.commands import PLUGIN_MODULE, Workbench
from tests.footprint.figures import FEW, is_near, kept

RENEW = "Where that is meant: python -m tests.footprint"
SDKS = {"anthropic", "openai", "mcp", "acp"}
NEVER = {"rich", "keyring", "markdown_it", "jsonschema_rs", "yaml", "nh3", "tomlkit", PLUGIN_MODULE}
LOOKING = NEVER | SDKS | {"httpx2", "tenacity", "genai_prices"}
"""What no command needs that asks no model, whatever the figures say."""
UNUSED = {
    "version": LOOKING,
    "help": LOOKING,
    "tools-list": LOOKING,
    "completion": LOOKING,
    "run": NEVER | {"openai", "mcp", "acp"},
}


@pytest.mark.parametrize("command", UNUSED)
def test_a_command_imports_no_package_that_it_has_no_use_for(bench: Workbench, command: str) -> None:
    assert bench.imported(command).packages & UNUSED[command] == set()


@pytest.mark.parametrize("command", UNUSED)
def test_a_command_imports_no_package_that_it_did_not_import_before(bench: Workbench, command: str) -> None:
    assert bench.imported(command).packages <= set(kept().modules[command].packages), RENEW


@pytest.mark.parametrize("command", UNUSED)
def test_a_command_imports_about_as_many_modules_as_it_did(bench: Workbench, command: str) -> None:
    counted, figure = bench.imported(command), kept().modules[command]
    assert is_near(counted.own, figure.own, few=FEW), f"{counted.own} modules of ours, were {figure.own}. {RENEW}"
    assert is_near(counted.other, figure.other, few=FEW), f"{counted.other} others, were {figure.other}. {RENEW}"
