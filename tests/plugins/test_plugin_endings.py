"""Whatever code of a plugin raises, cancels or blocks, a run ends with its result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, call, install_module
from tests.e2e.trusted import Trusted, module_source

ENV = {"FINCLAW_PLUGINS": "acme-blocks"}


@pytest.fixture
def blocking(own: Finclaw, trusted: Trusted) -> Finclaw:
    return trusted(own, "acme-blocks", module_source("plugins/blocking_plugin"))


def with_hook(own: Finclaw, plugins: Path, source: str) -> Finclaw:
    """The program with a trusted plugin of this source, once the variables of `HOOK` are set."""
    plugins.mkdir()
    install_module(plugins, "acme-hook", IMPORTS + source)
    finclaw = replace(own, plugins=plugins)
    assert finclaw("plugins", "trust", "acme-hook", env=HOOK).code == 0
    return finclaw


HOOK = {"FINCLAW_PLUGINS": "acme-hook"}
IMPORTS = "import asyncio, time\nfrom finclaw_cli.sdk import hookimpl, tool\n"
WORKS = """
@tool(group="finance", read_only=True)
async def works() -> str:
    "Work."
    return "done"
@hookimpl
def finclaw_tools():
    return [works]
"""
CANCEL = "[task.cancel() for task in asyncio.all_tasks()]"


def test_a_listener_that_raises_an_interrupt_harms_nothing(own: Finclaw, tmp_path: Path):
    source = "@hookimpl\ndef finclaw_event(run_id, event):\n    raise KeyboardInterrupt\n"
    finclaw = with_hook(own, tmp_path / "plugins", source)
    ran = finclaw("run", "-o", "ndjson", "-m", own.script({"text": "ok"}), "x", env=HOOK)
    assert (ran.code, ran.result["text"]) == (0, "ok")


@pytest.mark.parametrize("event", ["agent.start", "agent.turn_start", "agent.turn_complete", "agent.result"])
def test_a_run_whose_tasks_a_listener_cancels_ends_with_its_result(own: Finclaw, tmp_path: Path, event: str):
    source = f"@hookimpl\ndef finclaw_event(run_id, event):\n    if event.type == {event!r}:\n        {CANCEL}\n"
    finclaw = with_hook(own, tmp_path / "plugins", source)
    ran = finclaw("run", "-o", "ndjson", "-m", own.script({"text": "ok"}), "x", env=HOOK)
    assert (ran.code, "Traceback" in ran.stderr) == (ran.result["exit_code"], False)
    assert ran.code == 0 or ran.result["error"]["code"] == "cancelled"


def test_a_run_whose_tasks_a_tool_cancels_ends_with_its_result(blocking: Finclaw):
    script = blocking.script({"tool_calls": [call("cancels")]}, {"text": "on it goes"})
    ran = blocking("run", "-o", "ndjson", "-t", "cancels", "-m", script, "x", env=ENV)
    assert (ran.code, ran.result["exit_code"], ran.result["error"]["code"]) == (1, 1, "cancelled")


def test_a_run_whose_tasks_a_hook_after_a_tool_cancels_ends_with_its_result(own: Finclaw, tmp_path: Path):
    source = f"@hookimpl\ndef finclaw_after_tool_call(context, call, result):\n    {CANCEL}\n"
    finclaw = with_hook(own, tmp_path / "plugins", source + WORKS)
    script = own.script({"tool_calls": [call("works")]}, {"text": "on it goes"})
    ran = finclaw("run", "-o", "ndjson", "-t", "works", "-m", script, "x", env=HOOK)
    assert (ran.code, ran.result["exit_code"], ran.result["error"]["code"]) == (1, 1, "cancelled")


def test_an_async_hook_that_does_not_let_itself_be_cancelled_ends_with_the_timeout_of_the_run(
    own: Finclaw, tmp_path: Path
):
    source = """
@hookimpl
async def finclaw_before_tool_call(context, call):
    while True:
        try:
            await asyncio.sleep(600)
        except BaseException:
            pass
