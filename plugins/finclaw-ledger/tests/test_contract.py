from __future__ import annotations

import json
import subprocess
import sys

from finclaw_cli.testing.contract import check_plugin
from finclaw_cli.testing.tools import the_tool
from finclaw_ledger import plugin


def test_keeps_the_contract() -> None:
    assert [problem for problem in check_plugin(plugin) if problem.severity != "note"] == []


def test_every_tool_is_private_and_only_the_import_writes() -> None:
    tools = [the_tool(tool) for tool in plugin.finclaw_tools()]
    assert len(tools) <= 9
    assert all(tool.sensitive and tool.group == "data" for tool in tools)
    assert [tool.name for tool in tools if not tool.read_only] == ["import_statement"]
    assert [tool.name for tool in tools if tool.requires_approval] == ["import_statement"]


def test_the_reading_tools_declare_that_they_need_books() -> None:
    needed = {tool.name: [need.file for need in tool.needs] for tool in map(the_tool, plugin.finclaw_tools())}
    assert needed.pop("ledger_query") == [None]
    assert needed.pop("import_statement") == []
    assert len(needed) == 7
    assert all(files == ["books.db"] for files in needed.values())


def test_the_schemas_stay_small() -> None:
    tools = [the_tool(tool) for tool in plugin.finclaw_tools()]
    text = json.dumps([[tool.name, tool.description, tool.input_schema] for tool in tools])
    assert len(text) / 4 < 1_600


def test_listing_the_tools_loads_nothing_heavy() -> None:
    program = (
        "import sys; from finclaw_ledger.plugin import finclaw_tools; finclaw_tools(); "
        "print(sorted({'beancount', 'beanquery', 'pandas', 'numpy'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
