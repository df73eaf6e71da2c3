"""The runs of one process: their events go to stdout and stderr, approvals are asked on the terminal or on stdin."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from typing import NoReturn

from finclaw_cli.app.budget_store import user_ledger
from finclaw_cli.app.engine import engine_of
from finclaw_cli.app.front import Front, Prompt
from finclaw_cli.app.plan import Plan
from finclaw_cli.app.session_runner import SessionRunner
from finclaw_cli.cli.leave import leave_stuck
from finclaw_cli.cli.run.approve import approver_of, outcome_resolver_of
from finclaw_cli.cli.run.outputs import (
    Outputs,
    failed_output,
    main_sink,
    open_stream,
    retractable,
    verbosity,
    write_last_message,
)
from finclaw_cli.cli.run.run_control import RunControl
from finclaw_cli.cli.run.stdin_lines import StdinLines
from finclaw_cli.core import exits
from finclaw_cli.core.events.agent import AgentResult, Emitted
from finclaw_cli.core.secrets import PROCESS
from finclaw_cli.engine.cancel import CancelScope
from finclaw_cli.engine.connection import Connect
from finclaw_cli.engine.request import RunResult
from finclaw_cli.output.notice import notice
from finclaw_cli.output.notices import Notices


class Conversation:
    """The runs of one process, whose events go to stdout and stderr."""

    def __init__(self, plan: Plan, connect: Connect, outputs: Outputs, scope: CancelScope, lines: StdinLines) -> None:
        settings = plan.settings
        self._outputs = outputs
        self._stream = open_stream(outputs, scope)
        self._last = _LastResult()
        front = Front(
            approver=lambda: approver_of(settings, plan.channel, lines),
            outcome_resolver=outcome_resolver_of(settings, plan.channel),
            sinks=[main_sink(settings, outputs, self._stream), Notices(verbosity(settings, outputs)), self._last],
            scope=scope,
            secrets=PROCESS,
            report=notice,
            is_retractable=retractable(settings, outputs),
        )
        self._ledger = user_ledger(limit_s=settings.timeout)
        engine = engine_of(settings, plan.installed.providers, connect, self._ledger)
        self.runner = SessionRunner(plan, engine, self._ledger, front)
        self._lines = lines
        lines.obey = RunControl(self.runner.calls.cancel, scope).obey

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Watch the reader of stdout; on exit, close what the runs have opened."""
        self._stream.watch_reader()
        try:
            with closing(self._ledger.ledger), self.runner.opened():
                yield
        finally:
            self._stream.unwatch()

    async def answer_all(self, prompts: AsyncIterator[Prompt]) -> int:
        """Answer one prompt after another until one fails; return the exit code of the last one."""
        code = exits.OK
        if self.runner.plan.error is None and self.runner.plan.settings.approval == "stdio":
            self._lines.begin()  # for what controls a run, also where it asks for no approval
        with self.opened():
            async for prompt in prompts:
                code = (await self.answer(prompt)).exit_code
                if code != exits.OK:
                    break
            return self.exit_code(code)

    async def answer(self, prompt: Prompt) -> RunResult:
        """Answer one prompt, and write the answer to the file of `--output-last-message`."""
        result = await self.runner.answer(prompt)
        path = self._outputs.last_message
        if path is not None and self.runner.plan.error is None:
            write_last_message(path, result.exit_code, result.text)
        return result

    def exit_code(self, code: int) -> int:
        """The exit code of the process: that of the last result, or of the failure to show it."""
        if code or self._stream.failure is None:
            return code
        failure = failed_output(self._stream.failure)
        self.runner.record_end(failure)
        return failure.exit_code

    def leave_stuck(self) -> NoReturn:
        """End the process, whose event loop is blocked for good."""
        leave_stuck(self._last.exit_code)


class _LastResult:
    """Keeps the exit code of the result that was shown last."""

    takes_deltas = False
    exit_code: int = exits.TIMEOUT

    async def take(self, emitted: Emitted) -> None:
        event = emitted.event
        self.exit_code = event.exit_code if isinstance(event, AgentResult) else exits.TIMEOUT
