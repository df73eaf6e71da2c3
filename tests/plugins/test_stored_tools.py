"""Tools that a plugin has stored for its toolsets: listed and offered without an import, where the plugin is trusted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, call, install_module

ONLY = {"FINCLAW_PLUGINS": "acme-desks"}
SOURCE = """
from pathlib import Path

from finclaw_cli.sdk import ToolDefinition, hookimpl
from finclaw_cli.sdk.toolsets import forget_tools, keep_tools, stored_tools

Path(__file__).with_suffix(".imported").touch()


def desk_tool():
    async def answer(given, context):
        return "from the desk"

    schema = {"type": "object", "properties": {}}
    return ToolDefinition(name="desk__look", description="Look.", input_schema=schema, group="finance", handler=answer)


class Desk:
    name = "desk"

    def known(self):
        return [desk_tool()] if stored_tools("acme-desks", "desk") else []

    async def start(self, context):
        pass

    async def stop(self):
        pass


@hookimpl
def finclaw_toolsets():
    return [Desk()]


@hookimpl
def finclaw_commands(app):
    @app.command()
    def desks(forget: bool = False):
        if forget:
            print(forget_tools("acme-desks", "desk"))
        else:
            keep_tools("acme-desks", "desk", [desk_tool()])
"""


@pytest.fixture
def untrusted(own: Finclaw, tmp_path_factory: pytest.TempPathFactory) -> Finclaw:
    plugins = tmp_path_factory.mktemp("plugins")
    install_module(plugins, "acme-desks", SOURCE)
    return replace(own, plugins=plugins)


@pytest.fixture
def desks(untrusted: Finclaw) -> Finclaw:
    assert untrusted("plugins", "trust", "acme-desks", env=ONLY).code == 0
    assert untrusted("desks", env=ONLY).code == 0
    return untrusted


def stored(desks: Finclaw) -> Path:
    return desks.home / "toolsets" / "acme-desks" / "desk.json"


def listed(desks: Finclaw) -> list[str]:
    tools = json.loads(desks("tools", "list", "--json", env=ONLY).stdout)
    return [tool["name"] for tool in tools]


def test_they_are_listed_without_an_import(desks: Finclaw):
    (desks.plugins / "acme_desks.imported").unlink()
    assert listed(desks) == ["desk__look"]
    assert not (desks.plugins / "acme_desks.imported").exists()


def test_they_are_called_in_runs(desks: Finclaw):
    script = desks.script({"tool_calls": [call("desk__look")]}, {"text": "It is {{desk__look}}."})
    assert desks("run", "-m", script, "x", env=ONLY).text == "It is from the desk.\n"


def test_those_of_a_plugin_that_is_not_trusted_are_not_read(desks: Finclaw):
    assert desks("plugins", "revoke", "acme-desks", env=ONLY).code == 0
    assert listed(desks) == []
    assert stored(desks).exists()


def test_a_damaged_file_is_named_and_costs_its_own_toolset_only(desks: Finclaw):
    stored(desks).with_name("other.json").write_bytes(stored(desks).read_bytes().replace(b"desk__look", b"other__look"))
    stored(desks).write_text("{")
    assert listed(desks) == ["other__look"]
    assert "the stored tools of desk cannot be used" in desks("doctor", env=ONLY).text


def test_one_of_a_name_that_the_plugin_has_is_named_and_left_out(desks: Finclaw):
    stored(desks).with_name("zz.json").write_bytes(stored(desks).read_bytes())
    assert listed(desks) == ["desk__look"]
    assert "offered twice" in desks("doctor", env=ONLY).text


def test_they_are_forgotten(desks: Finclaw):
    assert desks("desks", "--forget", env=ONLY).text == "True\n"
    assert listed(desks) == []
    assert desks("desks", "--forget", env=ONLY).text == "False\n"


def test_the_file_is_its_owners_alone(desks: Finclaw):
    assert stored(desks).stat().st_mode & 0o777 == 0o600
