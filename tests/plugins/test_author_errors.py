"""What an author gets wrong is one clear error, in `tools check` and when the tool is called."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw, install_module

HEAD = "from finclaw_cli.sdk import Need, Reconciled, ToolContext, ToolDefinition, hookimpl, tool\n"
OFFER = "\n@hookimpl\ndef finclaw_tools():\n    return [pay]\n"
PAY = """
@tool(group="finance", transactional=True, {options}, examples=({{"amount": 1}},))
async def pay(amount: int) -> str:
    "Pay."
    return "paid"
"""
COMPANIONS = {
    "a preview without the parameter": ("async def show(): return ''", "preview=show",
        "its preview show (bad.py:2) cannot be called with the tool's parameters: got an unexpected keyword"),
    "a preview with a parameter too many": ("async def show(amount, other): return ''", "preview=show",
        "missing a required argument: 'other'"),
    "a preview that raises": ("async def show(amount):\n    raise ValueError('no')", "preview=show",
        'the preview of {"amount":1} raises ValueError: no (bad.py:3)'),
    "a preview that is empty": ("async def show(amount): pass", "preview=show",
        'the preview of {"amount":1} is empty'),
    "a preview that is no data": ("async def show(amount): return b'x'", "preview=show",
        "the result is builtins.bytes, which JSON cannot hold"),
    "a reconcile without the context": ("async def ask(key): ...", "reconcile=ask",
        "its reconcile ask (bad.py:2) has to take (key, ctx)"),
    "a reconcile that is not async": ("def ask(key, ctx): ...", "reconcile=ask", "has to be an async def"),
    "a reconcile that returns something else": ("async def ask(key, ctx) -> dict: ...", "reconcile=ask",
        "has to return Reconciled"),
}  # fmt: skip
RESULTS = {
    "NaN": ('{"prices": [1.0, float("nan")]}', "/prices/1 is nan; a number that does not exist is None"),
    "bytes": ('{"page": b"x"}', "/page is builtins.bytes, which JSON cannot hold"),
    "an object": ("object()", "the result is builtins.object, which JSON cannot hold"),
}
FAILING_HOOK = """
from finclaw_cli.sdk import hookimpl
def broken():
    return [][0]
@hookimpl
def finclaw_tools():
    return broken()
"""


@pytest.mark.parametrize(("function", "option", "expected"), COMPANIONS.values(), ids=COMPANIONS)
def test_a_preview_or_reconcile_that_cannot_work_is_an_error_of_the_check(
    finclaw: Finclaw, function: str, option: str, expected: str
):
    (finclaw.cwd / "bad.py").write_text(HEAD + function + PAY.format(options=option) + OFFER)
    ran = finclaw("tools", "check", "bad.py")
    assert ran.code == 1
    assert expected in ran.text


@pytest.mark.parametrize(("returned", "expected"), RESULTS.values(), ids=RESULTS)
def test_a_result_that_is_no_data_is_an_error_of_the_check(finclaw: Finclaw, returned: str, expected: str):
    (finclaw.cwd / "bad.py").write_text(HEAD + plain(f"return {returned}") + OFFER)
    ran = finclaw("tools", "check", "bad.py")
    assert ran.code == 1
    assert expected in ran.text


@pytest.mark.parametrize(("returned", "expected"), RESULTS.values(), ids=RESULTS)
def test_a_result_that_is_no_data_is_an_error_of_the_call(own: Finclaw, tmp_path: Path, returned: str, expected: str):
    ran = called(own, tmp_path, HEAD + plain(f"return {returned}") + OFFER)
    assert ran[0] == 1
    assert expected in ran[1]


def test_a_tool_whose_variable_is_missing_is_not_called(own: Finclaw, tmp_path: Path):
    need = 'needs=(Need(env="ACME_KEY", how="export ACME_KEY=…"),), '
    ran = called(own, tmp_path, HEAD + plain("raise SystemExit('it was called')", need) + OFFER)
    assert ran[0] == 1
    assert "NOT_CONFIGURED: pay needs the variable ACME_KEY: export ACME_KEY=…" in ran[1]
    assert "it was called" not in ran[1]


def test_a_hook_may_use_an_event_loop_of_its_own_in_a_call_as_in_the_check(own: Finclaw, tmp_path: Path):
    offer = "\nimport asyncio\nasync def made(): return [pay]\n@hookimpl\ndef finclaw_tools():\n    return asyncio.run(made())\n"
    source = HEAD + plain("return 'paid'") + offer
    (own.cwd / "good.py").write_text(source)
    assert own("tools", "check", "good.py").code == 0
    assert called(own, tmp_path, source)[0] == 0


def test_an_error_in_a_hook_names_the_authors_line(finclaw: Finclaw):
    (finclaw.cwd / "bad.py").write_text(FAILING_HOOK)
    assert "a hook raises IndexError: list index out of range (bad.py:4)" in finclaw("tools", "check", "bad.py").text


def test_an_error_in_a_hook_names_the_authors_line_in_a_listing(own: Finclaw, tmp_path: Path):
    folder = tmp_path / "plugins"
    folder.mkdir()
    install_module(folder, "acme-bad", FAILING_HOOK)
    ran = replace(own, plugins=folder)("tools", "list", env={"FINCLAW_PLUGINS": "acme-bad"})
    assert "plugin acme-bad: IndexError: list index out of range (acme_bad.py:4)" in ran.stderr


def test_a_file_in_the_place_of_a_tool_is_refused_with_what_to_do(own: Finclaw):
    (own.cwd / "hello.py").write_text(HEAD)
    ran = own("run", "-t", "./hello.py", "-m", own.script({"text": "ok"}), "x")
    assert ran.code == 2
    assert "pip install -e" in ran.stderr


def plain(body: str, options: str = "") -> str:
    return f"""
@tool(group="finance", read_only=True, {options}examples=({{}},))
async def pay():
    "Pay."
    {body}
"""


def called(own: Finclaw, tmp_path: Path, source: str) -> tuple[int, str]:
    """The exit code and the words of a call of `pay`."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    install_module(folder, "acme-pays", source)
    env = {"FINCLAW_PLUGINS": "acme-pays"}
    installed = replace(own, plugins=folder)
    assert installed("plugins", "trust", "acme-pays", env=env).code == 0
    ran = installed("tools", "call", "pay", env=env)
    return ran.code, ran.stderr
