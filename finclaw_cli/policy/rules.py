"""Rules as people write them: who may call which tools, and which rule counts where several speak."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Literal

from finclaw_cli.core.ports import Decision
from finclaw_cli.core.record import record

Scope = Literal["global", "user", "channel", "group", "tool"]
Level = Literal["user", "option", "project", "plugin"]
CHANNELS = ("tty", "pipe", "ci", "batch", "serve", "mcp", "acp")
"""Where a call may come from."""
SEVERITY: dict[Decision, int] = {"allow": 0, "require-approval": 1, "deny": 2}
FORM = "docs/reference/policy.md describes the form of a rule and has an example."
HINT = f"`finclaw policy check FILE` checks a file; {FORM}"


@record(kw_only=True)
class PolicyRule:
    """One rule.

    `pattern` is a glob over tool names, or `GROUP:GLOB` for the tools of one group. `subject` narrows the scopes
    `user`, `channel` and `group` to one of them; without it the rule holds for all. Within a stage the highest
    `priority` counts; at equal priority the stricter verdict.
    """

    scope: Scope
    pattern: str
    verdict: Decision
    subject: str | None = None
    reason: str = ""
    priority: int = 0
    level: Level = "user"
    """Who wrote it: the user's own file, a file named with `--policy`, the project, or a plugin."""
    origin: str = ""
    """The file or the distribution it comes from."""

    @property
    def only_tightens(self) -> bool:
        """Whether its source may forbid but not allow."""
        return self.level in {"project", "plugin"}

    @property
    def explanation(self) -> str:
        """Why, in words."""
        where = f" ({self.origin})" if self.origin else ""
        return (self.reason or f"rule {self.verdict} {self.pattern}") + where


@record(kw_only=True)
class Named:
    """The names under which rules find a tool.

    What forbids matches any name the tool answers to; what allows matches only the name and the group that are surely
    its own, so that a plugin cannot call itself into an allowance that was meant for another.
    """

    own: frozenset[str]
    sure: frozenset[str]
    group: str
    """The group that counts."""
    claimed_group: str
    """The group that the plugin declares."""

    def matched_by(self, rule: PolicyRule) -> bool:
        """Whether the rule speaks of this tool."""
        allows = rule.verdict == "allow"
        group, _, glob = rule.pattern.rpartition(":")
        if group and not self.in_group(group, allows=allows):
            return False
        names = self.sure if allows else self.own
        return glob in names or any(fnmatchcase(name, glob) for name in names)

    def in_group(self, group: str, *, allows: bool) -> bool:
        """Whether the tool belongs to a group; for what forbids, also where the plugin only declares it."""
        return group == self.group or (not allows and group == self.claimed_group)


def strength(rule: PolicyRule) -> tuple[int, int]:
    """Which of two rules counts: the one of higher priority, else the stricter one."""
    return rule.priority, SEVERITY[rule.verdict]


def governing(rules: Iterable[PolicyRule]) -> PolicyRule | None:
    """The rule that counts among those of one stage, which come strongest first.

    The user's file and the files given as options compete by priority, but what the user's own file denies stays
    denied. Of the rules of projects and plugins the strictest counts, whatever priority they claim, and only where it
    is at least as strict: then nothing lifts it.
    """
    known = list(rules)
    chosen = next((rule for rule in known if not rule.only_tightens), None)
    own = next((rule for rule in known if rule.level == "user"), None)
    if own is not None and own.verdict == "deny":
        chosen = own
    tightening = [rule for rule in known if rule.only_tightens and rule.verdict != "allow"]
    strictest = max(tightening, key=lambda rule: SEVERITY[rule.verdict], default=None)
    if chosen is None or (strictest is not None and SEVERITY[strictest.verdict] >= SEVERITY[chosen.verdict]):
        return strictest
    return chosen
