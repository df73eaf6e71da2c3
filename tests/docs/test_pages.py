"""Every block of README and the documents is a file, commands that are run here, output, or marked as needing a key.

A page is read from its beginning, in an empty folder and with an empty data folder: blocks with a title are written as
files, and the commands of `console` blocks are run in one shell, which must succeed and print what the page shows.
"""

from __future__ import annotations

import json
import re
import shlex
import signal
import socket
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from os import killpg
from pathlib import Path

import pytest
import yaml

from tests.docs.pages import ROOT, Block, blocks_of, name_of, pages
from tests.e2e.dialects import Chat
from tests.e2e.fresh import Environment, make_environment
from tests.wire.server import threaded

PAGES = pages()
FILES = {"python", "toml", "json", "csv", "yaml", "sh", "text", "markdown", "lua"}
RUN_BY_CI = {"README.md": 2, "CONTRIBUTING.md": 1}
"""How many `bash` blocks a page has: `.ci/run` reads them from there and runs them."""
COMMAND = re.compile(r"^\s*(?:\$ |finclaw |pip |python3? |\.venv/bin/)", re.MULTILINE)
LOCAL_MODEL = "http://localhost:11434"
OWN_PORT = "8765"
"""The port of servers that pages start themselves."""
END = "--- end of step"


def is_accounted_for(block: Block) -> bool:
    if block.needs_a_key:
        return block.language in {"console", "python"}
    if block.mark is not None:
        return False
    if block.title is not None:
        return block.language in FILES
    if block.language == "console":
        return bool(block.steps)
    return block.language in {"bash", "mermaid"} or (block.language == "text" and not COMMAND.search(block.text))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_is_run_or_needs_a_key(page: Path):
    blocks = blocks_of(page)
    assert [block.text for block in blocks if not is_accounted_for(block)] == []
    assert page.read_text("utf-8").count("```") == 2 * len(blocks), "a fence that is indented, or has another form"
    assert sum(block.language == "bash" for block in blocks) == RUN_BY_CI.get(name_of(page), 0)


@pytest.mark.parametrize(
    "text",
    [
        "```python\nprint(1)\n```\n",
        "```sh\nfinclaw run x\n```\n",
        "```text\nfinclaw run x\n```\n",
        "```console\nfinclaw run x\n```\n",
        "<!-- not today -->\n```console\n$ finclaw run x\n```\n",
        "<!-- needs a key -->\n```text\nfinclaw run x\n```\n",
    ],
)
def test_a_block_that_is_neither_run_nor_needs_a_key_is_found(text: str, tmp_path: Path):
    (tmp_path / "page.md").write_text(text)
    (block,) = blocks_of(tmp_path / "page.md")
    assert not is_accounted_for(block)


READERS: dict[str, Callable[[str], object]] = {"toml": tomllib.loads, "json": json.loads, "yaml": yaml.safe_load}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_each_file_of_data_can_be_read(page: Path):
    for block in blocks_of(page):
        READERS.get(block.language, str)(block.text)


def is_run(page: Path) -> bool:
    return any(block.title or block.language == "console" for block in blocks_of(page) if not block.needs_a_key)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return make_environment(tmp_path_factory.mktemp("pages"))


@contextmanager
def stand_ins(page: Path) -> Iterator[dict[str, str]]:
    """What the page's text is changed to for this machine: the address of a local model, and a port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = {OWN_PORT: str(probe.getsockname()[1])}
    if LOCAL_MODEL not in page.read_text("utf-8"):
        yield port
        return
    with threaded(Chat().text("The local model answers.")) as server:
        yield {LOCAL_MODEL: server.url, **port}


def script_of(blocks: list[Block], folder: Path) -> str:
    """The page as one script, which ends with the first command that fails."""
    lines = []
    commands = "\n".join(step.command for block in blocks for step in block.steps)
    for number, block in enumerate(blocks):
        if block.title is not None:
            (folder / str(number)).write_text(block.text, "utf-8")
            path = block.title.replace("~/", "$HOME/")
            lines += [f'mkdir -p "$(dirname "{path}")" && cp "{folder}/{number}" "{path}"']
            if block.language == "python" and Path(path).stem not in commands:
                lines += [f"( python -W error -c 'import {Path(path).stem}' > /dev/null ) || exit 1"]
        elif block.language == "console":
            for step in block.steps:
                lines += [f"{{ {step.command}\n}} || exit 1", f"echo; echo '{END}'"]
    return "\n".join(lines) + "\n"


def as_a_reader(environment: Environment, home: Path) -> dict[str, str]:
    """The variables of a user with an empty home folder: settings and data are at their usual places in it."""
    variables = environment.variables({"HOME": str(home), "PYTEST_DEBUG_TEMPROOT": str(home.parent)})
    del variables["FINCLAW_HOME"]
    return variables


@pytest.mark.parametrize("page", [page for page in PAGES if is_run(page)], ids=name_of)
def test_a_page_works_as_it_stands(page: Path, environment: Environment, tmp_path: Path):
    folder, parts, home = tmp_path / "page", tmp_path / "parts", tmp_path / "home"
    for each in (folder, parts, home):
        each.mkdir()
    blocks = [block for block in blocks_of(page) if not block.needs_a_key]
    with stand_ins(page) as changed, (tmp_path / "out").open("w+") as out, (tmp_path / "err").open("w+") as err:
        script = script_of(blocks, parts)
        for path in [*parts.iterdir()]:
            path.write_text(replaced(path.read_text("utf-8"), changed), "utf-8")
        (tmp_path / "script").write_text(replaced(script, changed), "utf-8")
        shell = subprocess.Popen(
            ["bash", str(tmp_path / "script")],
            cwd=folder,
            env=as_a_reader(environment, home),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        code = shell.wait()
        with suppress(ProcessLookupError):
            killpg(shell.pid, signal.SIGKILL)
        out.seek(0)
        err.seek(0)
        printed, errors = out.read().split(f"\n{END}\n"), err.read()
    steps = [step for block in blocks if block.title is None for step in block.steps]
    for step, output in zip(steps, printed, strict=False):
        assert step.is_printed(replaced_back(output, changed)), f"$ {step.command}\n{output}\n{errors[-2000:]}"
    assert code == 0, f"$ {[*steps, steps[-1]][len(printed) - 1].command if steps else page}\n{errors[-2000:]}"


def replaced(text: str, changed: dict[str, str]) -> str:
    for written, actual in changed.items():
        text = text.replace(written, actual)
    return text


def replaced_back(text: str, changed: dict[str, str]) -> str:
    return replaced(text, {actual: written for written, actual in changed.items()})


def commands_that_are_not_run() -> list[str]:
    """Each `finclaw …` of a block that needs a key."""
    steps = [step for page in PAGES for block in blocks_of(page) if block.needs_a_key for step in block.steps]
    found = (re.search(r"\bfinclaw [a-z][^|<>;&]*", step.command.replace("\\\n", " ")) for step in steps)
    return sorted({match[0].strip() for match in found if match is not None})


@pytest.mark.parametrize("command", commands_that_are_not_run())
def test_a_command_that_needs_a_key_has_options_that_exist(command: str):
    _, name, *words = shlex.split(command)
    reference = (ROOT / "docs" / "reference" / "commands.md").read_text("utf-8")
    section = reference.partition(f"## finclaw {name}\n")[2].partition("\n## ")[0]
    options = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
    assert section
    assert [option for option in options if not re.search(rf"(?<![\w-]){option}(?![\w-])", section)] == []
