"""From nine opinions to one verdict, with the way it came about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Opinion, Verdict
from finclaw_cli.core.tool import ToolContext, ToolSpec
from finclaw_cli.policy.book import Rulebook
from finclaw_cli.policy.rules import PolicyRule
from finclaw_cli.policy.stages import STAGES, Case, Stage, names_of, stage_name


def judge(case: Case, stages: Sequence[Stage] = STAGES) -> Verdict:
    """Ask each stage in its turn, and combine what they say.

    A deny ends it. A require-approval is remembered, and the first that stands decides; an allow rule lifts those that
    come from a default, and a rule's of lower priority, never what protects money. Without any opinion it is denied.
    """
    trail: list[Opinion] = []
    for stage in stages:
        opinion = _attributed(stage, stage(case))
        trail.append(opinion)
        if opinion.decision == "deny":
            return _verdict(opinion, trail)
    strongest = _strongest(trail)
    if strongest is not None:
        trail = [replace(opinion, lifted=True) if _lifts(strongest, opinion) else opinion for opinion in trail]
    standing = next((o for o in trail if o.decision == "require-approval" and not o.lifted), None)
    if standing is not None:
        return _verdict(standing, trail)
    agreed = strongest or next((o for o in reversed(trail) if o.decision == "allow"), None)
    return _verdict(agreed or Opinion(stage="none", decision="deny", reason="no stage allows it"), trail)


def _strongest(trail: Sequence[Opinion]) -> Opinion | None:
    """The allow rule of the highest priority."""
    allowing = [opinion for opinion in trail if opinion.decision == "allow" and opinion.by == "rule"]
    return max(allowing, key=lambda opinion: opinion.priority) if allowing else None


@lru_cache(maxsize=1024)
def _attributed(stage: Stage, opinion: Opinion | None) -> Opinion:
    """An opinion with the name of its stage; most stages have the same opinion of nearly all calls."""
    return replace(opinion or Opinion(), stage=stage_name(stage))


def _lifts(allowing: Opinion, opinion: Opinion) -> bool:
    if opinion.decision != "require-approval":
        return False
    match opinion.by:
        case "default":
            return True
        case "rule":
            return allowing.priority > opinion.priority
        case "safety":
            return False


def _verdict(deciding: Opinion, trail: list[Opinion]) -> Verdict:
    return Verdict(
        decision=deciding.decision or "deny", stage=deciding.stage, reason=deciding.reason, trail=tuple(trail)
    )


class StagedPolicy:
    """The policy of a run: its rules, judged by its stages."""

    def __init__(self, rules: Iterable[PolicyRule] = (), stages: Sequence[Stage] = STAGES) -> None:
        self.stages = stages
        self._book = Rulebook(rules)

    def judge(self, call: ToolCall, spec: ToolSpec, context: ToolContext) -> Verdict:
        """May this call happen? Pure: the same call gets the same verdict."""
        return judge(self.case(spec, call.name, context.user, context.channel), self.stages)

    def case(self, spec: ToolSpec, called: str, user: str, channel: str) -> Case:
        """A call as the stages see it."""
        names = names_of(spec, called)
        spoken = self._book.speaking(names, user, channel)
        return Case(spec=spec, names=names, user=user, channel=channel, rules=spoken)
