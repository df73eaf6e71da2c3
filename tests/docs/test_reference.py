"""The reference has every public name, and each page that is made from code is as the code makes it."""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path

import pytest

import finclaw_cli.agent
import finclaw_cli.errors
import finclaw_cli.events
import finclaw_cli.sdk
from finclaw_cli import Agent
from finclaw_cli.cli.app import COMMANDS
from finclaw_cli.core.events.lines import event_classes
from tests.docs.pages import ROOT

REFERENCE = ROOT / "docs" / "reference"
MANUAL = ROOT / "docs" / "man"


def headings(page: str) -> set[str]:
    return set(re.findall(r"^#+ (.*)$", (REFERENCE / page).read_text("utf-8"), re.MULTILINE))


def text_under(page: str, heading: str) -> str:
    text = (REFERENCE / page).read_text("utf-8")
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1].strip()


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("sdk.md", finclaw_cli.sdk.__all__),
        ("agent.md", finclaw_cli.agent.__all__),
        ("agent.md", finclaw_cli.errors.__all__),
        ("agent.md", finclaw_cli.events.__all__),
        ("events.md", list(event_classes())),
        ("commands.md", [f"finclaw {name}" for name in COMMANDS]),
    ],
    ids=["sdk", "agent", "errors", "events-classes", "events", "commands"],
)
def test_each_public_name_is_described(page: str, names: list[str]):
    assert set(names) - headings(page) == set()
    assert [name for name in names if not text_under(page, name)] == []


@pytest.mark.parametrize("owner", [Agent, finclaw_cli.agent.Conversation, finclaw_cli.agent.RunResult])
def test_each_public_method_is_described(owner: type):
    methods = {
        name
        for name, member in vars(owner).items()
        if inspect.isfunction(member) or isinstance(member, property | staticmethod)
    }
    shown = {heading.removesuffix("()") for heading in headings("agent.md")}
    public = {f"{owner.__name__}.{name}" for name in methods if not name.startswith("_")}
    assert public
    assert public - shown == set()


def test_each_module_of_the_sdk_is_described():
    folder = Path(finclaw_cli.sdk.__file__).parent
    modules = {path.stem for path in folder.iterdir() if not path.name.startswith("_")}
    assert {f"`finclaw_cli.sdk.{module}`" for module in modules} - headings("sdk.md") == set()


@pytest.mark.parametrize("name", ["finclaw", *(f"finclaw-{command}" for command in COMMANDS)])
def test_a_command_has_a_manual_page(name: str):
    lines = (MANUAL / f"{name}.1").read_text("utf-8").splitlines()
    assert lines[0].startswith(f'.TH "{name.upper()}" "1"')
    assert {".SH NAME", ".SH SYNOPSIS", ".SH SEE ALSO"} <= set(lines)


def test_no_manual_page_is_left_over():
    assert {path.stem for path in MANUAL.iterdir()} == {"finclaw", *(f"finclaw-{command}" for command in COMMANDS)}


def test_the_manual_pages_are_installed_where_man_looks_for_them():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    targets = project["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["shared-data"] == {"docs/man": "share/man/man1"}
    assert "docs/man" in targets["sdist"]["include"]
