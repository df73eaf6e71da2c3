"""The output of `finclaw policy`."""

from __future__ import annotations

from pathlib import Path

from finclaw_cli.app.inventory import Inventory
from finclaw_cli.app.plan import channel as this_channel
from finclaw_cli.app.plan import user_name
from finclaw_cli.cli.installed import installed
from finclaw_cli.cli.listing import print_json
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.ports import Opinion, Verdict
from finclaw_cli.listings.policy import explanation
from finclaw_cli.output.console import echo, echo_prose, echo_table
from finclaw_cli.output.notice import warn
from finclaw_cli.policy.parse import parse_rules
from finclaw_cli.policy.rules import FORM, PolicyRule
from finclaw_cli.policy.stages import names_of
from finclaw_cli.settings.load import read_file
from finclaw_cli.settings.policy_files import policy_path

SHOWN_TOOLS = 5


def explain_tool(name: str, *, channel: str | None, user: str | None, policy: list[str] | None, as_json: bool) -> None:
    """Print the decision of every stage on one tool, and the result.

    Raises:
        UsageError: there is no such tool or channel, or a policy file is broken.
    """
    explained = explanation(name, channel=channel or this_channel(), user=user or user_name(), policy=policy)
    for warning in explained.warnings:
        warn(warning)
    if as_json:
        print_json(explained.facts())
        return
    spec, verdict = explained.spec, explained.verdict
    where = f"{explained.user} on {explained.channel}"
    echo_prose(f"{spec.name} ({spec.source}, group {spec.counted_group}), {where}\n")
    echo_table(
        ("", "STAGE", "DECISION", "WHY"),
        [_row(number, o, verdict) for number, o in enumerate(verdict.trail, 1)],
        drop=("",),
    )
    echo_prose(f"\n{verdict.decision}, by {verdict.stage}: {verdict.reason}")


def check_file(name: str, *, as_json: bool) -> None:
    """Check whether a run would accept the file, and print the tools that each rule matches.

    Raises:
        UsageError: the file is missing or broken.
    """
    path = policy_path(name)
    text = read_file(path)
    if text is None:
        raise UsageError(f"{path}: no such file", hint=FORM, code="bad_policy")
    read = _read_rules(path, text)
    found = installed()
    rules = [(rule, _matches(rule, found)) for rule in read]
    if as_json:
        print_json([{"rule": _words(rule), "verdict": rule.verdict, "tools": matched} for rule, matched in rules])
        return
    echo_table(
        ("RULE", "VERDICT", "PRIORITY", "TOOLS"),
        [_rule_row(rule, matched) for rule, matched in rules],
        drop=("PRIORITY", "TOOLS"),
    )
    echo(f"{path}: {len(rules)} rule{'s' * (len(rules) != 1)}, all valid")


def _read_rules(path: Path, text: str) -> tuple[PolicyRule, ...]:
    try:
        return parse_rules(text, origin=str(path), level="user")
    except UsageError as error:
        error.hint = FORM  # the usual hint names this command
        raise


def _row(number: int, opinion: Opinion, verdict: Verdict) -> tuple[str, ...]:
    decision: str = opinion.decision or "–"
    if opinion.lifted:
        decision += " (lifted by a rule that allows)"
    mark = "→" if opinion.stage == verdict.stage else ""
    return f"{mark}{number}", opinion.stage, decision, opinion.reason


def _matches(rule: PolicyRule, found: Inventory) -> list[str]:
    specs = [entry.spec for entry in found.tools.entries]
    return sorted({spec.name for spec in specs if names_of(spec, spec.name).matched_by(rule)})


def _words(rule: PolicyRule) -> str:
    return f"{rule.scope}{f' {rule.subject}' if rule.subject else ''}: {rule.pattern}"


def _rule_row(rule: PolicyRule, matched: list[str]) -> tuple[str, ...]:
    more = len(matched) - SHOWN_TOOLS
    shown = ", ".join(matched[:SHOWN_TOOLS]) + (f" and {more} more" if more > 0 else "")
    return _words(rule), rule.verdict, str(rule.priority), shown or "none installed"
