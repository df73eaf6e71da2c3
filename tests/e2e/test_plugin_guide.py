"""Every file and every command of the authors' guide, in the order in which they stand there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from finclaw_cli.plugin_host.hookspecs import CONTRACT, HOOK_NAMES
from tests.e2e.fresh import Environment, make_environment

GUIDE = Path(__file__).parents[2] / "plugins" / "README.md"
BLOCK = re.compile(r"^```(\w*) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    language: str
    file: str
    text: str


@dataclass(frozen=True)
class Step:
    """A command, and what it is said to print; `…` stands for anything."""

    command: str
    expected: str

    def assert_printed(self, output: str) -> None:
        if self.expected:
            pattern = re.escape(self.expected.strip()).replace("…", ".*").replace(r"\ .*\ ", r"\s.*\s")
            assert re.fullmatch(pattern, output.strip(), re.DOTALL), f"{self.command}\n{output}"


def blocks() -> list[Block]:
    return [Block(*found.groups()) for found in BLOCK.finditer(GUIDE.read_text("utf-8"))]


def steps(text: str) -> list[Step]:
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [Step(command, expected) for command, _, expected in (part.partition("\n") for part in parts)]


def test_every_block_is_a_file_or_commands():
    found = blocks()
    assert len(found) == GUIDE.read_text("utf-8").count("```") / 2
    for block in found:
        assert block.file or (block.language == "console" and steps(block.text)), block


def test_a_complete_plugin_has_less_than_25_lines():
    files = [block for block in blocks() if block.file in {"pyproject.toml", "finclaw_hello.py"}]
    lines = [line for block in files for line in block.text.splitlines() if line.strip()]
    assert len(files) == 2
    assert len(lines) < 25


def test_four_commands_lead_to_the_first_listing():
    commands = [step.command for block in blocks() if not block.file for step in steps(block.text)]
    assert commands.index("finclaw tools list") == 3


def test_the_table_has_every_hook():
    guide = GUIDE.read_text("utf-8")
    assert re.findall(r"^\| `(finclaw_\w+)\(", guide, re.MULTILINE) == list(HOOK_NAMES)
    assert f"FINCLAW_CONTRACT = {CONTRACT}" in guide


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return make_environment(tmp_path_factory.mktemp("guide"))


def test_the_guide_works_as_it_stands(environment: Environment, tmp_path: Path):
    cwd = tmp_path
    for block in blocks():
        if block.file:
            path = Path(block.file.replace("$FINCLAW_HOME", str(environment.home)))
            (cwd / path).write_text(block.text, encoding="utf-8")
            continue
        for step in steps(block.text):
            ran = environment.shell(f"{step.command} && pwd >&2", cwd)
            assert ran.returncode == 0, f"{step.command}\n{ran.stdout}\n{ran.stderr}"
            step.assert_printed(ran.stdout)
            cwd = Path(ran.stderr.splitlines()[-1])
