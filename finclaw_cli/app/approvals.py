"""Approvals that are given in advance, by patterns of tool names, and those that come too late."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

from finclaw_cli.core.ports import Approval, ApprovalRequest, Approver
from finclaw_cli.core.record import record
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.engine.cancel import CancelScope
from finclaw_cli.policy.patterns import normal_pattern
from finclaw_cli.policy.stages import names_of


def covers(pattern: str, request: ApprovalRequest) -> bool:
    """Whether `--approve PATTERN` approves this call.

    What moves money, and a tool of a plugin that is not trusted, has to be named exactly: no glob covers it. No pattern
    covers a call that repeats itself: an approval of a tool does not approve a loop.
    """
    return request.verdict.stage != "loop" and _means(pattern, request.spec, request.call.name)


def _means(pattern: str, spec: ToolSpec, called: str) -> bool:
    names, pattern = names_of(spec, called).sure, normal_pattern(pattern)
    if spec.transactional or not spec.is_trusted:
        return pattern in names
    group, _, glob = pattern.rpartition(":")
    if group and group != spec.counted_group:
        return False
    return any(fnmatchcase(name, glob) for name in names)


def without_effect(patterns: Iterable[str], tools: Mapping[str, ToolSpec]) -> str | None:
    """Which patterns approve none of a run's tools, given by the names they are called by; None where all do."""
    idle = [pattern for pattern in patterns if not any(_means(pattern, spec, name) for name, spec in tools.items())]
    if not idle:
        return None
    meant = sorted({name for pattern in idle for name in _nearly(pattern, tools)})
    hint = f"; did you mean {', '.join(meant)}?" if meant else ""
    money = " What moves money has to be named." if any(tools[name].transactional for name in meant) else ""
    return f"--approve {', '.join(map(repr, idle))} approves no tool of this run{hint}{money}"


def _nearly(pattern: str, tools: Mapping[str, ToolSpec]) -> list[str]:
    glob = pattern.rpartition(":")[2].strip().lower()
    matched = [name for name in tools if fnmatchcase(name, glob)]
    return matched or get_close_matches(glob, tools, n=1)


@record
class AdvanceApprover:
    """Grants what was named on the command line or in the user's settings; all else is for the next approver."""

    patterns: Sequence[str]
    otherwise: Approver

    async def ask(self, request: ApprovalRequest) -> Approval:
        for pattern in self.patterns:
            if covers(pattern, request):
                return Approval(granted=True, by=f"--approve {pattern}", request_id=request.id)
        return await self.otherwise.ask(request)


@record
class TimelyApprover:
    """Passes decisions on until the run is cancelled; from then on a call waits for the end of the run."""

    approver: Approver
    scope: CancelScope

    async def ask(self, request: ApprovalRequest) -> Approval:
        decided = await self.approver.ask(request)
        if self.scope.is_cancelled:
            await asyncio.Event().wait()
        return decided
