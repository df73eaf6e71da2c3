"""Tools of a plugin that are named by their modules: a call imports the module of its own tool only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.asking import in_own_home
from tests.e2e.harness import Finclaw, call, install_module

PLUGIN = """
from finclaw_cli.sdk import hookimpl, tools_at

@hookimpl
def finclaw_tools():
    return tools_at("acme_tools", "one:first", "two:second", "three:third")
"""
TOOL = """
import contextlib, pathlib
from finclaw_cli.sdk import tool

with contextlib.suppress(OSError):  # the sandbox of a probe
    pathlib.Path(__file__).with_suffix(".imported").touch()

@tool(group="finance", read_only=True{options})
def {name}() -> str:
    \"\"\"Be {name}.\"\"\"
    return "{name}"
"""
ENV = {"FINCLAW_PLUGINS": "acme-deferred"}


@pytest.fixture
def deferred(finclaw: Finclaw, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Finclaw]:
    plugins = tmp_path_factory.mktemp("deferred")
    install_module(plugins, "acme-deferred", PLUGIN)
    package = plugins / "acme_tools"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "one.py").write_text(TOOL.format(name="first", options=""))
    (package / "two.py").write_text(TOOL.format(name="second", options=", name='renamed'"))
    files = "".join(f"acme_tools/{name}.py,,\n" for name in ("__init__", "one", "two"))
    (record,) = plugins.glob("*.dist-info/RECORD")
    record.write_text(record.read_text() + files)
    command = replace(in_own_home(finclaw, tmp_path), plugins=plugins)
    assert command("plugins", "trust", "acme-deferred", env=ENV).code == 0
    assert command("tools", "list", env=ENV).code == 0
    for mark in package.glob("*.imported"):
        mark.unlink()
    yield command
    command.clean_up()


def imported(finclaw: Finclaw) -> list[str]:
    return sorted(mark.stem for mark in (finclaw.plugins / "acme_tools").glob("*.imported"))


def test_a_call_imports_the_module_of_its_tool_alone(deferred: Finclaw) -> None:
    model = deferred.script({"tool_calls": [call("first")]}, {"text": "{{first}}"})
    assert deferred("run", "-o", "ndjson", "-m", model, "x", env=ENV).result["text"] == "first"
    assert imported(deferred) == ["one"]


def test_a_tool_with_another_name_than_its_function_is_found(deferred: Finclaw) -> None:
    assert deferred("tools", "call", "renamed", env=ENV).code == 0


def test_a_module_that_is_missing_leaves_out_its_tool_and_is_named(deferred: Finclaw) -> None:
    assert "renamed" in deferred("tools", "list", env=ENV).text
    assert "acme_tools.three" in deferred("plugins", "list", "--json", env=ENV).text
