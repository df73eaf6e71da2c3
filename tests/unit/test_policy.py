"""The nine stages, rule by rule, and how they combine."""

from __future__ import annotations

from typing import Any

import pytest

from finclaw_cli.core.ports import Opinion, Verdict
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.policy.judge import StagedPolicy, judge
from finclaw_cli.policy.rules import PolicyRule
from finclaw_cli.policy.stages import Case, finance_safety

PLAIN: dict[str, Any] = {
    "name": "get_quote",
    "description": "A quote.",
    "input_schema": {"type": "object"},
    "group": "finance",
    "source": "plugin:acme-quotes",
    "trusted": True,
}


def tool(**facts: Any) -> ToolSpec:
    return ToolSpec(**{**PLAIN, **facts})


def rule(scope: Any, verdict: Any, pattern: str = "*", **facts: Any) -> PolicyRule:
    return PolicyRule(scope=scope, verdict=verdict, pattern=pattern, **facts)


def judged(spec: ToolSpec, *rules: PolicyRule, user: str = "kim", channel: str = "tty", called: str = "") -> Verdict:
    return judge(StagedPolicy(rules).case(spec, called or spec.name, user, channel))


def decided(spec: ToolSpec, *rules: PolicyRule, **where: str) -> tuple[str, str]:
    verdict = judged(spec, *rules, **where)
    return verdict.decision, verdict.stage


def test_a_tool_that_nobody_speaks_of_is_allowed_by_the_last_stage():
    assert decided(tool()) == ("allow", "default")


def test_stage_1_a_global_deny_rule_ends_it():
    assert decided(tool(), rule("global", "deny")) == ("deny", "global-deny")


def test_stage_2_a_global_allow_rule_is_followed():
    assert decided(tool(), rule("global", "allow")) == ("allow", "global-allow")


def test_stage_2_a_global_rule_may_ask_for_approval():
    assert decided(tool(), rule("global", "require-approval")) == ("require-approval", "global-allow")


def test_stage_3_a_users_deny_rule_holds_for_that_user_alone():
    forbidden = rule("user", "deny", subject="kim")
    assert decided(tool(), forbidden, user="kim") == ("deny", "user-deny")
    assert decided(tool(), forbidden, user="lee") == ("allow", "default")


def test_stage_4_a_users_allow_rule_holds_for_that_user_alone():
    allowed = rule("user", "allow", subject="kim")
    assert decided(tool(group="data"), allowed, user="kim") == ("allow", "user-allow")
    assert decided(tool(group="data"), allowed, user="lee") == ("require-approval", "group-policy")


def test_stage_5_a_channels_rule_holds_in_that_channel_alone():
    forbidden = rule("channel", "deny", subject="ci")
    assert decided(tool(), forbidden, channel="ci") == ("deny", "channel-policy")
    assert decided(tool(), forbidden, channel="pipe") == ("allow", "default")


def test_stage_6_a_group_rule_wins_over_the_groups_usual_verdict():
    assert decided(tool(), rule("group", "require-approval", subject="finance")) == ("require-approval", "group-policy")
    assert decided(tool(group="system"), rule("group", "allow", subject="system")) == ("allow", "group-policy")


@pytest.mark.parametrize("group", ["finance", "web", "communication"])
def test_stage_6_these_groups_are_allowed_by_default(group: str):
    assert decided(tool(group=group)) == ("allow", "default")


@pytest.mark.parametrize("group", ["system", "data", "custom"])
def test_stage_6_these_groups_ask_by_default(group: str):
    assert decided(tool(group=group)) == ("require-approval", "group-policy")


def test_stage_6_a_plugin_that_is_not_trusted_asks_whatever_group_it_claims():
    assert decided(tool(trusted=False)) == ("require-approval", "group-policy")


@pytest.mark.parametrize("scope", ["global", "user", "channel", "group", "tool"])
def test_no_allow_rule_lifts_the_approval_that_a_plugin_which_is_not_trusted_needs(scope: str):
    """Trust and an approval are consent to load its code; a rule is not."""
    allowed = rule(scope, "allow", "get_*", priority=10**9)
    assert decided(tool(trusted=False), allowed) == ("require-approval", "group-policy")


def test_stage_7_a_rule_for_the_tool_itself():
    assert decided(tool(), rule("tool", "deny", "get_quote")) == ("deny", "tool-policy")
    assert decided(tool(), rule("tool", "deny", "get_other")) == ("allow", "default")


def test_stage_7_a_tool_that_asks_for_approval_gets_asked_about():
    assert decided(tool(requires_approval=True)) == ("require-approval", "tool-policy")


def test_stage_8_what_moves_money_needs_an_approval():
    assert decided(tool(transactional=True)) == ("require-approval", "finance-safety")


@pytest.mark.parametrize("scope", ["global", "user", "channel", "group", "tool"])
def test_stage_8_no_allow_rule_lifts_it_whatever_its_priority(scope: str):
    allowed = rule(scope, "allow", priority=1_000_000)
    assert decided(tool(transactional=True), allowed) == ("require-approval", "finance-safety")


def test_a_deny_after_an_allow_still_denies():
    rules = rule("global", "allow", priority=99), rule("tool", "deny", "get_quote")
    assert decided(tool(), *rules) == ("deny", "tool-policy")


def test_the_first_require_approval_decides_the_reason():
    verdict = judged(
        tool(transactional=True), rule("global", "require-approval", reason="ask me"), rule("tool", "require-approval")
    )
    assert (verdict.stage, verdict.reason) == ("global-allow", "ask me")


