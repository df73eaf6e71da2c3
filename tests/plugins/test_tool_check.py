"""`finclaw tools check` on files, packages and projects: a process of its own, one line a problem."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.e2e.harness import Finclaw
from tests.plugins.third_party import GOOD, write_project
from tests.processes import command_lines

BAD = """
from finclaw_cli.sdk import hookimpl, tool

@tool(transactional=True, read_only=True, idempotent=True)
def pay(amount: str) -> str:
    return amount

@tool(examples=({},))
async def stubborn() -> str:
    "Never ends."
    import asyncio
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            pass

@hookimpl
def finclaw_tools():
    return [pay, stubborn]
"""
WORSE = {
    "raises": ("x = 1\nraise ValueError('no')\n", "importing it raises ValueError: no (raises.py:2) [import]"),
    "exits": ("raise SystemExit(0)\n", "importing it raises SystemExit: 0 (exits.py:1) [import]"),
    "dies": ("import os\nos._exit(0)\n", "importing it: its process ended with code 0 [process_ended]"),
    "crashes": (
        "import os\nos.kill(os.getpid(), 11)\n",
        "importing it: its process was killed by signal 11 [process_ended]",
    ),
    "hangs": ("import time\ntime.sleep(600)\n", "importing it: not done within 3 s [hangs]"),
    "mistyped": ("x = = 1\n", "importing it raises SyntaxError"),
}


@pytest.mark.parametrize("name", WORSE)
def test_what_cannot_be_imported_is_one_problem(finclaw: Finclaw, name: str):
    source, expected = WORSE[name]
    (finclaw.cwd / f"{name}.py").write_text(source)
    ran = finclaw("tools", "check", f"{name}.py", env={"FINCLAW_PROBE_TIMEOUT": "3"} if name == "hangs" else {})
    assert (ran.code, ran.stderr) == (1, "")
    lines = ran.text.splitlines()
    assert lines[0].startswith(f"error    plugin: {expected}")
    assert lines[1:] == [f"{name}.py: 1 error, 0 warnings"]


@pytest.mark.parametrize("new_session", [False, True])
def test_a_leftover_process_of_the_plugin_is_ended_and_not_waited_for(finclaw: Finclaw, new_session: bool):
    seconds = f"600.{os.getpid()}"
    leave = f"import subprocess\nsubprocess.Popen(['sleep', '{seconds}'], start_new_session={new_session})\n"
    (finclaw.cwd / "forks.py").write_text(leave + GOOD)
    assert finclaw("tools", "check", "forks.py").code == 0
    assert not [line for line in command_lines() if seconds in line]


def test_what_hangs_names_the_step_and_keeps_what_was_found(finclaw: Finclaw):
    (finclaw.cwd / "bad.py").write_text(BAD)
    ran = finclaw("tools", "check", "bad.py", "--json", env={"FINCLAW_PROBE_TIMEOUT": "4"})
    assert ran.code == 1
    report = json.loads(ran.text)
    assert (report["target"], report["ok"]) == ("bad.py", False)
    found = [(problem["severity"], problem["subject"], problem["code"]) for problem in report["problems"]]
    assert found == [
        ("error", "tool pay", "undescribed"),
        ("error", "tool pay", "flags"),
        ("error", "plugin", "hangs"),
        ("warning", "tool pay", "parameter_undescribed"),
        ("warning", "tool pay", "unrecoverable"),
        ("note", "tool pay", "not_called"),
    ]
    assert "calling stubborn: not done within 4 s" in ran.text


def test_what_is_printed_while_it_is_imported_is_a_problem(finclaw: Finclaw):
    (finclaw.cwd / "prints.py").write_text("print('{\"done\": true}')\n" + GOOD)
    ran = finclaw("tools", "check", "prints.py")
    assert ran.code == 1
    assert "error    plugin: importing it prints on stdout" in ran.text


def test_a_package_and_a_project_are_found(finclaw: Finclaw):
    package = finclaw.cwd / "acme_package"
    package.mkdir()
    (package / "__init__.py").write_text(GOOD)
    project = write_project(finclaw.cwd, "acme-project", GOOD.replace("third_quote", "acme_quote"))
    for path, tool in ((package, "third_quote"), (project, "acme_quote")):
        ran = finclaw("tools", "check", str(path))
        assert ran.code == 0
        assert f"note     tool {tool}: not called: it has no examples [not_called]" in ran.text
        assert ran.text.endswith(": 0 errors, 0 warnings\n")


@pytest.mark.parametrize("target", ["nothing", "nothing.py", "folder", "bare"])
def test_what_is_no_plugin_is_a_usage_error(finclaw: Finclaw, target: str):
    (finclaw.cwd / "folder").mkdir()
    (finclaw.cwd / "bare").mkdir()
    (finclaw.cwd / "bare" / "pyproject.toml").write_text("[project]\nname = 'bare'\n")
    ran = finclaw("tools", "check", target)
    assert ran.code == 2
    assert ran.stdout == b""
    assert ran.stderr.startswith("finclaw: ")


def test_the_data_folder_of_the_user_is_not_touched(finclaw: Finclaw, tmp_path: Path):
    home = tmp_path / "home-of-the-user"
    source = GOOD.replace("read_only=True", "read_only=True, examples=({'symbol': 'A'},)").replace(
        "    return {", "    (finclaw_home() / 'mark').write_text('x')\n    return {"
    )
    (finclaw.cwd / "writes.py").write_text(source.replace("import hookimpl", "import finclaw_home, hookimpl"))
    ran = finclaw("tools", "check", "writes.py", env={"FINCLAW_HOME": str(home)})
    assert (ran.code, "not called" in ran.text) == (0, False)
    assert not (home / "mark").exists()
