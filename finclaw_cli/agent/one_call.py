"""One tool called by a program without a model, from code that is not asynchronous."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Coroutine, Mapping
from contextvars import Context
from dataclasses import field
from typing import Any

from finclaw_cli.agent.approval import approver_of
from finclaw_cli.agent.caller_tools import WantedTools
from finclaw_cli.agent.options import AgentOptions
from finclaw_cli.app.one_call import CALL_ID, ByHandApprover, OneCall
from finclaw_cli.app.plan import find_installed, with_plugin_rules
from finclaw_cli.app.planner import FindInstalled
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events.parts import CallStatus
from finclaw_cli.core.json_text import ExactObject, InvalidJson, parse_object
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.record import record
from finclaw_cli.plugin_host.tool_hooks import PluginHooks
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.policy_files import load_policy
from finclaw_cli.tools.executor import ToolServices
from finclaw_cli.tools.null_services import NoJournal
from finclaw_cli.tools.toolsets import ToolSets


@record(kw_only=True)
class ToolCallResult:
    """How one call ended. The content has passed the guard: private data and secrets are masked."""

    name: str
    status: CallStatus
    content: str
    """The whole result, or why there is none."""
    is_error: bool
    duration_ms: int
    masked: Mapping[str, int] = field(default_factory=dict)
    """How many pieces of which kind were masked."""


@record(kw_only=True)
class WantedCall:
    """A call as a program gives it."""

    name: str
    arguments: Mapping[str, object]
    timeout_s: float | None
    channel: str
    """The channel for the policy."""

    async def answer(
        self,
        settings: Settings,
        options: AgentOptions,
        tools: WantedTools,
        report: Callable[[str], None],
        *,
        find: FindInstalled = find_installed,
    ) -> ToolCallResult:
        """Make the call through policy, approval, hooks and guard.

        Raises:
            UsageError: there is no such tool, the arguments are no JSON, or the time limit is not above 0.
        """
        if self.timeout_s is not None and not 0 < self.timeout_s < math.inf:
            raise UsageError(f"timeout_s is a number of seconds above 0, not {self.timeout_s!r}")
        found = find(settings, use_plugins=not options.get("no_plugins", False), report=report)
        toolsets = ToolSets(
            found.tools.with_functions(tools.functions),
            make=found.plugins.toolset,
            offered=lambda _: (),
            limit_s=self.timeout_s or settings.timeout,
        )
        entry = toolsets.registry.require(self.name)
        otherwise = approver_of(options.get("approver"), settings)
        call = OneCall(
            call=ToolCall(CALL_ID, toolsets.registry.shown_name(entry), self._input()),
            toolsets=toolsets,
            services=ToolServices(
                policy=StagedPolicy(with_plugin_rules(load_policy(settings.policy), found.plugins).rules),
                approver=ByHandApprover(otherwise),
                journal=NoJournal(),
                hooks=PluginHooks(found.plugins, report),
            ),
            settings=settings,
            channel=self.channel,
            timeout_s=self.timeout_s,
        )
        end = await call.answer()
        return ToolCallResult(
            name=end.name,
            status=end.status,
            content=end.result or "",
            is_error=end.is_error is True,
            duration_ms=end.duration_ms or 0,
            masked=end.masked or {},
        )

    def _input(self) -> ExactObject:
        try:
            return parse_object(json.dumps(dict(self.arguments), allow_nan=False))
        except (TypeError, ValueError, RecursionError, InvalidJson) as error:
            raise UsageError(f"{self.name}: the arguments are not JSON: {error}") from error


def run_apart(work: Callable[[], Coroutine[Any, Any, ToolCallResult]], context: Context) -> ToolCallResult:
    """Do the work in an event loop of its own: in this thread, or in another one where a loop runs in this one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return context.run(lambda: asyncio.run(work()))
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, thread_name_prefix="finclaw_call") as thread:
        return thread.submit(context.run, lambda: asyncio.run(work())).result()
