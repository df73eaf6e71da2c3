"""Runs of one conversation, made from a plan and from what a front provides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Literal

from finclaw_cli import __version__
from finclaw_cli.app.approvals import TimelyApprover
from finclaw_cli.app.connect import Connector
from finclaw_cli.app.conversation_state import ConversationState
from finclaw_cli.app.engine import engine_of
from finclaw_cli.app.front import Continuation, Front, Prompt
from finclaw_cli.app.plan import Plan, context_maker, executor_settings
from finclaw_cli.app.present import at_present
from finclaw_cli.app.run_record import run_data
from finclaw_cli.app.run_tools import RunTools
from finclaw_cli.app.toolsets import toolsets_of
from finclaw_cli.app.usage_recovery import recover
from finclaw_cli.core import exits
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.errors import PLUGIN_FAILED, FinclawError, OutputFailed
from finclaw_cli.core.events.agent import AgentWarning, Emitted
from finclaw_cli.core.events.internal import SessionLock
from finclaw_cli.core.ids import new_run_id
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message
from finclaw_cli.core.ports import Approver, EventSink
from finclaw_cli.core.tool import ToolDefinition
from finclaw_cli.engine.cancel import Cancellation
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.null_log import NULL_CONVERSATION_LOG
from finclaw_cli.engine.request import RunRequest, RunResult
from finclaw_cli.engine.run import Run
from finclaw_cli.masking.sinks import MaskedSinks
from finclaw_cli.plugin_host.listeners import PluginListeners
from finclaw_cli.plugin_host.tool_hooks import PluginHooks
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.tools.blocked import ended_after
from finclaw_cli.tools.execution import Executions
from finclaw_cli.tools.executor import ToolServices
from finclaw_cli.tools.null_services import NoJournal
from finclaw_cli.transcript.lock_note import Holder
from finclaw_cli.transcript.session import Session
from finclaw_cli.transcript.session_log import RecordLog, session_log
from finclaw_cli.usage.sink import LedgerFirst, LedgerSink
from finclaw_cli.usage.writing import LedgerWriter


class SessionRunner:
    """Runs one prompt after another in one conversation, in one event loop."""

    def __init__(self, plan: Plan, engine: Engine, ledger: LedgerWriter, front: Front) -> None:
        clock = SystemClock()
        settings = plan.settings
        self._front = front
        self._clock = clock
        self.plan = plan
        """What the next run is made from."""
        self.session_id = plan.session.name if plan.session else new_run_id()
        self.calls = Executions()
        """The calls of the conversation: listed, and cancelled by their ids."""
        self._has_answered = False
        self._last_run_id = ""
        self.unexpected: BaseException | None = None
        """What an unexpected error was at its root, for --debug."""
        history = plan.session.history if plan.session else None
        self._talk = ConversationState.of(history, settings.max_result_chars)
        is_called_by_its_run = history is None and not (plan.session and plan.session.has_name)
        self._run_id = self.session_id if is_called_by_its_run else new_run_id()
        self._noticed: tuple[AgentWarning | SessionLock, ...] = (*_lock_events(plan.session), *plan.warnings)
        self._log = self._open_log(plan.session) if plan.session else None
        self._ledger = ledger
        self._engine = engine
        self._listeners = PluginListeners(plan.installed.plugins, front.report)
        self._sinks: list[EventSink] = [LedgerSink(self._ledger), *front.sinks, self._listeners]
        self._services = ToolServices(
            policy=StagedPolicy(plan.policy.rules),
            approver=self._approver(),
            journal=self._log or NoJournal(),
            hooks=PluginHooks(plan.installed.plugins, front.report),
            outcome_resolver=front.outcome_resolver,
        )

        self._toolsets = toolsets_of(plan)

    def _approver(self) -> Approver:
        return TimelyApprover(self._front.approver(), self._front.scope)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Close the transcript in the end; the usage store is the caller's."""
        if (session := self.plan.session) and session.history and session.history.status is None:
            self._ledger.put(partial(recover, session.path))
        try:
            with closing(self._log) if self._log is not None else nullcontext():
                yield
        finally:
            if self.plan.session is not None:
                self.plan.session.close()

    @property
    def next_run_id(self) -> str:
        """The id of the run that `answer` makes next."""
        return self._run_id

    async def answer(self, prompt: Prompt) -> RunResult:
        """One run, in the conversation that the runs before it have made."""
        if self._toolsets.take_up() or self._has_answered:
            offered = self.plan.tools if self._toolsets.offered is None else self._toolsets.offered
            self.plan = at_present(replace(self.plan, tools=offered), self._talk.messages)
        result = await self._run_one(prompt)
        if self._log is not None and result.unknown and result.exit_code == exits.NEEDS_HUMAN:
            self._log.reported()
        self._talk, self._noticed = self._talk.after(result), ()
        self._has_answered = True
        self._last_run_id, self._run_id = self._run_id, new_run_id()
        self._services = replace(self._services, approver=self._approver())
        return result

    async def released(self) -> None:
        """Let plugins know that the session is free for others, after `opened`, where the process goes on."""
        session = self.plan.session
        if session is None or not self._has_answered:
            return
        event = _lock_event(session, "released", session.lock.holder)
        listeners = MaskedSinks(self._front.secrets, [self._listeners])
        await listeners.take(Emitted(self._clock.now(), self._last_run_id, event))

    def record_end(self, end: Cancellation) -> None:
        """Record why the process ends, where the last result could not be shown."""
        if self._log is not None:
            self._log.untold(end.status, end.exit_code)

    def add_tools(self, functions: Sequence[ToolDefinition]) -> None:
        """Add tools of the caller, from the next request on."""
        self._toolsets.add(functions)

    def remove_tools(self, names: Sequence[str]) -> None:
        """Remove tools of the caller, from the next request on.

        Raises:
            UsageError: the caller has added no tool of some name.
        """
        self._toolsets.remove(names)

    def change(self, plan: Plan) -> None:
        """The next runs ask the models of another plan; all else stays."""
        self.plan = plan
        providers = plan.installed.providers
        connect = Connector(plan.settings, providers)
        self._engine = engine_of(plan.settings, providers, connect, self._ledger)

    def _open_log(self, session: Session) -> RecordLog:
        about: JsonObject = {
            "session_id": self.session_id,
            "agent_id": self.plan.settings.agent,
            "finclaw_version": __version__,
        }
        return session_log(session, about, clock=self._clock, secrets=self._front.secrets, on_failed=self._log_failed)

    async def _run_one(self, prompt: Prompt) -> RunResult:
        plan, settings = self.plan, self.plan.settings
        tools = RunTools(
            registry=self._toolsets.registry.only(plan.tools),
            services=self._services,
            context_of=context_maker(settings, self._run_id, self.session_id, plan.channel),
            settings=executor_settings(settings),
            changes=self._toolsets,
            executions=self.calls,
        )
        sinks = self._sinks
        if self._log is not None:
            self._log.begin_run(self._run_id, self._about_run())
            sinks = [self._log, *sinks]  # first: what is shown was kept before, but for the last deltas
        run = Run(
            self._engine,
            self._request(prompt, self._talk),
            toolbox=tools.toolbox,
            sinks=[LedgerFirst(self._ledger), MaskedSinks(self._front.secrets, sinks)],
            scope=self._front.scope,
            log=self._log or NULL_CONVERSATION_LOG,
        )
        with ended_after(settings.timeout):
            result = await run()
        if result.error is not None and result.error.code in {FinclawError.code, PLUGIN_FAILED}:
            self.unexpected = result.error.__cause__
        return result

    def _about_run(self) -> JsonObject:
        plan = self.plan
        if plan.basis is None:
            return {}
        tools = [entry.spec for entry in self._toolsets.registry.only(plan.tools).entries]
        about = run_data(plan.settings, plan.basis, plan.schema, tools, retractable=self._front.is_retractable)
        return {**about, **self._front.facts}

    def _request(self, prompt: Prompt, talk: ConversationState) -> RunRequest:
        refused = prompt if isinstance(prompt, FinclawError) else self.plan.error
        resumed = isinstance(prompt, Continuation)
        messages = talk.messages
        if isinstance(prompt, str):  # without its keys: the transcript has none, and what continues it has to be equal
            messages = *messages, *talk.closing, Message("user", self._front.secrets.mask(prompt))
        return replace(
            self.plan.request(self._run_id, self.session_id, messages),
            kept_messages=talk.kept,
            noticed=self._noticed,
            refused=refused,
            due=talk.due if resumed else (),
            counted=talk.counted,
            retractable=self._front.is_retractable,
            unknown=() if refused else talk.given_up(resumed=resumed),
        )

    def _log_failed(self, failure: OutputFailed) -> None:
        self._front.scope.cancel(
            Cancellation(
                status="error",
                exit_code=failure.exit_code,
                code=failure.code,
                message=f"{failure.message}\n{failure.hint}",
            )
        )


def _lock_events(session: Session | None) -> tuple[SessionLock, ...]:
    if session is None:
        return ()
    stale = session.lock.stale
    acquired = _lock_event(session, "acquired", session.lock.holder)
    return (_lock_event(session, "stale", stale), acquired) if stale is not None else (acquired,)


def _lock_event(session: Session, step: Literal["acquired", "stale", "released"], holder: Holder) -> SessionLock:
    lock = session.lock
    return SessionLock(
        session_id=session.name,
        step=step,
        waited_s=round(lock.waited_s, 3),
        died=str(lock.stale or ""),
        pid=holder.pid,
        host=holder.host,
        since=holder.since,
        started=holder.started,
    )
