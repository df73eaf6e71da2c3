"""What a verdict costs where many rules have been written: `python -m tests.benchmarks.policy [RULES]`.

Half of the rules are for tools, by name or by how names begin; the others for all, for a user or for a group. Each call
is of another tool, so that nothing that was found out about one helps with the next. The bar is a time and no ratio; a
policy without any rule tells what the rules add.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Decision
from finclaw_cli.core.tool import GROUPS, ToolContext, ToolSpec
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.policy.rules import PolicyRule
from tests.benchmarks.measure import compare

RULES = 1_000
TOOLS = 500
_VERDICTS: tuple[Decision, ...] = ("deny", "allow", "require-approval")


def rules(count: int) -> tuple[PolicyRule, ...]:
    """As companies write them: names, beginnings of names, groups, people."""
    return tuple(_rule(number) for number in range(count))


def _rule(number: int) -> PolicyRule:
    verdict = _VERDICTS[number % 3]
    match number // 3 % 6:
        case 0 | 1:
            return PolicyRule(scope="tool", pattern=f"tool_{number}", verdict=verdict)
        case 2:
            return PolicyRule(scope="tool", pattern=f"desk_{number}_*", verdict=verdict, level="project")
        case 3:
            return PolicyRule(scope="global", pattern=f"data:read_{number}*", verdict=verdict, level="option")
        case 4:
            return PolicyRule(scope="user", subject=f"user{number}", pattern="*", verdict=verdict, priority=number)
        case _:
            group = [*GROUPS][number % len(GROUPS)]
            return PolicyRule(scope="group", subject=group, pattern=f"*_{number}", verdict=verdict)


def globs(count: int) -> tuple[PolicyRule, ...]:
    """The worst that can be written: each has to be tried on each name."""
    return tuple(PolicyRule(scope="tool", pattern=f"*_{number}_*", verdict="deny") for number in range(count))


def tools(count: int) -> list[ToolSpec]:
    def spec(number: int) -> ToolSpec:
        return ToolSpec(
            name=f"tool_{number}", description="", input_schema={"type": "object"}, group=[*GROUPS][number % len(GROUPS)],
            source=f"plugin:acme-{number % 20}", trusted=True,
        )  # fmt: skip

    return [spec(number) for number in range(count)]


def verdict_seconds(some: tuple[PolicyRule, ...], count: int = TOOLS) -> Callable[[], float]:
    """CPU seconds of one verdict; each on another tool."""
    policy = StagedPolicy(some)
    calls = [(ToolCall("call_1", spec.name, {}), spec) for spec in tools(count)]
    context = ToolContext(
        agent_id="main", session_id="s", run_id="run_1", turn=1, call_id="call_1", idempotency_key="k",
        home=Path(), workspace=Path(), user="user13", channel="tty",
    )  # fmt: skip

    def once() -> float:
        began = time.process_time()
        for call, spec in calls:
            policy.judge(call, spec, context)
        return (time.process_time() - began) / count

    return once


@contextmanager
def cases(count: int = RULES) -> Iterator[Mapping[str, Callable[[], float]]]:
    """CPU seconds of one verdict, without rules first."""
    yield {
        "no rules": verdict_seconds(()),
        f"{count:,} rules": verdict_seconds(rules(count)),
        f"{count:,} globs that begin with *": verdict_seconds(globs(count), 20),
    }


def main(count: int) -> None:
    with cases(count) as found:
        compare({name: _in_thousands(once) for name, once in found.items()})
        print("ms are µs here")


def _in_thousands(once: Callable[[], float]) -> Callable[[], float]:
    return lambda: once() * 1_000


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RULES)
