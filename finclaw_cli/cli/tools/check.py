"""`finclaw tools check`: the check of a plugin against the contract."""

from __future__ import annotations

from dataclasses import asdict

import typer

from finclaw_cli.cli.listing import print_json
from finclaw_cli.core import exits
from finclaw_cli.core.clean import clean_line
from finclaw_cli.output.console import echo
from finclaw_cli.plugin_host.checking import check_apart, find_targets
from finclaw_cli.plugin_host.conformance.problem import Problem
from finclaw_cli.settings.load import load_settings


def check_plugin(target: str, *, as_json: bool) -> None:
    """Check the plugins of a target and print the problems, the worst first; exit code 1 on any error."""
    limit_s = load_settings().settings.probe_timeout
    found = [problem for meant in find_targets(target) for problem in check_apart(meant, limit_s)]
    found.sort(key=lambda problem: ("error", "warning", "note").index(problem.severity))
    errors = sum(problem.severity == "error" for problem in found)
    if as_json:
        print_json({"target": target, "ok": not errors, "problems": [asdict(problem) for problem in found]})
    else:
        _print(target, found, errors)
    if errors:
        raise typer.Exit(exits.UNEXPECTED)


def _print(target: str, found: list[Problem], errors: int) -> None:
    for problem in found:
        echo(clean_line(f"{problem.severity:<8} {problem.subject}: {problem.message} [{problem.code}]"))
    warnings = sum(problem.severity == "warning" for problem in found)
    echo(f"{target}: {_counted(errors, 'error')}, {_counted(warnings, 'warning')}")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
