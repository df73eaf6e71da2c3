"""No run begins without the policy rules and guards of a plugin that the user has trusted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, Ran, call, ended, install_module
from tests.e2e.trusted import Trusted

RULES = """
@hookimpl
def finclaw_policy_rules():
    return [PolicyRule(scope="global", pattern="part", verdict="deny", reason="house rule")]
"""
GUARD = """
@hookimpl
@strict
def finclaw_before_tool_call(call, context):
    return Skip("guarded") if call.name == "part" else None
"""
IMPORTS = "from finclaw_cli.sdk import PolicyRule, Skip, hookimpl, strict\n"
TOOL = """
from finclaw_cli.sdk import hookimpl, tool
@tool(group="finance", read_only=True)
async def part() -> str:
    "Parts."
    return "gone"
@hookimpl
def finclaw_tools():
    return [part]
"""
ENV = {"FINCLAW_PLUGINS": "acme-guard,acme-tool"}
KINDS = {"policy rules": RULES, "guards": GUARD, "policy rules and guards": RULES + GUARD}


@pytest.fixture
def kind() -> str:
    return "policy rules and guards"


@pytest.fixture
def guarded(own: Finclaw, trusted: Trusted, tmp_path: Path, kind: str) -> Finclaw:
    """A tool, and a trusted plugin beside it that does not let it run."""
    finclaw = trusted.beside(own, tmp_path / "plugins", "acme-tool", TOOL)
    install_module(finclaw.plugins, "acme-guard", IMPORTS + KINDS[kind])
    assert finclaw("plugins", "trust", "acme-guard", env=ENV).code == 0
    return finclaw


def run(finclaw: Finclaw, **env: str) -> Ran:
    script = finclaw.script({"tool_calls": [call("part")]}, {"text": "ok"})
    return finclaw("run", "-o", "ndjson", "-m", script, "x", env=ENV | env)


def info(finclaw: Finclaw) -> Path:
    return finclaw.plugins / "acme_guard-1.0.dist-info"


def module(finclaw: Finclaw) -> Path:
    return finclaw.plugins / "acme_guard.py"


def hide(finclaw: Finclaw) -> None:
    (finclaw.plugins / "Acme.Guard-1.0.dist-info").mkdir()  # sorts before the other one


def hide_with_another(finclaw: Finclaw) -> None:
    install_module(finclaw.plugins, "Acme.Guard", "", module="another")


def forget_manifests(finclaw: Finclaw) -> None:
    shutil.rmtree(finclaw.home / "cache")


DAMAGE: dict[str, Callable[[Finclaw], object]] = {
    "hidden": hide,
    "hidden by another": hide_with_another,
    "emptied": lambda finclaw: module(finclaw).write_text(""),
    "no module": lambda finclaw: module(finclaw).unlink(),
    "syntax": lambda finclaw: module(finclaw).write_text("("),
    "no entry points": lambda finclaw: (info(finclaw) / "entry_points.txt").unlink(),
    "damaged entry points": lambda finclaw: (info(finclaw) / "entry_points.txt").write_text("[finclaw]\n= =\n"),
    "no metadata": lambda finclaw: (info(finclaw) / "METADATA").unlink(),
    "other rules": lambda finclaw: module(finclaw).write_text(TOOL),
}


@pytest.mark.parametrize("kind", KINDS)
def test_they_hold_as_long_as_the_plugin_is_as_it_was_trusted(guarded: Finclaw):
    ran = run(guarded)
    assert (ran.code, ended(ran.lines)["part"] in {"denied", "skipped"}) == (0, True)


@pytest.mark.parametrize(
    ("kind", "damage"),
    [("policy rules", "emptied"), ("guards", "emptied"), *(("policy rules and guards", each) for each in DAMAGE)],
)
def test_no_run_begins_without_them(guarded: Finclaw, kind: str, damage: str):
    DAMAGE[damage](guarded)
    ran = run(guarded)
    assert (ran.code, ended(ran.lines)) == (2, {})
    assert f"the {kind} of acme-guard, which you trusted, cannot apply: " in ran.result["error"]["message"]


def test_no_tool_is_called_by_hand_without_them(guarded: Finclaw):
    hide(guarded)
    ran = guarded("tools", "call", "part", env=ENV)
    assert (ran.code, ran.stdout) == (2, b"")
    assert "finclaw plugins revoke acme-guard" in ran.stderr


def test_a_library_that_is_gone_stops_the_run_also_where_nothing_is_kept_of_the_plugin(guarded: Finclaw, kind: str):
    library = guarded.plugins / "acme_library.py"
    library.write_text("")
    module(guarded).write_text(f"import acme_library\n{IMPORTS}{KINDS[kind]}")
    assert guarded("plugins", "trust", "acme-guard", env=ENV).code == 0
    library.unlink()
    forget_manifests(guarded)
    assert run(guarded).code == 2


def test_a_probe_that_takes_too_long_stops_the_run(guarded: Finclaw):
    forget_manifests(guarded)
    assert run(guarded, FINCLAW_PROBE_TIMEOUT="0.001").code == 2


def test_what_an_earlier_finclaw_has_trusted_is_learned_at_the_next_run(guarded: Finclaw):
    trust = json.loads((guarded.home / "trust.json").read_text())
    del trust["plugins"]["acme-guard"]["restrictions"]
    (guarded.home / "trust.json").write_text(json.dumps(trust))
    assert run(guarded).code == 0
    hide(guarded)
    assert run(guarded).code == 2


def test_an_uninstalled_plugin_is_a_warning(guarded: Finclaw, kind: str):
    shutil.rmtree(info(guarded))
    module(guarded).unlink()
    ran = run(guarded)
    assert ran.code == 0
    assert any(f"the {kind} of acme-guard do not apply" in line["message"] for line in ran.of("agent.warning"))


def test_the_user_can_choose_other_plugins(guarded: Finclaw):
    hide(guarded)
    assert run(guarded, FINCLAW_PLUGINS="acme-tool").code == 0


def test_the_user_can_leave_the_plugin_out(guarded: Finclaw):
    hide(guarded)
    (guarded.home / "config.toml").write_text('plugins.deny = ["acme_guard"]\n')
    assert run(guarded).code == 0


def test_the_user_can_revoke_the_trust(guarded: Finclaw):
    hide(guarded)
    assert guarded("plugins", "revoke", "acme-guard", env=ENV).code == 0
    assert (run(guarded).code, ended(run(guarded).lines)) == (0, {"part": "completed"})
