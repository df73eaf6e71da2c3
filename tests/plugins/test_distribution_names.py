"""The name of a distribution means the same however it is written, wherever a user writes it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.e2e.harness import Finclaw, Ran, call, install_module

SOURCE = """
from finclaw_cli.sdk import ToolContext, hookimpl, tool
@tool(group="finance", read_only=True)
async def said(ctx: ToolContext) -> str:
    "What the settings say."
    return str(ctx.settings.get("word"))
@hookimpl
def finclaw_tools():
    return [said]
"""
DIST = "Acme_Tools"
WRITTEN = ["Acme_Tools", "acme-tools", "ACME.tools"]
ALONE = {"FINCLAW_PLUGINS": "acme.TOOLS"}


@pytest.fixture
def acme(own: Finclaw, tmp_path_factory: pytest.TempPathFactory) -> Finclaw:
    plugins = tmp_path_factory.mktemp("acme")
    install_module(plugins, DIST, SOURCE, module="acme_tools")
    return replace(own, plugins=plugins)


def ask(acme: Finclaw, *options: str, name: str = "said") -> Ran:
    model = acme.script({"tool_calls": [call(name)]}, {"text": "ok"})
    return acme("run", "-o", "ndjson", *options, "-m", model, "x", env=ALONE)


def counts(ran: Ran) -> dict[str, int]:
    found: dict[str, int] = ran.result["tool_calls"]
    return found


@pytest.mark.parametrize("name", WRITTEN)
class TestNames:
    def test_the_variable_chooses_it(self, acme: Finclaw, name: str):
        listed = json.loads(acme("plugins", "list", "--json", env={"FINCLAW_PLUGINS": name}).stdout)
        assert [plugin["name"] for plugin in listed] == [DIST]

    def test_the_settings_deny_it(self, acme: Finclaw, name: str):
        (acme.home / "config.toml").write_text(f'[plugins]\ndeny = ["{name}"]\n')
        assert json.loads(acme("plugins", "list", "--json", env=ALONE).stdout) == []

    def test_it_is_trusted_and_trusted_no_longer(self, acme: Finclaw, name: str):
        assert acme("plugins", "trust", name, env=ALONE).code == 0
        assert counts(ask(acme)) == {"completed": 1}
        assert acme("plugins", "revoke", name, env=ALONE).code == 0
        assert counts(ask(acme, "-t", "said")) == {"denied": 1}

    def test_it_has_settings(self, acme: Finclaw, name: str):
        (acme.home / "config.toml").write_text(f'[plugin."{name}"]\nword = "hello"\n')
        *_, ended = ask(acme, "-t", "said", "--approve", "said").of("agent.tool_call")
        assert "hello" in json.dumps(ended)

    def test_its_tools_are_named_by_it(self, acme: Finclaw, name: str):
        offered = ask(acme, "-t", f"{name}.said", "--approve", f"{name}.said")
        assert [tool["name"] for tool in offered.lines[0]["tools"]] == ["said"]
        assert counts(offered) == {"completed": 1}

    def test_a_rule_forbids_its_tools(self, acme: Finclaw, name: str):
        acme("plugins", "trust", name, env=ALONE)
        (acme.home / "policy.toml").write_text(f'[[rule]]\nscope = "tool"\npattern = "{name}.*"\nverdict = "deny"\n')
        assert counts(ask(acme)) == {"denied": 1}


def test_two_tables_of_settings_for_one_distribution_are_refused(acme: Finclaw):
    (acme.home / "config.toml").write_text('[plugin.Acme_Tools]\nword = "a"\n[plugin.acme-tools]\nword = "b"\n')
    ran = acme("tools", "list", env=ALONE)
    assert (ran.code, "'Acme_Tools' and 'acme-tools' are the same distribution" in ran.stderr) == (2, True)


def test_a_pin_that_was_written_with_another_form_of_the_name_counts(acme: Finclaw):
    acme("plugins", "trust", DIST, env=ALONE)
    path = acme.home / "trust.json"
    path.write_text(path.read_text().replace("acme-tools", DIST))
    assert counts(ask(acme)) == {"completed": 1}
