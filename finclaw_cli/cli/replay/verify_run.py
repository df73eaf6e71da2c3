"""Making a recorded run again with the installed version: model, tools and approvals come from the recording."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Literal, cast

from finclaw_cli.app.model_facts import RecordedWindows
from finclaw_cli.app.plan import (
    Installed,
    context_maker,
    executor_settings,
    retry_policy,
    with_plugin_rules,
)
from finclaw_cli.app.recorded_plan import installed_then, offered_then, recorded_plan
from finclaw_cli.app.run_record import recorded_settings
from finclaw_cli.app.run_tools import RunTools
from finclaw_cli.core import exits
from finclaw_cli.core.clock import StillClock
from finclaw_cli.core.errors import BudgetReached
from finclaw_cli.core.events.agent import AgentStart
from finclaw_cli.core.events.budget import BudgetReserved
from finclaw_cli.core.messages import ToolCall
from finclaw_cli.core.ports import Emit
from finclaw_cli.core.record import record
from finclaw_cli.core.secrets import PROCESS
from finclaw_cli.core.tool import ToolContext, ToolDefinition
from finclaw_cli.engine.budget import Allowance, Wish
from finclaw_cli.engine.cancel import Cancellation, CancelScope
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.context.earlier import BY_EXCHANGE
from finclaw_cli.engine.context.method import BY_PIECE
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.engine.request import RunRequest
from finclaw_cli.engine.run import Run
from finclaw_cli.masking.sinks import MaskedSinks
from finclaw_cli.output.notice import notice
from finclaw_cli.plugin_host.skills import Skills
from finclaw_cli.plugin_host.tool_hooks import PluginHooks
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.policy_files import load_policy
from finclaw_cli.tools.executor import ExecutorSettings, Runner, ToolServices
from finclaw_cli.tools.guard import Guard
from finclaw_cli.tools.null_services import unloaded
from finclaw_cli.tools.outcome import CallOutcome
from finclaw_cli.tools.registry import ToolEntry, ToolRegistry
from finclaw_cli.tools.running import ToolRunner
from finclaw_cli.transcript.compare import Judge
from finclaw_cli.transcript.recording import RunRecording
from finclaw_cli.transcript.replayed_cancels import RecordedExecutions
from finclaw_cli.transcript.replayed_model import EndHere, RecordedModel
from finclaw_cli.transcript.replayed_reconcile import RecordedReconcile
from finclaw_cli.transcript.replayed_run import RecordedApprover, RecordedOutcomeResolver, RecordedTools
from finclaw_cli.transcript.replayed_tools import RecordedToolChanges
from finclaw_cli.transcript.session_log import RecordLog
from finclaw_cli.transcript.versions import DIVIDED_VERSION, version_of

ENDED_FROM_OUTSIDE = frozenset({"aborted", "timeout"})


@record(kw_only=True)
class Present:
    """The current installation, which a recording is compared with."""

    settings: Settings
    installed: Installed
    skills: Skills
    live_tools: bool = False
    """Whether read-only tools really run."""


async def run_again(recording: RunRecording, start: AgentStart, present: Present, judge: Judge) -> None:
    """Make the run, and compare its records with the recording instead of writing them.

    Without `live_tools` there are no side effects: no network, no tool, no file.
    """
    await _RecordedRun(recording, start, present, judge)()


class _RecordedRun:
    """A run whose environment is a recording."""

    def __init__(self, recording: RunRecording, start: AgentStart, present: Present, judge: Judge) -> None:
        self._recording = recording
        self._start = start
        self._installed = installed_then(present.installed, recording.about)
        self._skills = present.skills
        self._live_tools = present.live_tools
        self._judge = judge
        self._settings = recorded_settings(present.settings, recording.about, start)
        self._policy = with_plugin_rules(load_policy(self._settings.policy), present.installed.plugins)
        self._tools = offered_then(self._installed.tools, start)
        self._scope = CancelScope()
        self._executions = RecordedExecutions(recording)
        self._model = RecordedModel(recording, self._end)
        self._clock = _RecordedClock(recording.lines[0].at, self._model)
        self._log = RecordLog(
            judge,
            recording.before.earlier,
            clock=self._clock,
            secrets=PROCESS,
            on_failed=lambda _: None,
        )

    async def __call__(self) -> None:
        stopped = _stopped("replay_differs", "it differs from its recording")
        self._judge.on_different = lambda: self._scope.cancel(stopped)
        self._log.begin_run(self._recording.run_id, {})
        run = Run(
            self._engine(),
            self._request(),
            toolbox=self._tools_then().toolbox,
            sinks=[MaskedSinks(PROCESS, [self._log])],
            scope=self._scope,
            log=self._log,
        )
        await run()
        self._judge.close()

    def _engine(self) -> Engine:
        return Engine(
            connect=lambda ref: Connection(
                ref=ref,
                provider=self._model,
                gate=Gate(self._clock),
                tier=next((request.tier for request in self._recording.of(BudgetReserved)), "standard"),
                scripted=self._installed.providers.is_scripted(ref.provider),
            ),
            retry=retry_policy(self._settings),
            clock=self._clock,
            windows=RecordedWindows(self._recording.windows),
            budget=_RecordedBudget(self._recording),
        )

    def _tools_then(self) -> RunTools:
        services = ToolServices(
            policy=StagedPolicy(self._policy.rules),
            approver=RecordedApprover(self._recording, self._end, self._executions),
            journal=self._log,
            hooks=PluginHooks(self._installed.plugins, notice),
            outcome_resolver=RecordedOutcomeResolver(self._recording),
        )
        installed = self._installed.tools
        registry = _recorded_registry(self._recording, self._end, installed.only(self._tools))
        start = self._start
        context_of = context_maker(self._settings, self._recording.run_id, start.session_id, start.channel)
        settings = executor_settings(self._settings)
        return RunTools(
            registry=registry,
            services=services,
            context_of=context_of,
            settings=settings,
            changes=RecordedToolChanges(self._recording, installed),
            executions=self._executions,
            runner=partial(self._runner, settings),
        )

    def _runner(self, settings: ExecutorSettings, emit: Emit) -> Runner:
        recorded = RecordedTools(self._recording, self._end, emit)
        if not self._live_tools:
            return recorded
        live = ToolRunner(settings.timeouts_s, Guard(settings.guard), emit, self._executions)
        return _ReadingLive(live, recorded, self._recording.read_only)

    def _request(self) -> RunRequest:
        recording, start, before = self._recording, self._start, self._recording.before
        plan = recorded_plan(
            recording.about,
            start,
            settings=self._settings,
            installed=self._installed,
            skills=self._skills,
            policy=self._policy,
        )
        resumed = not recording.opening
        request = plan.request(recording.run_id, start.session_id, (*before.messages, *recording.opening))
        method = BY_PIECE if version_of(recording.about) >= DIVIDED_VERSION else BY_EXCHANGE
        return replace(
            request,
            context=replace(request.context, method=method),
            start=replace(plan.start(start.session_id), scripted=start.scripted),
            kept_messages=len(before.messages),
            counted=before.counted,
            due=before.due if resumed else (),
            retractable=recording.about.get("retractable") is not False,
            unknown=before.given_up(resumed=resumed),
        )

    def _end(self) -> None:
        """End the run as it was cancelled, if it was; else where its recording stops."""
        result = self._recording.result
        if result is None or result.error is None or result.status == "completed":
            self._scope.cancel(_stopped("recording_ends", "the recording ends here"))
            return
        status = result.status if result.status in ENDED_FROM_OUTSIDE else "error"
        self._scope.cancel(
            Cancellation(
                status=cast("Literal['aborted', 'timeout', 'error']", status),
                exit_code=result.exit_code,
                code=result.error.code,
                message=result.error.message,
            )
        )


class _RecordedClock(StillClock):
    """A clock on which waiting takes no time; a run that was ended while it waited for its next request ends there."""

    def __init__(self, moment: datetime, model: RecordedModel) -> None:
        super().__init__(moment)
        self._model = model

    async def sleep(self, seconds: float) -> None:
        if self._model.is_over:
            self._model.end_here()
            await asyncio.Event().wait()
        await super().sleep(seconds)


@dataclass
class _RecordedBudget:
    """A budget that allows the recorded requests, and none after them where it was exhausted."""

    recording: RunRecording
    _requests: int = 0

    async def allow(self, wish: Wish) -> Allowance:  # noqa: ARG002
        """Allow a recorded request without reserving anything.

        Raises:
            BudgetReached: the run was ended here.
        """
        self._requests += 1
        result, asked = self.recording.result, len(self.recording.questions)
        if self._requests > asked and (refused := self.recording.sources_refused) is not None:
            raise BudgetReached(refused)
        if result is None or result.status != "budget" or result.error is None:
            return Allowance()
        if self._requests > asked:
            raise BudgetReached(result.error.message, hint=result.error.hint)
        return Allowance(is_short=self._requests == asked)

    async def release(self, allowance: Allowance) -> None:
        """Do nothing: nothing was reserved."""


def _stopped(code: str, message: str) -> Cancellation:
    return Cancellation(status="error", exit_code=exits.REPLAY, code=code, message=message)


def _recorded_registry(recording: RunRecording, end_here: EndHere, registry: ToolRegistry) -> ToolRegistry:
    """The same tools without previews; outcomes of calls come from the recording."""
    reconcile = RecordedReconcile(recording, end_here)

    def load(entry: ToolEntry) -> ToolDefinition:
        tool = entry.load() if entry.spec.is_trusted else unloaded(entry.spec)
        return replace(tool, preview=None, reconcile=tool.reconcile and reconcile, reconcile_after_s=0.0)

    return registry.loaded_by(load)


@record
class _ReadingLive:
    """Runs read-only tools; all others have their recorded results."""

    live: Runner
    recorded: Runner
    then: frozenset[str]
    """The calls whose tools were read-only when they were recorded."""

    async def run(self, call: ToolCall, definition: ToolDefinition, context: ToolContext) -> CallOutcome:
        runs = definition.read_only and not definition.transactional and call.id in self.then
        return await (self.live if runs else self.recorded).run(call, definition, context)

    async def close(self) -> None:
        await self.live.close()
