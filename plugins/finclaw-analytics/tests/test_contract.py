from __future__ import annotations

import json
import subprocess
import sys

from finclaw_analytics import plugin
from finclaw_cli.testing.contract import check_plugin
from finclaw_cli.testing.tools import the_tool


def test_keeps_the_contract() -> None:
    # An example of a comparison would need prices.
    assert [(one.subject, one.code) for one in check_plugin(plugin)] == [("tool compare", "not_called")]


def test_every_tool_reckons_only() -> None:
    tools = [the_tool(tool) for tool in plugin.finclaw_tools()]
    assert len(tools) <= 9
    for tool in tools:
        assert (tool.group, tool.read_only, tool.idempotent) == ("finance", True, True)
        assert tool.timeout_s <= 30


def test_the_schemas_stay_small() -> None:
    tools = [the_tool(tool) for tool in plugin.finclaw_tools()]
    text = json.dumps([[tool.name, tool.description, tool.input_schema] for tool in tools])
    assert len(text) / 4 < 2_500


def test_listing_the_tools_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'pandas', 'simpleeval', 'sqlite3', 'finclaw_market'}"
    program = (
        "import sys; from finclaw_analytics.plugin import finclaw_tools; finclaw_tools(); "
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
