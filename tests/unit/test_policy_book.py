"""Rules are found by the letters of their patterns: the same ones as by trying all of them, and without trying all."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType

from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.ports import Decision
from finclaw_cli.core.tool import ToolGroup, ToolSpec
from finclaw_cli.policy.book import Rulebook
from finclaw_cli.policy.judge import StagedPolicy, judge
from finclaw_cli.policy.rules import Named, PolicyRule, Scope
from finclaw_cli.policy.stages import names_of

SCOPES: list[Scope] = ["global", "user", "channel", "group", "tool"]
VERDICTS: list[Decision] = ["allow", "deny", "require-approval"]
GLOBS = st.text("ab_*?.", min_size=1, max_size=6) | st.sampled_from(["[ab]*", "*[ab]", "a[a_]b", "*", "a", "b_[!a]"])


@st.composite
def rules(draw: st.DrawFn) -> PolicyRule:
    group = draw(st.sampled_from(["", "finance:", "data:"]))
    return PolicyRule(
        scope=draw(st.sampled_from(SCOPES)),
        subject=draw(st.sampled_from([None, "kim", "tty", "finance", "custom", "nobody"])),
        pattern=f"{group}{draw(GLOBS)}",
        verdict=draw(st.sampled_from(VERDICTS)),
        priority=draw(st.integers(-1, 1)),
    )


@st.composite
def names(draw: st.DrawFn) -> Named:
    name = draw(st.text("ab_", min_size=1, max_size=5))
    group: ToolGroup = draw(st.sampled_from(["finance", "data"]))
    trusted, source = draw(st.booleans()), draw(st.sampled_from(["builtin", "plugin:a.b"]))
    spec = ToolSpec(
        name=name, description="", input_schema={"type": "object"}, group=group, trusted=trusted, source=source
    )
    return names_of(spec, draw(st.sampled_from([name, "a_b__a"])))


def is_meant(rule: PolicyRule, tool: Named) -> bool:
    """Whether a rule speaks of a call of kim's from a terminal, as the rules say it."""
    wanted = {"user": "kim", "channel": "tty"}.get(rule.scope)
    if rule.scope == "group" and rule.subject is not None:
        return tool.in_group(rule.subject, allows=rule.verdict == "allow") and tool.matched_by(rule)
    return rule.subject in {None, wanted} and tool.matched_by(rule)


@given(st.lists(rules(), max_size=20), names())
def test_the_rules_that_are_found_are_those_that_match(some: list[PolicyRule], tool: Named):
    found = [rule for spoken in Rulebook(some).speaking(tool, "kim", "tty").values() for rule in spoken]
    assert Counter(found) == Counter(rule for rule in some if is_meant(rule, tool))


def calls_of_a_verdict(some: tuple[PolicyRule, ...]) -> int:
    """How many functions a verdict calls."""
    spec = ToolSpec(name="get_quote", description="", input_schema={"type": "object"}, group="finance")
    policy, count = StagedPolicy(some), 0

    def counted(_frame: FrameType, event: str, _of: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(counted)
    try:
        judge(policy.case(spec, spec.name, "kim", "tty"))
    finally:
        sys.setprofile(None)
    return count


def test_a_verdict_does_not_take_longer_with_a_thousand_rules_for_other_tools_and_people():
    patterns = [f"{kind}{number}" for number in range(300) for kind in ("tool_", "x*_", "desk_*")]
    others = tuple(PolicyRule(scope="tool", pattern=pattern, verdict="deny") for pattern in patterns)
    people = tuple(PolicyRule(scope="user", subject=f"user{n}", pattern="*", verdict="deny") for n in range(100))
    calls_of_a_verdict(())  # what is said is told in the same words from now on
    assert calls_of_a_verdict((*others, *people)) <= calls_of_a_verdict(()) + 100
