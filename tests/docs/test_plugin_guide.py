"""What the authors' guide promises beside its blocks, which `test_pages.py` runs."""

from __future__ import annotations

import re

from finclaw_cli.plugin_host.hookspecs import CONTRACT, HOOK_NAMES
from tests.docs.pages import ROOT, blocks_of, files_of

GUIDE = ROOT / "docs" / "how-to" / "write-a-plugin.md"


def test_a_complete_plugin_has_less_than_25_lines():
    files = files_of(GUIDE)
    lines = [line for name in ("pyproject.toml", "finclaw_hello.py") for line in files[name].splitlines()]
    assert len([line for line in lines if line.strip()]) < 25


def test_four_commands_lead_to_the_first_listing():
    commands = [step.command for block in blocks_of(GUIDE) if block.title is None for step in block.steps]
    assert commands.index("finclaw tools list") == 3


def test_the_table_has_every_hook():
    guide = GUIDE.read_text("utf-8")
    assert re.findall(r"^\| `(finclaw_\w+)\(", guide, re.MULTILINE) == list(HOOK_NAMES)
    assert f"FINCLAW_CONTRACT = {CONTRACT}" in guide
