"""Carrying a plan out: prompts taken one by one, the exit code settled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version

from finclaw_cli.cli.approve import approver_of, witness_of
from finclaw_cli.cli.connect import connector
from finclaw_cli.cli.outputs import Outputs, failed_output, main_sink, open_stream, retractable, verbosity
from finclaw_cli.cli.plan import Plan, context_maker, executor_settings, lanes, retry_policy, run_limits
from finclaw_cli.cli.prompts import Prompt, TakeUp
from finclaw_cli.cli.signals import SignalHandling
from finclaw_cli.cli.stdin_lines import StdinLines
from finclaw_cli.core import exits
from finclaw_cli.core.clock import Clock, SystemClock
from finclaw_cli.core.errors import FinclawError, OutputFailed
from finclaw_cli.core.ids import new_run_id
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message, ToolCall
from finclaw_cli.core.ports import EventSink
from finclaw_cli.discovery.listeners import PluginListeners
from finclaw_cli.discovery.tool_hooks import PluginHooks
from finclaw_cli.masking.secrets import PROCESS
from finclaw_cli.masking.sinks import MaskedSinks
from finclaw_cli.output.notices import Notices, notice
from finclaw_cli.policy.judge import StagedPolicy
from finclaw_cli.runner.cancel import Cancellation, CancelScope
from finclaw_cli.runner.request import RunRequest, RunResult
from finclaw_cli.runner.run import UNKEPT, Engine, Run
from finclaw_cli.tools.batch import RegistryToolbox
from finclaw_cli.tools.executor import Doors
from finclaw_cli.tools.passthrough import NoJournal
from finclaw_cli.transcript.history import History
from finclaw_cli.transcript.session import Session
from finclaw_cli.transcript.session_log import SessionLog


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The conversation so far; with its history where this process has said nothing yet."""

    messages: tuple[Message, ...] = ()
    kept: int = 0
    """How many of the messages are in the transcript."""
    due: tuple[ToolCall, ...] = ()
    closing: tuple[Message, ...] = ()
    """What answers the calls that are due where a new question is asked."""
    history: History | None = None

    @classmethod
    def of(cls, history: History | None, max_result_chars: int) -> Talk:
        """The conversation that goes on, or one that begins."""
        if history is None:
            return cls()
        messages = history.messages
        closing = history.closing(max_result_chars)
        return cls(messages=messages, kept=len(messages), due=history.due, closing=closing, history=history)

    def with_prompt(self, prompt: str) -> tuple[Message, ...]:
        """The messages of a run that answers this."""
        return *self.messages, *self.closing, Message("user", prompt)


class Carrier:
    """Carries one plan out, in one event loop."""

    def __init__(self, plan: Plan, outputs: Outputs, scope: CancelScope, lines: StdinLines) -> None:
        clock = SystemClock()
        settings = plan.settings
        self._plan = plan
        self._outputs = outputs
        self._scope = scope
        self._stream = open_stream(outputs, scope)
        self._session_id = plan.session.name if plan.session else new_run_id()
        self._log = self._open_log(plan.session, clock) if plan.session else None
        self._sinks: list[EventSink] = [
            main_sink(settings, outputs, self._stream),
            Notices(verbosity(settings, outputs)),
            PluginListeners(plan.installed.plugins, notice),
        ]
        self._engine = Engine(
            connect=connector(settings, plan.installed.providers, clock, plan.models),
            lanes=lanes(settings),
            retry=retry_policy(settings),
            clock=clock,
        )
        self._doors = Doors(
            policy=StagedPolicy(plan.policy.rules),
            approver=approver_of(settings, plan.channel, lines),
            journal=self._log or NoJournal(),
            hooks=PluginHooks(plan.installed.plugins, notice),
            witness=witness_of(settings, plan.channel),
        )

        self.unexpected: BaseException | None = None
        """What an unexpected error was at its root, for --debug."""

    async def run_all(self, prompts: AsyncIterator[Prompt], signals: SignalHandling) -> int:
        """Answer each prompt in turn, until one fails; the exit code is the last one's."""
        signals.attach(asyncio.get_running_loop())
        self._stream.watch_reader()
        code = exits.OK
        history = self._plan.session.history if self._plan.session else None
        talk = Talk.of(history, self._plan.settings.max_result_chars)
        run_id = new_run_id() if history else self._session_id
        with closing(self._log) if self._log is not None else nullcontext():
            async for prompt in prompts:
                result = await self._run_one(prompt, talk, run_id)
                code, talk = result.exit_code, Talk(messages=result.messages, kept=result.kept_messages)
                if code != exits.OK:
                    break
                run_id = new_run_id()
        self._stream.unwatch()
        failure = self._stream.failure
        return code if code or failure is None else failed_output(failure).exit_code

    def _open_log(self, session: Session, clock: Clock) -> SessionLog:
        about: JsonObject = {
            "session_id": self._session_id,
            "agent_id": self._plan.settings.agent,
            "finclaw_version": version("finclaw-cli"),
        }
        return SessionLog(session, about, clock=clock, secrets=PROCESS, on_failed=self._log_failed)

    async def _run_one(self, prompt: Prompt, talk: Talk, run_id: str) -> RunResult:
        plan, settings = self._plan, self._plan.settings
        toolbox = partial(
            RegistryToolbox,
            plan.installed.tools.only(plan.tools),
            self._doors,
            context_maker(settings, run_id, self._session_id, plan.channel),
            executor_settings(settings),
        )
        sinks = self._sinks
        if self._log is not None:
            self._log.begin_run(run_id)
            sinks = [self._log, *sinks]  # first: what is shown was kept before
        run = Run(
            self._engine,
            self._request(prompt, talk, run_id),
            toolbox=toolbox,
            sinks=[MaskedSinks(PROCESS, sinks)],
            scope=self._scope,
            chronicle=self._log or UNKEPT,
        )
        result = await run()
        self._keep_last_message(result)
        if result.error is not None and result.error.code == FinclawError.code:
            self.unexpected = result.error.__cause__
        return result

    def _request(self, prompt: Prompt, talk: Talk, run_id: str) -> RunRequest:
        plan, settings = self._plan, self._plan.settings
        refused = prompt if isinstance(prompt, FinclawError) else plan.error
        resumed = isinstance(prompt, TakeUp)
        return RunRequest(
            start=plan.start(self._session_id),
            kept_messages=talk.kept,
            warnings=plan.warnings,
            refused=refused,
            run_id=run_id,
            session_id=self._session_id,
            agent_id=settings.agent,
            messages=talk.with_prompt(prompt) if isinstance(prompt, str) else talk.messages,
            due=talk.due if resumed else (),
            models=plan.models,
            tools=plan.tools,
            system=settings.system or "",
            temperature=settings.temperature,
            max_output_tokens=settings.max_output_tokens,
            schema=plan.schema,
            limits=run_limits(settings),
            retractable=retractable(settings, self._outputs),
            fail_on_denied=settings.on_denied == "fail",
            unknown=() if refused or talk.history is None else talk.history.given_up(resumed=resumed),
        )

    def _keep_last_message(self, result: RunResult) -> None:
        path = self._outputs.last_message
        if path is None or self._plan.error is not None:
            return
        try:
            path.write_text(PROCESS.mask(result.text), encoding="utf-8")
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
