"""Policy rules that plugins bring: they can only make the policy stricter."""

from __future__ import annotations

from dataclasses import replace

from finclaw_cli.core.errors import UsageError
from finclaw_cli.discovery.manager import PluginManager
from finclaw_cli.policy.patterns import fault_of, normal_pattern
from finclaw_cli.policy.rules import PolicyRule


def plugin_rules(plugins: PluginManager) -> tuple[PolicyRule, ...]:
    """The rules of all plugins that have some; those that allow are left out.

    Raises:
        UsageError: a plugin that has rules cannot give them. A run must then not begin, since what they forbid would
            be allowed.
    """
    found: list[PolicyRule] = []
    for manifest in plugins.manifests:
        if "finclaw_policy_rules" not in manifest.hooks:
            continue
        try:
            offered = plugins.hooks(manifest).finclaw_policy_rules()
            rules = [_checked(rule) for rules in offered for rule in rules]
        except (Exception, SystemExit) as error:
            raise UsageError(
                f"plugin {manifest.dist} cannot give its policy rules: {error}",
                hint=f"Update it, or leave it out: plugins.deny = [{manifest.dist!r}] in your settings.",
                code="plugin_failed",
            ) from error
        found.extend(replace(rule, level="plugin", origin=manifest.dist) for rule in rules if rule.verdict != "allow")
    return tuple(found)


def _checked(rule: PolicyRule) -> PolicyRule:
    """A rule with its pattern in normalised form.

    Raises:
        ValueError: no tool can have a name that matches, so that the rule would forbid nothing.
    """
    pattern = normal_pattern(rule.pattern)
    if fault := fault_of(pattern):
        raise ValueError(f"pattern {rule.pattern!r} can match no tool: {fault}")
    return replace(rule, pattern=pattern)
