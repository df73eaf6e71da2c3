"""Nothing that blocks the event loop outlives its time limit, or a second signal."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from finclaw_cli.core.events.parts import ENDED
from tests.e2e.harness import PATIENCE_S, Finclaw, call, install_module
from tests.e2e.last_resort import soon
from tests.e2e.trusted import Trusted, module_source

ENV = {"FINCLAW_PLUGINS": "acme-blocks"}


@pytest.fixture
def blocking(own: Finclaw, trusted: Trusted) -> Finclaw:
    return trusted(own, "acme-blocks", module_source("plugins/blocking_plugin"))


@pytest.mark.parametrize("name", ["sleeps", "matches", "stubborn"])
def test_an_async_tool_that_blocks_is_interrupted_after_its_own_timeout(blocking: Finclaw, name: str):
    script = blocking.script({"tool_calls": [call(name)]}, {"text": "on it goes"})
    ran = blocking("run", "-o", "ndjson", "-t", name, "-m", script, "--timeout", "60", "x", env=ENV)
    assert (ran.code, ran.result["text"]) == (0, "on it goes")
    (end,) = (line for line in ran.of("agent.tool_call") if line["status"] in ENDED)
    assert end["status"] in {"timeout", "failed"}


def test_an_async_tool_that_blocks_is_interrupted_after_the_timeout_of_the_run(blocking: Finclaw):
    (blocking.home / "config.toml").write_text("[tool.timeouts]\nsleeps = 600\n")
    script = blocking.script({"tool_calls": [call("sleeps")]}, {"text": "no"})
    ran = blocking("run", "-o", "ndjson", "-t", "sleeps", "-m", script, "--timeout", "1", "x", env=ENV)
    assert (ran.code, ran.result["status"]) == (124, "timeout")


def test_a_tool_that_lets_nothing_interrupt_it_ends_with_the_process(blocking: Finclaw):
    script = blocking.script({"tool_calls": [call("immortal")]}, {"text": "no"})
    ran = blocking("run", "-t", "immortal", "-m", script, "--timeout", "1", "x", env=ENV)
    assert ran.code == 124
    assert "cannot be interrupted: the process ends" in ran.stderr


@pytest.mark.parametrize("name", ["stops_the_clock", "drops_timers"])
def test_a_run_whose_timeout_never_expires_ends_with_the_process(blocking: Finclaw, name: str):
    script = blocking.script({"tool_calls": [call(name)]}, {"text": "no"})
    ran = blocking("run", "-t", name, "-m", script, "--timeout", "1", "x", env=ENV)
    assert ran.code == 124
    assert "the process ends" in ran.stderr


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("sleeps", signal.SIGTERM),
        ("matches", signal.SIGINT),
        ("immortal", signal.SIGINT),
        ("holds", signal.SIGTERM),
        ("ignores", signal.SIGINT),
        ("ignores", signal.SIGTERM),
    ],
)
def test_two_signals_end_the_process_whatever_a_tool_does(blocking: Finclaw, name: str, number: signal.Signals):
    (blocking.home / "config.toml").write_text(f"[tool.timeouts]\n{name} = 600\n")
    script = blocking.script({"tool_calls": [call(name)]}, {"text": "no"})
    process = blocking.start("run", "-o", "ndjson", "--events", "all", "-t", name, "-m", script, "x", env=ENV,
                             stdout=subprocess.PIPE)  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line)["type"] == "agent.tool_call" and json.loads(line)["status"] == "running":
            break
    deadline = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < deadline:
        process.send_signal(number)
        time.sleep(0.5)
    assert process.returncode in {-number, 128 + number}


def test_the_time_of_one_tool_does_not_interrupt_another_that_blocks_beside_it(blocking: Finclaw):
    (blocking.home / "config.toml").write_text("[tool.timeouts]\nnaps = 60\n")
    script = blocking.script({"tool_calls": [call("waits"), call("naps")]}, {"text": "{{naps}}"})
    ran = blocking("run", "-o", "ndjson", "-t", "waits", "-t", "naps", "-m", script, "x", env=ENV)
    ends = {line["name"]: line["status"] for line in ran.of("agent.tool_call")}
    assert ran.code == 0, ran.stderr
    assert ends == {"waits": "timeout", "naps": "completed"}


def test_a_tool_called_by_hand_that_blocks_is_interrupted(blocking: Finclaw):
    ran = blocking("tools", "call", "spins", env=ENV)
    assert ran.code == 1
    assert 'Tool "spins" timed out after 1 s' in ran.stderr


def test_a_tool_that_stops_the_event_loop_harms_nothing(blocking: Finclaw):
    script = blocking.script({"tool_calls": [call("stops")]}, {"text": "{{stops}}"})
    ran = blocking("run", "-o", "ndjson", "-t", "stops", "-m", script, "x", env=ENV)
    assert (ran.code, ran.result["text"]) == (0, "stopped")


@pytest.mark.parametrize("name", ["immortal", "matches_beside"])
def test_a_tool_called_by_hand_that_nothing_interrupts_ends_with_the_process(blocking: Finclaw, name: str):
    assert replace(blocking, before=soon)("tools", "call", name, env=ENV).code in {1, 124}


HOOKS = {
    "rules that swallow everything": """
