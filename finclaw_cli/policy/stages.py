"""The nine stages: each looks at one call and has an opinion, or none."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from finclaw_cli.core.dist_names import dist_name, qualified_name
from finclaw_cli.core.ports import Decision, Opinion
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.policy.rules import Named, PolicyRule, Scope, governing

# What holds for the tools of a group without a rule.
GROUP_DEFAULTS: dict[str, Decision] = {
    "finance": "allow",
    "web": "allow",
    "communication": "allow",
    "system": "require-approval",
    "data": "require-approval",
    "custom": "require-approval",
}
_NO_OBJECTION = Opinion(decision="allow", reason="no rule says otherwise", by="default")


@record(kw_only=True)
class Case:
    """One call as the policy sees it: the tool, who wants it, from where, and the rules that speak of it."""

    spec: ToolSpec
    names: Named
    user: str
    channel: str
    rules: Mapping[Scope, Sequence[PolicyRule]] = field(default_factory=dict)
    """By their scope, the strongest first."""

    def of(self, scope: Scope, *verdicts: Decision) -> PolicyRule | None:
        """The rule of a scope that counts for this call, among those with one of the verdicts."""
        spoken = self.rules.get(scope)
        return governing(rule for rule in spoken if rule.verdict in verdicts) if spoken else None


Stage = Callable[[Case], Opinion | None]
ALL: tuple[Decision, ...] = ("allow", "require-approval", "deny")


def stage_name(stage: Stage) -> str:
    """A stage's name, as the explanation and the settings write it."""
    return stage.__name__.replace("_", "-")


def global_deny(case: Case) -> Opinion | None:
    """Global deny rules."""
    return _ruled(case.of("global", "deny"))


def global_allow(case: Case) -> Opinion | None:
    """Global rules that allow, or that ask for approval."""
    return _ruled(case.of("global", "allow", "require-approval"))


def user_deny(case: Case) -> Opinion | None:
    """Deny rules of this user."""
    return _ruled(case.of("user", "deny"))


def user_allow(case: Case) -> Opinion | None:
    """Rules of this user that allow, or that ask for approval."""
    return _ruled(case.of("user", "allow", "require-approval"))


def channel_policy(case: Case) -> Opinion | None:
    """Rules of the channel the run came from."""
    return _ruled(case.of("channel", *ALL))


def group_policy(case: Case) -> Opinion | None:
    """Group rules, else what is usual for the group.

    The tool of a plugin that is not trusted needs an approval, which no rule can give: it loads the plugin's code.
    """
    rule = case.of("group", *ALL)
    if not case.spec.is_trusted and (rule is None or rule.verdict != "deny"):
        dist = case.spec.source.removeprefix("plugin:")
        reason = f"it loads code of {dist}, which is not trusted (finclaw plugins trust {dist})"
        return Opinion(decision="require-approval", reason=reason, by="safety")
    if rule is not None:
        return _ruled(rule)
    usual = GROUP_DEFAULTS.get(case.names.group, "require-approval")
    return Opinion(decision=usual, reason=f"usual for the group {case.names.group}", by="default")


def tool_policy(case: Case) -> Opinion | None:
    """Rules for this very tool, else the tool's own declaration."""
    if rule := case.of("tool", *ALL):
        return _ruled(rule)
    if case.spec.requires_approval:
        return Opinion(decision="require-approval", reason="the tool asks for approval", by="default")
    return None


def finance_safety(case: Case) -> Opinion | None:
    """What moves money needs an approval, whatever was allowed."""
    if case.spec.transactional:
        return Opinion(decision="require-approval", reason="it moves money or places orders", by="safety")
    return None


def default(case: Case) -> Opinion | None:  # noqa: ARG001 - a stage
    """Without an objection."""
    return _NO_OBJECTION


STAGES: tuple[Stage, ...] = (
    global_deny,
    global_allow,
    user_deny,
    user_allow,
    channel_policy,
    group_policy,
    tool_policy,
    finance_safety,
    default,
)
# What a tool asks for by itself, whatever is installed and trusted: for tests of plugins.
OWN_STAGES: tuple[Stage, ...] = (tool_policy, finance_safety, default)


def names_of(spec: ToolSpec, called: str) -> Named:
    """The names of a tool that was called by one of them."""
    dist = spec.source.partition(":")[2]
    prefixed = {f"{dist_name(dist)}.{spec.name}", qualified_name(dist, spec.name)} if dist else set[str]()
    sure = frozenset({spec.name, *prefixed} if called == spec.name else {called, *prefixed})
    return Named(
        own=sure | {spec.name, called} | ({f"{dist.lower()}.{spec.name}"} if dist else set()),
        sure=sure,
        group=spec.counted_group,
        claimed_group=spec.group,
    )


def _ruled(rule: PolicyRule | None) -> Opinion | None:
    if rule is None:
        return None
    # What a project or a plugin forbids is not lifted by any priority, only by an approval.
    priority = math.inf if rule.only_tightens else rule.priority
    return Opinion(decision=rule.verdict, reason=rule.explanation, by="rule", priority=priority)
