"""Policy rules of trusted plugins: they can only make the policy stricter."""

from __future__ import annotations

from dataclasses import replace

from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.interruption import plugin_code
from finclaw_cli.plugin_host.manager import PluginManager
from finclaw_cli.plugin_host.manifest import RULES, PluginManifest
from finclaw_cli.plugin_host.restrictions import check_restrictions
from finclaw_cli.policy.patterns import fault_of, normal_pattern
from finclaw_cli.policy.rules import PolicyRule


def plugin_rules(plugins: PluginManager) -> tuple[PolicyRule, ...]:
    """The rules of all trusted plugins that have some; those that allow are left out.

    Raises:
        UsageError: a trusted plugin that has rules or guards cannot be used, or one that was trusted has changed since.
            A run must then not begin, since what they forbid would be allowed.
    """
    check_restrictions(plugins)
    found: list[PolicyRule] = []
    for manifest in plugins.manifests:
        if RULES in manifest.hooks and plugins.trusts(manifest):
            found.extend(_rules(plugins, manifest))
    return tuple(found)


def ignored_rules(plugins: PluginManager) -> list[str]:
    """The distributions whose policy rules do not apply, because they are not trusted."""
    return [
        manifest.dist
        for manifest in plugins.manifests
        if RULES in manifest.hooks and plugins.standing(manifest) == "untrusted"
    ]


def rules_ignored(dist: str) -> str:
    """A warning of rules that do not apply."""
    return f"the policy rules of {dist} do not apply: it is not trusted (finclaw plugins trust {dist})"


def _rules(plugins: PluginManager, manifest: PluginManifest) -> list[PolicyRule]:
    try:
        with plugin_code():
            offered = plugins.hooks(manifest).finclaw_policy_rules()
            rules = [_checked(rule) for rules in offered for rule in rules]
    except Exception as error:
        raise UsageError(
            f"plugin {manifest.dist} cannot give its policy rules: {error}",
            hint=f"Update it, or leave it out: plugins.deny = [{manifest.dist!r}] in your settings.",
            code="plugin_failed",
        ) from error
    return [replace(rule, level="plugin", origin=manifest.dist) for rule in rules if rule.verdict != "allow"]


def _checked(rule: PolicyRule) -> PolicyRule:
    """A rule with its pattern in normalised form.

    Raises:
        ValueError: no tool can have a name that matches, so that the rule would forbid nothing.
    """
    pattern = normal_pattern(rule.pattern)
    if fault := fault_of(pattern):
        raise ValueError(f"pattern {rule.pattern!r} can match no tool: {fault}")
    return replace(rule, pattern=pattern)