@hookimpl
def finclaw_policy_rules():
    import time
    while True:
        try:
            time.sleep(100)
        except BaseException:
            pass
""",
    "a section that holds the interpreter": """
@hookimpl
def finclaw_prompt_sections(context):
    return [sum(range(10**15))]
""",
}


@pytest.mark.parametrize("source", HOOKS.values(), ids=HOOKS)
def test_a_hook_that_blocks_while_a_run_is_prepared_ends_with_the_process(own: Finclaw, tmp_path: Path, source: str):
    (tmp_path / "plugins").mkdir()
    install_module(tmp_path / "plugins", "acme-hook", f"from finclaw_cli.sdk import hookimpl\n{source}")
    finclaw, env = replace(own, plugins=tmp_path / "plugins", before=soon), {"FINCLAW_PLUGINS": "acme-hook"}
    assert finclaw("plugins", "trust", "acme-hook", env=env).code == 0
    assert finclaw("run", "--timeout", "1", "-m", own.script({"text": "ok"}), "x", env=env).code in {1, 124}


def bomb(levels: int) -> str:
    """A schema of few characters whose references lead to 2 ** levels subschemas."""
    definitions: dict[str, object] = {f"a{n}": {"anyOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(levels)}
    definitions[f"a{levels}"] = {"type": "string"}
    root = {"type": "object", "properties": {"x": {"$ref": "#/$defs/a0"}}, "$defs": definitions}
    return json.dumps(root)


def test_a_schema_that_takes_too_long_does_not_hold_up_the_timeout(own: Finclaw):
    script = own.script({"text": '{"x": 1}'})
    ran = own("run", "-o", "ndjson", "--schema", bomb(40), "--timeout", "1", "-m", script, "x")
    assert (ran.code, ran.result["status"]) == (124, "timeout")


@pytest.mark.parametrize(
    ("items", "answer"),
    [
        ({"allOf": [{"minLength": 1}] * 9_000}, ["a"] * 100_000),
        ({"allOf": [{"multipleOf": 1e-300}] * 9_000}, list(range(1_000))),
        ({"enum": [f"x{number}" for number in range(20_000)]}, ["y"] * 20_000),
        ({"pattern": "(a|aa)*(?=c)b$"}, ["a" * 60] * 2_000),
    ],
    ids=["items", "numbers", "enum", "pattern"],
)
def test_a_value_that_takes_long_to_be_checked_does_not_hold_up_the_timeout(
    own: Finclaw, items: object, answer: object
):
    (own.cwd / "schema.json").write_text(json.dumps({"items": items}))
    script = own.script({"text": json.dumps(answer)})
    ran = own("run", "-o", "ndjson", "--schema", "schema.json", "--timeout", "1", "-m", script, "x")
    assert ran.lines[-1]["type"] == "agent.result"
    assert ran.code in {12, 124}


def test_a_timer_that_the_parent_has_blocked_ends_the_wait_for_a_prompt(own: Finclaw):
    def block() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())

    model = own.script({"text": "ok"})
    run = own.start_cold("run", "--timeout", "1", "-m", model, stdin=subprocess.PIPE, preexec_fn=block)
    assert run.wait(PATIENCE_S) == 124


def test_a_new_plugin_whose_import_blocks_leaves_a_run_time_to_answer(own: Finclaw, tmp_path: Path):
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    install_module(plugins, "acme-slow", "import time\ntime.sleep(1000)\n")
    installed = replace(own, plugins=plugins)
    model = own.script({"text": "ok"})
    ran = installed("run", "--timeout", "4", "-m", model, "x", env={"FINCLAW_PLUGINS": "acme-slow"})
    assert (ran.code, ran.text) == (0, "ok\n"), ran.stderr
    assert "it was not imported within 2 s" in ran.stderr


def test_a_schema_that_refers_to_itself_is_checked(own: Finclaw):
    tree = json.dumps({
        "type": "object", "additionalProperties": False, "required": ["value"],
        "properties": {"value": {"type": "number"}, "left": {"$ref": "#"}, "right": {"$ref": "#"}},
    })  # fmt: skip
    good, bad = '{"value": 1, "left": {"value": 2}}', '{"value": 1, "left": {}}'
    assert own("run", "--schema", tree, "-m", own.script({"text": good}), "x").code == 0
    ran = own("run", "-o", "ndjson", "--schema", tree, "-m", own.script({"text": bad}, {"text": bad}), "x")
    assert ran.code == 12
    assert "/left" in ran.result["error"]["message"]