@pytest.mark.parametrize("scope", ["global", "user", "channel", "group", "tool"])
@pytest.mark.parametrize("facts", [{"group": "data"}, {"requires_approval": True}])
def test_an_allow_rule_lifts_what_comes_from_a_default(scope: str, facts: dict[str, Any]):
    assert judged(tool(**facts), rule(scope, "allow", "get_*")).decision == "allow"


@pytest.mark.parametrize(
    ("allow", "ask", "decision"), [(5, 5, "require-approval"), (5, 6, "require-approval"), (6, 5, "allow")]
)
def test_an_allow_rule_lifts_another_rule_only_with_a_higher_priority(allow: int, ask: int, decision: str):
    rules = rule("global", "allow", priority=allow), rule("channel", "require-approval", priority=ask)
    assert judged(tool(), *rules).decision == decision


@pytest.mark.parametrize(
    ("verdicts", "decision"),
    [
        (("allow", "require-approval"), "require-approval"),
        (("allow", "deny"), "deny"),
        (("require-approval", "deny"), "deny"),
        (("allow", "require-approval", "deny"), "deny"),
    ],
)
def test_within_a_stage_the_stricter_wins_at_equal_priority(verdicts: tuple[str, ...], decision: str):
    assert judged(tool(), *(rule("channel", verdict) for verdict in verdicts)).decision == decision


def test_within_a_stage_the_highest_priority_wins():
    rules = rule("channel", "deny", priority=1), rule("channel", "allow", priority=2)
    assert decided(tool(), *rules) == ("allow", "channel-policy")


@pytest.mark.parametrize("level", ["option", "project", "plugin"])
def test_nobody_else_outranks_what_the_users_own_file_denies(level: Any):
    rules = rule("channel", "deny", level="user"), rule("channel", "allow", priority=999, level=level)
    assert judged(tool(), *rules).decision == "deny"


@pytest.mark.parametrize("level", ["project", "plugin"])
def test_projects_and_plugins_cannot_allow(level: Any):
    assert judged(tool(group="data"), rule("tool", "allow", level=level)).decision == "require-approval"


def test_of_what_projects_and_plugins_ask_for_the_strictest_counts_whatever_its_priority():
    deny = rule("tool", "deny", level="project")
    ask = rule("tool", "require-approval", level="plugin", priority=9)
    assert decided(tool(), deny, ask) == ("deny", "tool-policy")


def test_what_a_project_asks_for_is_not_lifted_where_the_user_asks_for_the_same():
    own = rule("channel", "require-approval"), rule("tool", "allow", priority=5)
    assert decided(tool(), *own)[0] == "allow"
    assert decided(tool(), *own, rule("channel", "require-approval", level="project"))[0] == "require-approval"


@pytest.mark.parametrize("level", ["project", "plugin"])
def test_what_projects_and_plugins_ask_for_is_lifted_by_no_priority(level: Any):
    rules = rule("tool", "require-approval", level=level), rule("global", "allow", priority=999)
    assert judged(tool(), *rules).decision == "require-approval"


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("*", True),
        ("get_*", True),
        ("finance:*", True),
        ("finance:get_*", True),
        ("data:*", False),
        ("acme-quotes.get_quote", True),
        ("acme_quotes__get_quote", True),
        ("quote", False),
    ],
)
def test_patterns_are_globs_over_names_and_groups(pattern: str, matches: bool):
    assert (judged(tool(), rule("tool", "deny", pattern)).decision == "deny") is matches


def test_a_denied_tool_stays_denied_under_its_longer_name():
    denied = rule("tool", "deny", "get_quote")
    assert judged(tool(), denied, called="acme_quotes__get_quote").decision == "deny"


def test_an_allowed_name_does_not_cover_another_plugins_tool_of_that_name():
    """Where two plugins offer it, the model calls each by its longer name."""
    allowed = rule("tool", "allow", "get_quote")
    assert judged(tool(trusted=False), allowed, called="acme_quotes__get_quote").decision == "require-approval"


def test_a_plugin_that_nobody_trusts_is_not_in_the_group_it_claims_where_that_would_allow():
    assert judged(tool(trusted=False), rule("group", "allow", subject="finance")).decision == "require-approval"
    assert judged(tool(trusted=False), rule("tool", "allow", "finance:*")).decision == "require-approval"
    assert judged(tool(trusted=False), rule("group", "deny", subject="finance")).decision == "deny"


def test_the_trail_says_what_every_stage_said():
    verdict = judged(tool(group="data"), rule("user", "allow"))
    assert [opinion.stage for opinion in verdict.trail] == [
        "global-deny", "global-allow", "user-deny", "user-allow", "channel-policy", "group-policy", "tool-policy",
        "finance-safety", "default",
    ]  # fmt: skip
    asked = verdict.trail[5]
    assert (asked.decision, asked.lifted) == ("require-approval", True)


def test_a_caller_can_pass_stages_of_its_own():
    def no_mondays(case: Case) -> Opinion | None:
        return Opinion(decision="deny", reason="it is Monday", by="rule")

    policy = StagedPolicy((), (finance_safety, no_mondays))
    verdict = judge(policy.case(tool(), "get_quote", "kim", "tty"), policy.stages)
    assert (verdict.decision, verdict.stage) == ("deny", "no-mondays")


def test_where_no_stage_says_anything_the_answer_is_no():
    assert judge(StagedPolicy().case(tool(), "get_quote", "kim", "tty"), (finance_safety,)).decision == "deny"
