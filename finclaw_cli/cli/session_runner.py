"""Carrying a plan out: prompts taken one by one, the exit code settled."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import NoReturn

from finclaw_cli import __version__
from finclaw_cli.cli.approve import approver_of, outcome_resolver_of
from finclaw_cli.cli.budget_store import user_ledger
from finclaw_cli.cli.connect import connector
from finclaw_cli.cli.conversation_state import ConversationState
from finclaw_cli.cli.engine import engine_of
from finclaw_cli.cli.leave import leave_stuck
from finclaw_cli.cli.outputs import Outputs, failed_output, main_sink, open_stream, retractable, verbosity
from finclaw_cli.cli.plan import Plan, context_maker, executor_settings
from finclaw_cli.cli.present import at_present
from finclaw_cli.cli.prompts import Prompt, TakeUp
from finclaw_cli.cli.run_record import run_data
from finclaw_cli.cli.stdin_lines import StdinLines
from finclaw_cli.cli.usage_recovery import recover
from finclaw_cli.core import exits
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.errors import FinclawError, OutputFailed
from finclaw_cli.core.events.agent import AgentResult, AgentWarning, Emitted
from finclaw_cli.core.events.internal import SessionLock
from finclaw_cli.core.ids import new_run_id
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.ports import Approver, EventSink
from finclaw_cli.engine.cancel import Cancellation, CancelScope
from finclaw_cli.engine.connection import Connect
from finclaw_cli.engine.null_log import NULL_CONVERSATION_LOG
from finclaw_cli.engine.request import RunRequest, RunResult
from finclaw_cli.engine.run import Run
from finclaw_cli.masking.secrets import PROCESS
from finclaw_cli.masking.sinks import MaskedSinks
from finclaw_cli.output.notice import notice
from finclaw_cli.output.notices import Notices
from finclaw_cli.plugin_host.listeners import PluginListeners
from finclaw_cli.plugin_host.tool_hooks import PluginHooks
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.tools.batch import RegistryToolbox
from finclaw_cli.tools.blocked import ended_after
from finclaw_cli.tools.executor import ToolServices
from finclaw_cli.tools.null_services import NoJournal
from finclaw_cli.transcript.session import Session
from finclaw_cli.transcript.session_log import RecordLog, session_log
from finclaw_cli.usage.sink import LedgerFirst, LedgerSink


class _LastResult:
    """Keeps the exit code of the result that was shown last."""

    exit_code: int = exits.TIMEOUT

    async def take(self, emitted: Emitted) -> None:
        event = emitted.event
        self.exit_code = event.exit_code if isinstance(event, AgentResult) else exits.TIMEOUT


class SessionRunner:
    """Carries one plan out, in one event loop."""

    def __init__(self, plan: Plan, connect: Connect, outputs: Outputs, scope: CancelScope, lines: StdinLines) -> None:
        clock = SystemClock()
        settings = plan.settings
        self._outputs = outputs
        self._scope = scope
        self._lines = lines
        self._clock = clock
        self._stream = open_stream(outputs, scope)
        self.plan = plan
        """What the next run is made from."""
        self.session_id = plan.session.name if plan.session else new_run_id()
        self._has_answered = False
        self.unexpected: BaseException | None = None
        """What an unexpected error was at its root, for --debug."""
        history = plan.session.history if plan.session else None
        self._talk = ConversationState.of(history, settings.max_result_chars)
        is_called_by_its_run = history is None and not (plan.session and plan.session.has_name)
        self._run_id = self.session_id if is_called_by_its_run else new_run_id()
        self._untold: tuple[AgentWarning | SessionLock, ...] = (*_lock_events(plan.session), *plan.warnings)
        self._log = self._open_log(plan.session) if plan.session else None
        self._ledger = user_ledger()
        self._shown = _LastResult()
        self._sinks: list[EventSink] = [
            LedgerSink(self._ledger),
            main_sink(settings, outputs, self._stream),
            Notices(verbosity(settings, outputs)),
            self._shown,
            PluginListeners(plan.installed.plugins, notice),
        ]
        self._engine = engine_of(settings, plan.installed.providers, connect, self._ledger)
        self._services = ToolServices(
            policy=StagedPolicy(plan.policy.rules),
            approver=self._approver(),
            journal=self._log or NoJournal(),
            hooks=PluginHooks(plan.installed.plugins, notice),
            outcome_resolver=outcome_resolver_of(settings, plan.channel),
        )

    def leave_stuck(self) -> NoReturn:
        """End the process, whose event loop something has blocked for good."""
        leave_stuck(self._shown.exit_code)

    async def run_all(self, prompts: AsyncIterator[Prompt]) -> int:
        """Answer each prompt in turn, until one fails; the exit code is the last one's."""
        code = exits.OK
        with self.opened():
            async for prompt in prompts:
                code = (await self.answer(prompt)).exit_code
                if code != exits.OK:
                    break
            return self._as_told(code)

    def _as_told(self, code: int) -> int:
        """The exit code, where the last result said it to somebody; else why it could not."""
        if code or self._stream.failure is None:
            return code
        failure = failed_output(self._stream.failure)
        if self._log is not None:
            self._log.untold(failure.status, failure.exit_code)
        return failure.exit_code

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Watches the reader of stdout, and in the end closes what the runs were kept in."""
        self._stream.watch_reader()
        if (session := self.plan.session) and session.history and session.history.status is None:
            self._ledger.put(partial(recover, session.path))
        try:
            with closing(self._ledger.ledger), closing(self._log) if self._log is not None else nullcontext():
                yield
        finally:
            self._stream.unwatch()
            if self.plan.session is not None:
                self.plan.session.close()

    async def answer(self, prompt: Prompt) -> RunResult:
        """One run, in the conversation that the runs before it have made."""
        if self._has_answered:
            self.plan = at_present(self.plan, self._talk.messages)
        result = await self._run_one(prompt)
        if self._log is not None and result.unknown and result.exit_code == exits.NEEDS_HUMAN:
            self._log.reported()
        self._talk, self._untold = self._talk.after(result), ()
        self._has_answered = True
        self._run_id = new_run_id()
        self._services = replace(self._services, approver=self._approver())  # whose "always" is for one run
        return result

    def _approver(self) -> Approver:
        return approver_of(self.plan.settings, self.plan.channel, self._lines)

    def change(self, plan: Plan) -> None:
        """The next runs ask the models of another plan; all else stays."""
        self.plan = plan
        providers = plan.installed.providers
        connect = connector(plan.settings, providers)
        self._engine = engine_of(plan.settings, providers, connect, self._ledger)

    def _open_log(self, session: Session) -> RecordLog:
        about: JsonObject = {
            "session_id": self.session_id,
            "agent_id": self.plan.settings.agent,
            "finclaw_version": __version__,
        }
        return session_log(session, about, clock=self._clock, secrets=PROCESS, on_failed=self._log_failed)

    async def _run_one(self, prompt: Prompt) -> RunResult:
        plan, settings = self.plan, self.plan.settings
        toolbox = partial(
            RegistryToolbox,
            plan.installed.tools.only(plan.tools),
            self._services,
            context_maker(settings, self._run_id, self.session_id, plan.channel),
            executor_settings(settings),
        )
        sinks = self._sinks
        if self._log is not None:
            self._log.begin_run(self._run_id, self._about_run())
            sinks = [self._log, *sinks]  # first: what is shown was kept before
        run = Run(
            self._engine,
            self._request(prompt, self._talk),
            toolbox=toolbox,
            sinks=[LedgerFirst(self._ledger), MaskedSinks(PROCESS, sinks)],
            scope=self._scope,
            log=self._log or NULL_CONVERSATION_LOG,
        )
        with ended_after(settings.timeout):
            result = await run()
        self._keep_last_message(result)
        if result.error is not None and result.error.code == FinclawError.code:
            self.unexpected = result.error.__cause__
        return result

    def _about_run(self) -> JsonObject:
        plan = self.plan
        if plan.basis is None:
            return {}
        return run_data(plan.settings, plan.basis, plan.schema, retractable=self._retractable)

    @property
    def _retractable(self) -> bool:
        return retractable(self.plan.settings, self._outputs)

    def _request(self, prompt: Prompt, talk: ConversationState) -> RunRequest:
        refused = prompt if isinstance(prompt, FinclawError) else self.plan.error
        resumed = isinstance(prompt, TakeUp)
        messages = talk.with_prompt(prompt) if isinstance(prompt, str) else talk.messages
        return replace(
            self.plan.request(self._run_id, self.session_id, messages),
            kept_messages=talk.kept,
            noticed=self._untold,
            refused=refused,
            due=talk.due if resumed else (),
            counted=talk.counted,
            retractable=self._retractable,
            unknown=() if refused else talk.given_up(resumed=resumed),
        )

    def _keep_last_message(self, result: RunResult) -> None:
        path = self._outputs.last_message
        if path is None or self.plan.error is not None:
            return
        try:
            answer = "" if result.exit_code == exits.INVALID_ANSWER else result.text
            path.write_text(PROCESS.mask(answer), encoding="utf-8")
        except OSError as error:
            notice(f"finclaw: the last message cannot be written to {path}: {error.strerror}")

    def _log_failed(self, failure: OutputFailed) -> None:
        self._scope.cancel(
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
    lock = session.lock
    event = SessionLock(session_id=session.name, step="acquired", waited_s=round(lock.waited_s, 3), died=lock.died)
    return (event,)
