"""Words that a newcomer types: each leads on, to the command or to a hint."""

from __future__ import annotations

import sys
from typing import get_args

import pytest

from finclaw_cli.settings.model import HelpGroup
from tests.e2e.harness import Finclaw
from tests.e2e.talking import PROMPT, script, talking
from tests.e2e.terminals import on_terminal


@pytest.mark.parametrize("command", [(), ("run",), ("tools",), ("tools", "call"), ("config",)], ids=" ".join)
def test_h_is_help_everywhere(finclaw: Finclaw, command: tuple[str, ...]) -> None:
    short, long = finclaw(*command, "-h"), finclaw(*command, "--help")
    assert short.code == 0
    assert short.text == long.text
    assert "-h, --help" in long.text


def test_help_and_version_are_commands_too(finclaw: Finclaw) -> None:
    assert finclaw("help").text == finclaw("--help").text
    assert finclaw("help", "tools", "call").text == finclaw("tools", "call", "--help").text
    assert finclaw("version").text == finclaw("--version").text


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("chat",), "finclaw run -i"),
        (("ask", "How did ACME do?"), 'finclaw run "…"'),
        (("How did ACME do?",), 'finclaw run "…"'),
        (("login",), "ANTHROPIC_API_KEY"),
        (("keys",), "keyring"),
        (("config", "set", "model", "x"), "config.toml"),
        (("filings", "list"), "finclaw-filings"),
        (("tolls",), "'tools'"),
        (("zzzzzz",), "finclaw --help"),
    ],
)
def test_a_word_that_is_no_command_leads_to_what_was_wanted(
    finclaw: Finclaw, words: tuple[str, ...], hint: str
) -> None:
    ran = finclaw(*words)
    assert (ran.code, ran.stdout) == (2, b"")
    assert hint in ran.stderr


def test_a_long_word_is_not_repeated_because_it_may_be_a_key(finclaw: Finclaw) -> None:
    ran = finclaw("sk-ant-api03-" + "x" * 40)
    assert (ran.code, "finclaw --help" in ran.stderr) == (2, True)
    assert "sk-ant" not in ran.stderr


def test_part_of_a_models_name_gets_the_models_that_have_it(finclaw: Finclaw) -> None:
    shown = finclaw("run", "-m", "claude", "x").stderr
    assert "claude-opus-5-5" in shown
    assert "claude-sonnet-5-5" in shown


@pytest.mark.skipif(sys.platform != "linux", reason="reads a pty to its end as Linux does")
def test_a_bare_run_says_that_there_is_no_prompt(finclaw: Finclaw) -> None:
    code, seen = on_terminal(finclaw, "run")
    assert code == 2
    assert b"there is no prompt" in seen


@pytest.mark.parametrize("word", [b"exit", b"quit", b"EXIT", b"/quit"])
def test_exit_and_quit_end_a_conversation(own: Finclaw, word: bytes) -> None:
    with talking(own, "-m", script(own)) as it:
        it.see(PROMPT)
        it.type(word + b"\r")
        assert it.end() == 0


def test_the_options_of_run_are_in_groups_and_none_is_left_over(finclaw: Finclaw) -> None:
    lines = finclaw("run", "--help").text.splitlines()
    titles = [line.removesuffix(":") for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert titles == ["Arguments", *get_args(HelpGroup), "Options"]
    assert [line.split()[0] for line in lines[lines.index("Options:") + 1 :]] == ["-h,"]


@pytest.mark.parametrize("group", ["tools", "plugins", "sessions", "models", "cost"])
def test_the_help_of_a_group_has_whole_sentences(finclaw: Finclaw, group: str) -> None:
    commands = finclaw(group, "--help").text.partition("Commands:")[2]
    assert commands.strip()
    assert "..." not in commands


@pytest.mark.parametrize(
    "command", [("run",), ("tools", "call"), ("cost",), ("replay",), ("sessions", "export")], ids=" ".join
)
def test_values_are_named_in_one_style(finclaw: Finclaw, command: tuple[str, ...]) -> None:
    shown = finclaw(*command, "--help").text
    assert "--help" in shown
    assert "<" not in shown
    assert "list[" not in shown


@pytest.mark.parametrize("columns", ["40", "80"])
def test_help_fits_the_terminal(finclaw: Finclaw, columns: str) -> None:
    lines = finclaw("run", "--help", env={"COLUMNS": columns}).text.splitlines()
    words = [line for line in lines if "|" not in line]  # choices are one word
    assert max(map(len, words)) <= int(columns)


def test_without_a_key_the_file_of_settings_and_the_address_of_a_server_are_named(finclaw: Finclaw) -> None:
    ran = finclaw("run", "Hi")
    assert ran.code == 3
    assert str(finclaw.home / "config.toml") in ran.stderr
    assert "--base-url" in ran.stderr


@pytest.mark.parametrize("option", ["-f", "--schema"])
def test_a_file_that_is_missing_is_the_only_message(finclaw: Finclaw, option: str) -> None:
    ran = finclaw("run", "-m", finclaw.script({"text": "Hi."}), option, "missing.json", "Hi")
    assert ran.code == 2
    assert "missing.json" in ran.stderr
    assert "are scripted" not in ran.stderr


@pytest.mark.parametrize(
    ("words", "hints"),
    [
        (("amout=3",), ("unknown argument 'amout'", "Did you mean 'amount'?", "The arguments are: to, amount.")),
        (('{"zzz": 1}',), ("unknown argument 'zzz'", "The arguments are: to, amount.")),
        (("--to", "ZETA"), ("No such option: --to", "write to=ZETA")),
        (("--to=ZETA",), ("No such option: --to", "write to=ZETA")),
        (("--to",), ("write to=VALUE",)),
    ],
)
def test_arguments_that_a_tool_does_not_have_lead_to_those_it_has(
    finclaw: Finclaw, words: tuple[str, ...], hints: tuple[str, ...]
) -> None:
    ran = finclaw("tools", "call", "pay", *words)
    assert ran.code == 2
    assert "Extra inputs" not in ran.stderr
    for hint in hints:
        assert hint in ran.stderr


def test_a_broken_file_of_rules_leads_to_the_form_of_rules(finclaw: Finclaw) -> None:
    (finclaw.cwd / "bad.toml").write_text('[[rule]]\nscope = "tool"\npattern = "x"\nverdict = "maybe"\n')
    checked = finclaw("policy", "check", "bad.toml")
    assert checked.code == 2
    assert "rule 1: 'verdict'" in checked.stderr
    assert "docs/reference/policy.md" in checked.stderr
    assert "finclaw policy check" not in checked.stderr
    assert "finclaw policy check FILE" in finclaw("run", "--policy", "bad.toml", "Hi").stderr
