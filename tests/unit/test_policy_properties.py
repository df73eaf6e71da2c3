"""What holds of the policy for whatever rules anybody writes."""

from __future__ import annotations

from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from finclaw_cli.core.ports import Decision, Verdict
from finclaw_cli.core.tool import GROUPS, ToolSpec
from finclaw_cli.policy.judge import StagedPolicy, judge
from finclaw_cli.policy.rules import PolicyRule, Scope
from finclaw_cli.policy.stages import STAGES, stage_name
from tests.examples import MANY

SUBJECTS = {"user": ["kim", "lee"], "channel": ["tty", "ci"], "group": list(GROUPS)}
PATTERNS = ["*", "get_*", "pay", "finance:*", "data:*", "acme.pay", "acme__get_quote", "nothing"]
VERDICTS: list[Decision] = ["allow", "deny", "require-approval"]


@st.composite
def rules(draw: st.DrawFn) -> PolicyRule:
    scope = draw(st.sampled_from(["global", "user", "channel", "group", "tool"]))
    subjects = SUBJECTS.get(scope)
    return PolicyRule(
        scope=scope,
        pattern=draw(st.sampled_from(PATTERNS)),
        verdict=draw(st.sampled_from(VERDICTS)),
        subject=draw(st.sampled_from([None, *subjects])) if subjects else None,
        priority=draw(st.integers(-2, 2)),
        level=draw(st.sampled_from(["user", "user", "option", "project", "plugin"])),
        origin=draw(st.sampled_from(["", "a.toml"])),
    )


@st.composite
def tools(draw: st.DrawFn) -> ToolSpec:
    return ToolSpec(
        name=draw(st.sampled_from(["get_quote", "pay"])),
        description="A tool.",
        input_schema={"type": "object"},
        group=draw(st.sampled_from([*GROUPS])),
        transactional=draw(st.booleans()),
        requires_approval=draw(st.booleans()),
        trusted=draw(st.booleans()),
        source="plugin:acme",
    )


RULE_SETS = st.lists(rules(), max_size=8)


def judged(spec: ToolSpec, some: list[PolicyRule]) -> Verdict:
    return judge(StagedPolicy(tuple(some)).case(spec, spec.name, "kim", "tty"))


@given(tools(), RULE_SETS)
def test_a_stage_that_denies_wins(spec: ToolSpec, some: list[PolicyRule]):
    case = StagedPolicy(tuple(some)).case(spec, spec.name, "kim", "tty")
    denying = [stage_name(stage) for stage in STAGES if (said := stage(case)) is not None and said.decision == "deny"]
    verdict = judge(case)
    assert (verdict.decision == "deny") is bool(denying)
    assert not denying or verdict.stage == denying[0]


@given(tools(), RULE_SETS, st.sampled_from(["global", "user"]))
def test_a_deny_of_the_users_own_that_matches_everything_always_wins(
    spec: ToolSpec, some: list[PolicyRule], scope: str
):
    deny = PolicyRule(scope=scope, pattern="*", verdict="deny", level="user", priority=3)  # type: ignore[arg-type]
    assert judged(spec, [*some, deny]).decision == "deny"


@given(tools(), RULE_SETS)
def test_what_moves_money_is_never_simply_allowed(spec: ToolSpec, some: list[PolicyRule]):
    if spec.transactional:
        assert judged(spec, some).decision != "allow"


@given(tools(), RULE_SETS)
def test_the_explanation_names_the_stage_that_decided(spec: ToolSpec, some: list[PolicyRule]):
    verdict = judged(spec, some)
    deciding = next(opinion for opinion in verdict.trail if opinion.stage == verdict.stage)
    assert (deciding.decision, deciding.reason, deciding.lifted) == (verdict.decision, verdict.reason, False)


@given(tools(), RULE_SETS)
def test_the_first_approval_asked_for_that_stands_decides(spec: ToolSpec, some: list[PolicyRule]):
    verdict = judged(spec, some)
    standing = [o.stage for o in verdict.trail if o.decision == "require-approval" and not o.lifted]
    if verdict.decision == "require-approval":
        assert verdict.stage == standing[0]
    elif verdict.decision == "allow":
        assert standing == []


@given(tools(), RULE_SETS)
def test_project_and_plugin_rules_never_make_it_laxer(spec: ToolSpec, some: list[PolicyRule]):
    severity = {"allow": 0, "require-approval": 1, "deny": 2}
    own = [rule for rule in some if not rule.only_tightens]
    assert severity[judged(spec, some).decision] >= severity[judged(spec, own).decision]


@given(tools(), RULE_SETS)
def test_the_same_call_gets_the_same_verdict_whatever_the_order_of_the_rules(spec: ToolSpec, some: list[PolicyRule]):
    assert judged(spec, some).decision == judged(spec, some[::-1]).decision


SEVERITY = {"allow": 0, "require-approval": 1, "deny": 2}


@st.composite
def tightening(draw: st.DrawFn) -> PolicyRule:
    """A rule of a project or a plugin that speaks of every tool."""
    return PolicyRule(
        scope=draw(st.sampled_from(get_args(Scope))),
        pattern="*",
        verdict=draw(st.sampled_from(["require-approval", "deny"])),
        priority=draw(st.integers(-2, 2)),
        level=draw(st.sampled_from(["project", "plugin"])),
    )


@settings(max_examples=MANY)
@given(tools(), st.lists(st.one_of(tightening(), rules()), max_size=8), tightening())
def test_one_more_tightening_rule_never_makes_it_laxer(spec: ToolSpec, some: list[PolicyRule], more: PolicyRule):
    assert SEVERITY[judged(spec, [*some, more]).decision] >= SEVERITY[judged(spec, some).decision]


@settings(max_examples=MANY)
@given(tools(), RULE_SETS, st.lists(tightening(), min_size=1))
def test_the_strictest_tightening_rule_is_the_least_whatever_other_rules_say(
    spec: ToolSpec, some: list[PolicyRule], tightened: list[PolicyRule]
):
    least = max(SEVERITY[rule.verdict] for rule in tightened)
    assert SEVERITY[judged(spec, [*some, *tightened]).decision] >= least
