"""`--approve` that approves nothing: said once, and no reason to fail."""

from __future__ import annotations

import pytest

from tests.e2e.harness import Finclaw

PLAIN = ("-t", "pay", "-t", "where", "-t", "price")


def warnings(finclaw: Finclaw, *arguments: str) -> list[str]:
    ran = finclaw("run", "-o", "ndjson", *PLAIN, *arguments, "-m", finclaw.script({"text": "ok"}), "x")
    assert ran.code == 0
    assert ran.stderr.count("--approve") == len(ran.of("agent.warning"))
    return [line["message"] for line in ran.of("agent.warning")]


@pytest.mark.parametrize("pattern", ["pay", "finclaw-kit.pay", "finclaw_kit__where", "wh*", "*", "finance:*"])
def test_what_approves_a_tool_is_not_mentioned(finclaw: Finclaw, pattern: str):
    assert warnings(finclaw, "--approve", pattern) == []


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("sleepy", ""),
        ("xyzzy*", ""),
        ("PRICE", "; did you mean price?"),
        ("prise", "; did you mean price?"),
        ("custom:price", "; did you mean price?"),
        ("pa?", "; did you mean pay? What moves money has to be named."),
        ("PAY", "; did you mean pay? What moves money has to be named."),
    ],
)
def test_what_approves_none_is_warned_of(finclaw: Finclaw, pattern: str, hint: str):
    assert warnings(finclaw, "--approve", pattern) == [f"--approve {pattern!r} approves no tool of this run{hint}"]


def test_several_are_one_warning(finclaw: Finclaw):
    (warning,) = warnings(finclaw, "--approve", "one", "--approve", "where", "--approve", "two")
    assert warning == "--approve 'one', 'two' approves no tool of this run"


def test_what_the_settings_approve_may_be_for_other_runs(finclaw: Finclaw):
    ran = finclaw("run", "-m", finclaw.script({"text": "ok"}), "x", env={"FINCLAW_APPROVE": "xyzzy"})
    assert (ran.code, ran.stderr.count("xyzzy")) == (0, 0)
