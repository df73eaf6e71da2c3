"""Why the policy decides on a tool as it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from finclaw_cli.app.plan import Installed, find_installed, with_plugin_rules
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.ports import Opinion, Verdict
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.policy.judge import StagedPolicy, judge
from finclaw_cli.policy.rules import CHANNELS
from finclaw_cli.settings.load import load_settings
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.policy_files import load_policy


@record(kw_only=True)
class Explanation:
    """The decision on one tool, and the opinion of each stage."""

    spec: ToolSpec
    channel: str
    user: str
    verdict: Verdict
    files: tuple[str, ...]
    warnings: tuple[str, ...]

    def facts(self) -> JsonObject:
        """The explanation as JSON."""
        spec, verdict = self.spec, self.verdict
        return {
            "tool": spec.name,
            "source": spec.source,
            "group": spec.counted_group,
            "channel": self.channel,
            "user": self.user,
            "decision": verdict.decision,
            "stage": verdict.stage,
            "reason": verdict.reason,
            "stages": [_facts(opinion) for opinion in verdict.trail],
            "files": list(self.files),
        }


def explanation(
    name: str,
    *,
    channel: str,
    user: str,
    policy: Sequence[str] | None = None,
    find: Callable[[Settings], Installed] = find_installed,
) -> Explanation:
    """Judge a tool, as a call of it would be judged.

    Args:
        name: of the tool.
        channel: where the run would come from.
        user: who would make it.
        policy: further policy files.
        find: finds what is installed under some settings.

    Raises:
        UsageError: there is no such tool or channel, or a policy file is broken.
    """
    if channel not in CHANNELS:
        raise UsageError(f"there is no channel {channel!r}; channels: {', '.join(CHANNELS)}")
    settings = load_settings({"policy": policy or None}).settings
    loaded = load_policy(settings.policy)
    found = find(settings)
    spec = found.tools.require(name).spec
    staged = StagedPolicy(with_plugin_rules(loaded, found.plugins).rules)
    verdict = judge(staged.case(spec, spec.name, user, channel))
    return Explanation(
        spec=spec, channel=channel, user=user, verdict=verdict, files=loaded.files, warnings=loaded.warnings
    )


def _facts(opinion: Opinion) -> JsonObject:
    return {
        "stage": opinion.stage,
        "decision": opinion.decision,
        "reason": opinion.reason,
        "by": opinion.by if opinion.decision else None,
        "lifted": opinion.lifted,
    }
