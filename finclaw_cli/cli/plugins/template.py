"""`finclaw plugins new`: the project of a plugin with one tool, its test, and a README."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

from finclaw_cli import __version__
from finclaw_cli.core.errors import UsageError
from finclaw_cli.output.console import echo

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
MOST_CHARS = 60
TOOL = "future_value"
MOST_TOOL_CHARS = 64
PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "$dist"
version = "0.1.0"
description = "Tools for finclaw."
requires-python = ">=3.11"
dependencies = ["finclaw-cli>=$version"]
entry-points.finclaw.$module = "$module"

[project.optional-dependencies]
test = ["pytest>=8"]

[tool.hatch.build.targets.wheel]
include = ["$module.py"]
"""
MODULE = '''\
"""Tools of $dist."""

from decimal import Decimal

from finclaw_cli.sdk import FinanceResult, Method, hookimpl, tool


@tool(group="finance", read_only=True, examples=({"amount": "1200", "rate": "0.035", "years": 10},))
def $tool(amount: Decimal, rate: Decimal, years: int) -> FinanceResult:
    """Compute what an amount grows to at a fixed yearly rate.

    Args:
        amount: the amount today.
        rate: the yearly rate as a fraction, 0.035 for 3.5 %.
        years: whole years.
    """
    value = round(amount * (1 + rate) ** years, 2)
    method = Method(name="compound interest", convention="compounded once a year")
    return FinanceResult(data={"future_value": value}, method=method)


@hookimpl
def finclaw_tools():
    """The tools of this plugin."""
    return [$tool]
'''
TEST = '''\
"""Calls as a run makes them: parsed, validated, with a timeout."""

from finclaw_cli.testing.contract import check_plugin
from finclaw_cli.testing.tools import run_tool

import $module


def test_the_plugin_keeps_the_contract():
    assert not check_plugin($module)


def test_an_amount_grows():
    result = run_tool($module.$tool, {"amount": "1200", "rate": "0.035", "years": 10})
    assert "1692.72" in result.content


def test_years_are_whole():
    assert run_tool($module.$tool, {"amount": "1", "rate": "0", "years": 1.5}).is_error
'''
README = """\
# $dist

Tools for finclaw.

    pip install -e ".[test]"
    pytest
    finclaw tools check $dist
    finclaw plugins trust $dist
    finclaw tools call $tool amount=1200 rate=0.035 years=10
"""
NEXT = """Made {folder}. Next:
  cd {folder}
  pip install -e ".[test]" && pytest
  finclaw tools check {dist}
  finclaw plugins trust {dist}
  finclaw tools call {tool} amount=1200 rate=0.035 years=10"""


def make_plugin(dist: str, folder: Path) -> None:
    """Write the project into a new folder.

    Raises:
        UsageError: the name is none for a distribution, or the folder cannot be made.
    """
    module = dist.replace("-", "_")
    if not _NAME.fullmatch(dist) or len(dist) > MOST_CHARS or keyword.iskeyword(module):
        raise UsageError(
            f"{dist[:80]!r} is no name for a plugin",
            hint="Use small letters, digits and single hyphens, such as finclaw-acme.",
        )
    target = folder / dist
    tool = tool_name(module)
    values = {"dist": dist, "module": module, "tool": tool, "version": __version__}
    files = {"pyproject.toml": PROJECT, f"{module}.py": MODULE, "README.md": README, f"tests/test_{module}.py": TEST}
    try:
        target.mkdir()
        (target / "tests").mkdir()
        for name, text in files.items():
            (target / name).write_text(Template(text).substitute(values), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{target}: {error.strerror}", hint="Name another folder with --folder.") from error
    echo(NEXT.format(folder=target, dist=dist, tool=tool))


def tool_name(module: str) -> str:
    """The name of the project's tool: that of the project is in it, so that two projects do not clash."""
    short = module.removeprefix("finclaw_")
    stem = short if short[0].isalpha() else module
    return f"{stem[: MOST_TOOL_CHARS - len(TOOL) - 1].rstrip('_')}_{TOOL}"
