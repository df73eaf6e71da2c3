from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

import finclaw_workspace.plugin
from finclaw_cli.testing.contract import check_plugin
from finclaw_cli.testing.tools import the_tool
from finclaw_workspace.plugin import finclaw_tools
from finclaw_workspace.reading import read
from finclaw_workspace.shelling import preview_shell, shell
from finclaw_workspace.writing import write

TIMEOUTS = {"read": 10, "write": 10, "edit": 10, "glob": 30, "grep": 60, "shell": 120}


def test_keeps_the_contract() -> None:
    problems = check_plugin(finclaw_workspace.plugin)
    assert [problem for problem in problems if problem.severity != "note"] == []


def test_the_tools_say_what_they_are() -> None:
    tools = {tool.name: tool for tool in map(the_tool, finclaw_tools())}
    assert {name: tool.timeout_s for name, tool in tools.items()} == TIMEOUTS
    assert {tool.group for tool in tools.values()} == {"system"}
    asking = {"write", "edit", "shell"}
    assert {name for name, tool in tools.items() if tool.requires_approval} == asking
    assert {name for name, tool in tools.items() if tool.preview} == asking
    assert {name for name, tool in tools.items() if tool.read_only} == set(tools) - asking
    assert [need.program for need in tools["shell"].needs] == ["bwrap"]


def test_importing_the_plugin_is_cheap() -> None:
    code = "import sys, finclaw_workspace.plugin; print(*(name for name in sys.modules if 'finclaw_workspace' in name))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert ended.stdout.split() == ["finclaw_workspace", "finclaw_workspace.plugin"]


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"network": "yes"}, "network: "),
        ({"netwrok": True}, "netwrok is no setting (known: network, "),
        ({"read_also": ["relative"]}, "read_also: "),
        ({"read_also": ["/a/../b"]}, "read_also: "),
        ({"read_also": ["/"]}, "read_also: "),
        ({"pass_env": ["A=B"]}, "pass_env: "),
        ({"pass_env": ["LD_PRELOAD"]}, "pass_env: "),
        ({"pass_env": ["PATH"]}, "pass_env: "),
        ({"protected": ["../x"]}, "protected: "),
        ({"protected": ["."]}, "protected: "),
    ],
)
@pytest.mark.parametrize("tool", [read, shell])
def test_wrong_settings_are_said(
    refused: Callable[..., str], tool: object, settings: dict[str, object], what: str
) -> None:
    arguments = {"path": "x"} if tool is read else {"command": "true"}
    said = refused(tool, settings, **arguments)
    assert said.startswith("NOT_CONFIGURED: [plugin.finclaw-workspace] ")
    assert what in said


def test_a_missing_parameter_is_described(call: Callable[..., object], refused: Callable[..., str]) -> None:
    assert "content: required, but missing (the whole new text.)" in refused(write, path="x")


def test_the_shells_preview_says_what_is_allowed(tool_context: object) -> None:
    text = preview_shell("rm -rf build", tool_context)  # type: ignore[arg-type]
    assert text.startswith("$ rm -rf build\n")
    assert "network: off" in text
    assert ".finclaw.toml" in text
