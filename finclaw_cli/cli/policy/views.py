"""The output of `finclaw policy`."""

from __future__ import annotations

from pathlib import Path

from finclaw_cli.app.inventory import Inventory
from finclaw_cli.app.plan import channel, find_installed, user_name, with_plugin_rules
from finclaw_cli.cli.listing import installed, print_json
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.ports import Opinion, Verdict
from finclaw_cli.output.console import echo, echo_prose, echo_table
from finclaw_cli.output.notice import warn
from finclaw_cli.policy.judge import StagedPolicy, judge
from finclaw_cli.policy.parse import CHANNELS, parse_rules
from finclaw_cli.policy.rules import FORM, PolicyRule
from finclaw_cli.policy.stages import names_of
from finclaw_cli.settings.load import load_settings, read_file
from finclaw_cli.settings.policy_files import load_policy, policy_path

SHOWN_TOOLS = 5


def explain_tool(name: str, *, channel: str | None, user: str | None, policy: list[str] | None, as_json: bool) -> None:
    """Print the decision of every stage on one tool, and the result.

    Raises:
        UsageError: there is no such tool or channel, or a policy file is broken.
    """
    where, who = _channel(channel), user or user_name()
    settings = load_settings({"policy": policy or None}).settings
    loaded = load_policy(settings.policy)
    found = find_installed(settings)
    entry = found.tools.require(name)
    staged = StagedPolicy(with_plugin_rules(loaded, found.plugins).rules)
    verdict = judge(staged.case(entry.spec, entry.spec.name, who, where))
    for warning in loaded.warnings:
        warn(warning)
    if as_json:
        print_json(
            {
                "tool": entry.spec.name,
                "source": entry.spec.source,
                "group": entry.spec.counted_group,
                "channel": where,
                "user": who,
                "decision": verdict.decision,
                "stage": verdict.stage,
                "reason": verdict.reason,
                "stages": [_facts(opinion) for opinion in verdict.trail],
                "files": list(loaded.files),
            }
        )
        return
    echo_prose(f"{entry.spec.name} ({entry.spec.source}, group {entry.spec.counted_group}), {who} on {where}\n")
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


def _channel(wanted: str | None) -> str:
    if wanted is not None and wanted not in CHANNELS:
        raise UsageError(f"there is no channel {wanted!r}; channels: {', '.join(CHANNELS)}")
    return wanted or channel()


def _facts(opinion: Opinion) -> dict[str, object]:
    return {
        "stage": opinion.stage,
        "decision": opinion.decision,
        "reason": opinion.reason,
        "by": opinion.by if opinion.decision else None,
        "lifted": opinion.lifted,
    }


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
