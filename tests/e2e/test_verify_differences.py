"""What has changed since a session was recorded is named, with both sides."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.e2e.harness import Finclaw, Ran, call
from tests.e2e.test_verify import LOOK, rewritten, run, verified
from tests.e2e.trusted import Trusted

pytestmark = pytest.mark.by_agent


def difference(ran: Ran) -> dict[str, Any]:
    assert ran.code == 10, (ran.text, ran.stderr)
    found: dict[str, Any] = json.loads(ran.stdout)["difference"]
    return found


def test_a_result_that_changed_is_the_first_difference(own: Finclaw):
    run(own, *LOOK)
    rewritten(own, "tool.execute_end", output="{}")
    found = difference(verified(own, "-o", "json"))
    assert (found["type"], found["field"], found["now"]) == ("tool_outcome", "content", "{}")


def test_a_policy_that_changed_is_the_first_difference(own: Finclaw):
    run(own, *LOOK)
    (own.cwd / ".finclaw").mkdir()
    (own.cwd / ".finclaw" / "policy.toml").write_text(
        'version = 1\n[[rule]]\nscope = "tool"\npattern = "price"\nverdict = "deny"\n'
    )
    found = difference(verified(own, "-o", "json"))
    assert (found["type"], found["field"], found["recorded"], found["now"]) == (
        "tool.policy_verdict",
        "decision",
        "allow",
        "deny",
    )


def test_a_prompt_that_changed_is_the_first_difference(own: Finclaw):
    run(own, *LOOK)
    found = difference(verified(own, "-o", "json", FINCLAW_SYSTEM="Be kind."))
    assert (found["type"], found["field"]) == ("request", "system_sha256")


NOISY = """
import os, threading, time
from finclaw_cli.sdk import ToolDefinition, hookimpl

def make_noise():
    while os.path.exists("noise"):
        os.write(1, b"noise\\n")
        time.sleep(0.001)

threading.Thread(target=make_noise, daemon=True).start()

async def price(arguments, context):
    return "42.10"

@hookimpl
def finclaw_tools():
    return [ToolDefinition(name="price", description="A price.", input_schema={"type": "object"}, group="finance", read_only=True, handler=price)]
"""


def test_a_difference_is_alone_on_stdout_whatever_a_plugin_writes_there(own: Finclaw, trusted: Trusted):
    noisy = replace(trusted(own, "acme-noisy", NOISY), variables={"FINCLAW_PLUGINS": "acme-noisy"})
    assert run(noisy, *LOOK).result["tool_calls"] == {"completed": 1}
    rewritten(noisy, "agent.result", text="Another.")
    (own.cwd / "noise").touch()
    ran = verified(noisy, "-o", "json")
    assert (difference(ran)["field"], "noise" in ran.stderr) == ("text", True)


def test_a_prompt_of_the_run_itself_is_kept_whatever_the_settings_say(own: Finclaw):
    run(own, *LOOK, options=("--system", "Be brief."))
    assert verified(own, FINCLAW_SYSTEM="Be kind.").code == 0


def test_a_tool_that_is_gone_is_the_first_difference(own: Finclaw):
    run(own, *LOOK)
    found = difference(verified(own, "-o", "json", FINCLAW_PLUGINS="none"))
    assert found["type"] == "agent.start"
    assert found["field"].startswith("tools")


def test_a_difference_is_told_to_people_with_both_sides(own: Finclaw):
    run(own, *LOOK)
    rewritten(own, "tool.execute_end", output="{}")
    text = verified(own).text
    assert "tool_outcome.content" in text
    assert 'now:      "{}"' in text
    assert "recorded: " in text


def test_what_was_said_of_a_call_that_a_tool_would_not_say_now_is_shown_by_running_it(own: Finclaw):
    run(
        own,
        {"tool_calls": [call("where"), call("price", symbol="A")]},
        {"text": "x"},
        options=("-t", "where", "-t", "price", "--approve", "where"),
    )
    assert verified(own, "--live-tools").code == 0
    elsewhere = own.cwd / "elsewhere"
    elsewhere.mkdir()
    moved = Finclaw(own.home, own.plugins, elsewhere)
    assert difference(verified(moved, "--live-tools", "-o", "json"))["now"].endswith("elsewhere")
    shown = moved("replay", "--live-tools", "talk")
    assert shown.code == 0
    assert "where: result" in shown.text
    assert "2 calls, 1 difference" in shown.text
