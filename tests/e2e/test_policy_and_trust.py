"""`finclaw policy`, `finclaw plugins trust`, and what they change in a run."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, call, install_module
from tests.e2e.trusted import Trusted

DENY = '[[rule]]\nscope = "tool"\npattern = "price"\nverdict = "deny"\nreason = "not from here"\n'
ASK = {"tool_calls": [call("price", symbol="ACME")]}
STRANGER = """
from finclaw_cli.sdk import hookimpl, tool
@tool(group="finance", read_only=True)
async def stranger() -> str:
    "A stranger."
    return "hello"
@hookimpl
def finclaw_tools():
    return [stranger]
@hookimpl
def finclaw_after_tool_call(call, result, context):
    (context.home / "hooked").touch()
"""
LISTENS = """
@hookimpl
def finclaw_event(run_id, event):
    import os, pathlib
    pathlib.Path(os.environ["FINCLAW_HOME"], "heard").touch()
"""
RULES = """
from finclaw_cli.sdk import PolicyRule, hookimpl
@hookimpl
def finclaw_policy_rules():
    RULES
"""


class TestPolicy:
    def test_explain_says_what_every_stage_says_and_which_decides(self, own: Finclaw):
        (own.home / "policy.toml").write_text(DENY)
        told = json.loads(own("policy", "explain", "price", "--json").text)
        assert (told["decision"], told["stage"]) == ("deny", "tool-policy")
        assert told["reason"] == f"not from here ({own.home / 'policy.toml'})"
        assert [stage["stage"] for stage in told["stages"]][-1] == "tool-policy"

    def test_explain_asks_as_another_user_from_another_channel(self, own: Finclaw):
        rule = '[[rule]]\nscope = "user"\nsubject = "kim"\nverdict = "deny"\n[[rule]]\nscope="channel"\nsubject="ci"\nverdict="deny"\n'
        (own.home / "policy.toml").write_text(rule)
        decide = lambda *where: json.loads(own("policy", "explain", "price", "--json", *where).text)["decision"]  # noqa: E731
        assert [decide(), decide("--user", "kim"), decide("--channel", "ci")] == ["allow", "deny", "deny"]
        assert own("policy", "explain", "price", "--channel", "CI").code == 2

    def test_explain_and_the_run_agree(self, own: Finclaw):
        (own.cwd / "mine.toml").write_text(DENY)
        told = json.loads(own("policy", "explain", "price", "--policy", "mine.toml", "--json").text)
        ran = own("run", "-o", "ndjson", "--policy", "mine.toml", "-m", own.script(ASK, {"text": "ok"}), "x")
        (end,) = [line for line in ran.of("agent.tool_call") if line["status"] == "denied"]
        assert end["result"] == f'Tool "price" denied: {told["reason"]}'
        assert ran.lines[0]["policy_files"] == [str(own.cwd / "mine.toml")]

    def test_what_is_forbidden_does_not_change_the_exit_code(self, own: Finclaw):
        """Nobody has to look: the rule said what was meant."""
        (own.home / "policy.toml").write_text(DENY)
        ran = own("run", "-o", "ndjson", "-m", own.script(ASK, {"text": "ok"}), "x")
        assert (ran.code, ran.result["denied"]) == (0, ["price"])

    def test_check_names_the_tools_that_a_rule_speaks_of(self, own: Finclaw):
        (own.cwd / "mine.toml").write_text(DENY)
        ran = own("policy", "check", "mine.toml")
        assert ran.code == 0
        assert "tool: price" in ran.text

    def test_check_refuses_what_a_run_would_refuse(self, own: Finclaw):
        (own.cwd / "bad.toml").write_text(DENY.replace("verdict", "verdikt"))
        assert own("policy", "check", "bad.toml").code == 2
        ran = own("run", "-o", "ndjson", "--policy", "bad.toml", "-m", own.script(ASK, {"text": "ok"}), "x")
        assert (ran.code, ran.result["error"]["code"], ran.result["turns"]) == (2, "bad_policy", 0)

    def test_a_project_can_forbid_and_not_allow(self, own: Finclaw):
        (own.cwd / ".finclaw").mkdir()
        rules = DENY + '[[rule]]\nscope = "global"\nverdict = "allow"\npriority = 1000\n'
        (own.cwd / ".finclaw" / "policy.toml").write_text(rules)
        ran = own("run", "-o", "ndjson", "-m", own.script(ASK, {"text": "ok"}), "x")
        assert ran.result["denied"] == ["price"]
        assert any("allow rules" in line["message"] for line in ran.of("agent.warning"))


@pytest.fixture
def strangers(own: Finclaw, trusted: Trusted) -> Finclaw:
    return trusted.seen(own, "acme-stranger", STRANGER + LISTENS)


@pytest.fixture
def changing(own: Finclaw, tmp_path_factory: pytest.TempPathFactory) -> Finclaw:
    """The same where a test may change the plugin."""
    plugins = tmp_path_factory.mktemp("strangers")
    install_module(plugins, "acme-stranger", STRANGER + LISTENS)
    return replace(own, plugins=plugins)


ENV = {"FINCLAW_PLUGINS": "acme-stranger"}


def offered(own: Finclaw, *arguments: str) -> list[str]:
    ran = own("run", "-o", "ndjson", *arguments, "-m", own.script({"text": "ok"}), "x", env=ENV)
    return [tool["name"] for tool in ran.lines[0]["tools"]]


def called(own: Finclaw, *arguments: str) -> dict[str, int]:
    model = own.script({"tool_calls": [call("stranger")]}, {"text": "ok"})
    counts: dict[str, int] = own("run", "-o", "ndjson", *arguments, "-m", model, "x", env=ENV).result["tool_calls"]
    return counts


class TestTrust:
    def test_a_strangers_tool_is_listed_but_not_offered_by_itself(self, strangers: Finclaw):
        assert "stranger" in strangers("tools", "list", env=ENV).text
        assert offered(strangers) == []
        assert offered(strangers, "-t", "stranger") == ["stranger"]

    def test_it_asks_before_it_runs(self, strangers: Finclaw):
        assert called(strangers, "-t", "stranger") == {"denied": 1}
        assert called(strangers, "-t", "stranger", "--approve", "stranger") == {"completed": 1}

    def test_the_user_is_told_why_it_is_not_used(self, strangers: Finclaw):
        ran = strangers("run", "-o", "ndjson", "-m", strangers.script({"text": "ok"}), "x", env=ENV)
        assert any("finclaw plugins trust acme-stranger" in line["message"] for line in ran.of("agent.warning"))

    def test_its_hooks_and_listeners_take_no_part(self, strangers: Finclaw):
        assert called(strangers, "-t", "stranger", "--approve", "stranger") == {"completed": 1}
        assert not {"hooked", "heard"} & {path.name for path in strangers.home.iterdir()}

    def test_trust_lets_it_run_by_its_group(self, strangers: Finclaw):
        assert strangers("plugins", "trust", "acme-stranger", env=ENV).code == 0
        assert called(strangers) == {"completed": 1}
        assert {"hooked", "heard"} <= {path.name for path in strangers.home.iterdir()}

    def test_revoking_takes_it_back(self, strangers: Finclaw):
        strangers("plugins", "trust", "acme-stranger", env=ENV)
        assert strangers("plugins", "revoke", "acme-stranger", env=ENV).code == 0
        assert called(strangers, "-t", "stranger") == {"denied": 1}

    @pytest.mark.parametrize("change", ["one byte", "the version", "RECORD"])
    def test_a_change_opens_the_question_again(self, changing: Finclaw, change: str):
        changing("plugins", "trust", "acme-stranger", env=ENV)
        info = changing.plugins / "acme_stranger-1.0.dist-info"
        match change:
            case "one byte":
                source = changing.plugins / "acme_stranger.py"
                source.write_text(source.read_text().replace("hello", "hallo"))
            case "the version":
                (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-stranger\nVersion: 1.1\n")
            case _:
                (info / "RECORD").write_text("acme_stranger.py,,\nacme_other.py,,\n")
        assert "changed" in changing("plugins", "list", env=ENV).text
        assert called(changing, "-t", "stranger") == {"denied": 1}

    @pytest.mark.parametrize("content", ['{"plugins": {"acme-stranger": true}}', "", '{"format": 2, "plugins": {}}'])
    def test_a_trust_file_that_cannot_be_read_stops_what_needs_it(self, strangers: Finclaw, content: str):
        strangers("plugins", "trust", "acme-stranger", env=ENV)
        (strangers.home / "trust.json").write_text(content)
        ran = strangers("run", "-o", "ndjson", "-m", strangers.script({"text": "ok"}), "x", env=ENV)
        assert (ran.code, ran.result["turns"]) == (2, 0)
        assert "which plugins are trusted cannot be read" in ran.result["error"]["message"]
        assert "which plugins are trusted cannot be read" in strangers("doctor", env=ENV).text

    @pytest.mark.parametrize("command", [["--help"], ["doctor"], ["plugins", "list"], ["run", "x"]])
    def test_no_command_waits_for_a_trust_file_that_is_a_fifo(self, strangers: Finclaw, command: list[str]):
        (strangers.home / "trust.json").unlink(missing_ok=True)
        os.mkfifo(strangers.home / "trust.json")
        ran = strangers(*command, env=ENV, timeout=20)
        assert "Traceback" not in ran.stderr
        assert ran.code in {0, 1, 2}

    @pytest.mark.parametrize("command", ["trust", "revoke"])
    def test_a_trust_file_that_cannot_be_read_is_not_replaced(self, strangers: Finclaw, command: str):
        (strangers.home / "trust.json").write_text('{"plugins":')
        assert strangers("plugins", command, "acme-stranger", env=ENV).code == 2
        assert (strangers.home / "trust.json").read_text() == '{"plugins":'

    def test_finclaws_own_plugins_need_no_trust_file(self, own: Finclaw):
        (own.home / "trust.json").write_text("{")
        assert own("run", "--no-plugins", "-m", own.script({"text": "ok"}), "x").code == 0

    def test_a_user_can_give_a_tool_another_group(self, strangers: Finclaw):
        strangers("plugins", "trust", "acme-stranger", env=ENV)
        (strangers.home / "config.toml").write_text('[tool.groups]\nstranger = "data"\n')
        assert offered(strangers) == []

    def test_trusting_what_is_not_installed_is_refused(self, strangers: Finclaw):
        ran = strangers("plugins", "trust", "nobody", env=ENV)
        assert ran.code == 2
        assert "acme-stranger" in ran.stderr


class TestRulesOfPlugins:
    def run(self, own: Finclaw, folder: Path, rules: str, *options: str) -> tuple[int, dict[str, object]]:
        install_module(folder, "acme-rules", RULES.replace("RULES", rules))
        env = {"FINCLAW_PLUGINS": "finclaw-kit,acme-rules"}
        with_rules = replace(own, variables={"PYTHONPATH": f"{own.env()['PYTHONPATH']}{os.pathsep}{folder}"})
        assert with_rules("plugins", "trust", "acme-rules", env=env).code == 0
        ran = with_rules("run", "-o", "ndjson", *options, "-m", own.script(ASK, {"text": "ok"}), "x", env=env)
        return ran.code, ran.result

    def test_they_tighten(self, own: Finclaw, tmp_path_factory: pytest.TempPathFactory):
        rule = 'return [PolicyRule(scope="tool", pattern="price", verdict="deny")]'
        _, result = self.run(own, tmp_path_factory.mktemp("p"), rule)
        assert result["denied"] == ["price"]

    def test_they_do_not_loosen(self, own: Finclaw, tmp_path_factory: pytest.TempPathFactory):
        (own.home / "policy.toml").write_text(DENY)
        rule = 'return [PolicyRule(scope="tool", pattern="price", verdict="allow", priority=10**9, level="user")]'
        _, result = self.run(own, tmp_path_factory.mktemp("p"), rule)
        assert result["denied"] == ["price"]

    def test_they_do_not_weaken_what_a_project_forbids(self, own: Finclaw, tmp_path_factory: pytest.TempPathFactory):
        (own.cwd / ".finclaw").mkdir()
        (own.cwd / ".finclaw" / "policy.toml").write_text(DENY)
        rule = 'return [PolicyRule(scope="tool", pattern="price", verdict="require-approval", priority=5)]'
        _, result = self.run(own, tmp_path_factory.mktemp("p"), rule, "--approve", "price")
        assert (result["denied"], result["tool_calls"]) == (["price"], {"denied": 1})

    def test_a_rule_that_can_never_match_stops_the_run(self, own: Finclaw, tmp_path_factory: pytest.TempPathFactory):
        rule = 'return [PolicyRule(scope="tool", pattern="[z-a]", verdict="deny")]'
        code, result = self.run(own, tmp_path_factory.mktemp("p"), rule)
        assert (code, result["turns"]) == (2, 0)

    def test_rules_that_cannot_be_had_stop_the_run(self, own: Finclaw, tmp_path_factory: pytest.TempPathFactory):
        code, result = self.run(own, tmp_path_factory.mktemp("p"), 'raise RuntimeError("no rules today")')
        assert (code, result["turns"]) == (2, 0)