"""
    finclaw = with_hook(own, tmp_path / "plugins", source + WORKS)
    script = own.script({"tool_calls": [call("works")]}, {"text": "on it goes"})
    ran = finclaw("run", "-o", "ndjson", "--timeout", "2", "-t", "works", "-m", script, "x", env=HOOK)
    assert (ran.code, ran.result["status"]) == (124, "timeout")


def test_endless_input_of_a_call_by_hand_is_refused(blocking: Finclaw):
    ran = blocking("tools", "call", "stops", "-", env=ENV, stdin=b" " * 11_000_000)
    assert (ran.code, "stdin is larger than" in ran.stderr) == (2, True)


def test_a_call_by_hand_whose_tasks_the_tool_cancels_ends_with_one_error(blocking: Finclaw):
    ran = blocking("tools", "call", "cancels", env=ENV)
    assert (ran.code, "Traceback" in ran.stderr) == (1, False)


BASE_EXCEPTIONS = ["KeyboardInterrupt()", "SystemExit(5)", "GeneratorExit()", "asyncio.CancelledError()"]


@pytest.mark.parametrize("error", BASE_EXCEPTIONS)
def test_a_listener_that_raises_what_is_no_exception_harms_nothing(own: Finclaw, tmp_path: Path, error: str):
    finclaw = with_hook(own, tmp_path / "plugins", f"@hookimpl\ndef finclaw_event(run_id, event):\n    raise {error}\n")
    ran = finclaw("run", "-o", "ndjson", "-m", own.script({"text": "ok"}), "x", env=HOOK)
    assert (ran.code, ran.result["text"]) == (0, "ok")


@pytest.mark.parametrize("error", BASE_EXCEPTIONS)
def test_rules_that_raise_what_is_no_exception_end_the_run_with_one_error(own: Finclaw, tmp_path: Path, error: str):
    source = f"@hookimpl\ndef finclaw_policy_rules():\n    if time.monotonic():\n        raise {error}\n"
    finclaw = with_hook(own, tmp_path / "plugins", source)
    ran = finclaw("run", "-o", "ndjson", "-m", own.script({"text": "ok"}), "x", env=HOOK)
    assert (ran.code, ran.result["error"]["code"]) == (2, "plugin_failed")


@pytest.mark.parametrize("error", BASE_EXCEPTIONS)
def test_a_tool_that_raises_what_is_no_exception_fails_its_call_alone(own: Finclaw, tmp_path: Path, error: str):
    source = (
        "from finclaw_cli.sdk import tool\n@tool(group='finance', read_only=True)\nasync def raises() -> str:\n"
        f"    'Raise.'\n    raise {error}\n@hookimpl\ndef finclaw_tools():\n    return [raises]\n"
    )
    finclaw = with_hook(own, tmp_path / "plugins", source)
    script = own.script({"tool_calls": [call("raises")]}, {"text": "on it goes"})
    ran = finclaw("run", "-o", "ndjson", "-t", "raises", "-m", script, "x", env=HOOK)
    assert (ran.code, ran.result["text"]) == (0, "on it goes")


PROVIDER = """
from finclaw_cli.sdk import Done, ProviderSpec, TextDelta
class Acme:
    name = "acme"
    async def stream(self, request):
        yield TextDelta("half")
        {statement}
        yield Done(stop_reason="end_turn")
    async def aclose(self):
        pass
@hookimpl
def finclaw_providers():
    return [ProviderSpec(name="acme", create=lambda config: Acme())]
"""


@pytest.mark.parametrize("error", ["KeyboardInterrupt()", "SystemExit(5)"])
def test_a_provider_that_raises_what_is_no_exception_leaves_a_result(own: Finclaw, tmp_path: Path, error: str):
    finclaw = with_hook(own, tmp_path / "plugins", PROVIDER.format(statement=f"raise {error}"))
    ran = finclaw("run", "-o", "ndjson", "-m", "acme:x", "x", env=HOOK)
    assert (ran.code, ran.result["exit_code"], ran.result["status"]) == (4, 4, "error")


def test_a_provider_that_blocks_the_event_loop_ends_with_the_timeout_of_the_run(own: Finclaw, tmp_path: Path):
    finclaw = with_hook(own, tmp_path / "plugins", PROVIDER.format(statement="time.sleep(600)"))
    ran = finclaw("run", "-o", "ndjson", "--timeout", "1", "-m", "acme:x", "x", env=HOOK)
    assert (ran.code, ran.result["status"]) == (124, "timeout")


def test_a_tool_that_runs_again_for_a_replay_and_does_not_end_is_left(blocking: Finclaw):
    script = blocking.script({"tool_calls": [call("clings")]}, {"text": "{{clings}}"})
    assert blocking("run", "--session", "one", "-t", "clings", "-m", script, "x", env=ENV).code == 0
    ran = blocking("replay", "one", "--live-tools", env={**ENV, "ACME_CLINGS": "1"}, timeout=30)
    assert (ran.code, "1 call, 2 differences" in ran.text) == (0, True)


def test_an_async_tool_in_c_code_that_lets_other_threads_run_ends_with_the_process(blocking: Finclaw):
    script = blocking.script({"tool_calls": [call("derives")]}, {"text": "no"})
    ran = blocking("run", "-t", "derives", "-m", script, "--timeout", "1", "x", env=ENV)
    assert ran.code == 124
    assert "cannot be interrupted: the process ends" in ran.stderr


@pytest.mark.parametrize("name", ["slow_result", "slow_error"])
def test_a_result_that_blocks_while_it_is_read_counts_as_time_of_its_tool(blocking: Finclaw, name: str):
    ran = blocking("tools", "call", name, env=ENV)
    assert (ran.code, "timed out after 1 s" in ran.stderr) == (1, True)


def test_a_listener_that_lets_nothing_interrupt_it_leaves_the_exit_code_of_the_result(own: Finclaw, tmp_path: Path):
    source = """
@hookimpl
def finclaw_event(run_id, event):
    while event.type == "agent.result":
        try:
            time.sleep(600)
        except BaseException:
            pass
"""
    finclaw = with_hook(own, tmp_path / "plugins", source)
    ran = finclaw("run", "-o", "ndjson", "--timeout", "2", "-m", own.script({"text": "ok"}), "x", env=HOOK)
    assert (ran.code, ran.result["exit_code"]) == (0, 0)


def test_a_command_of_a_plugin_that_fails_names_the_plugin(own: Finclaw, tmp_path: Path):
    source = '''
@hookimpl
def finclaw_commands(app):
    @app.command("fails")
    def fails() -> None:
        """Fail."""
        raise ValueError("A" * 1_000_000)
'''
    finclaw = with_hook(own, tmp_path / "plugins", source)
    ran = finclaw("fails", env=HOOK)
    assert ran.code == 1
    assert "a command of the plugin acme-hook failed: ValueError: AAA" in ran.stderr
    assert "bug in finclaw" not in ran.stderr
    assert len(ran.stderr) < 10_000
