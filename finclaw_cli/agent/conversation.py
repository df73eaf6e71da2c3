"""One conversation of an agent: a run for each prompt, one after another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractContextManager, aclosing, suppress
from contextvars import Context
from pathlib import Path
from typing import Literal, Self

from finclaw_cli.agent.caller_scope import CallerScope
from finclaw_cli.agent.caller_tools import wanted_tools
from finclaw_cli.agent.options import Tool
from finclaw_cli.agent.relay import Relay
from finclaw_cli.agent.result import RunResult, run_result
from finclaw_cli.app.front import Continuation, Prompt
from finclaw_cli.app.prompt_text import file_texts, joined_prompt
from finclaw_cli.app.session_runner import SessionRunner
from finclaw_cli.core import exits
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events.agent import Emitted, Event
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.engine.cancel import Cancellation, CancelScope
from finclaw_cli.tools.execution import ToolExecution

NAMED = "Name installed tools where the agent is made: Agent(tools=[…])."
CANCELLED = Cancellation(
    status="aborted", exit_code=exits.SIGNAL_BASE + 2, code="interrupted", message="cancelled by the caller"
)


class Conversation:
    """Runs of one conversation; made by `Agent.conversation()`, and closed by `async with` or `aclose`."""

    def __init__(
        self, start: Callable[[Relay, CancelScope], SessionRunner], context: Context, report: Callable[[str], None]
    ) -> None:
        self._relay = Relay()
        self._scope = CallerScope()
        self._context = context
        self._report = report
        self._runner = context.run(start, self._relay, self._scope)
        self._opened: AbstractContextManager[None] | None = self._runner.opened()
        context.run(self._opened.__enter__)
        self._turn = asyncio.Lock()

    @property
    def session_id(self) -> str:
        """The session that keeps the conversation: `Agent(session=…)` continues it."""
        return self._runner.session_id

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """End the conversation once its run has ended; it cannot be used after that."""
        async with self._turn:
            opened, self._opened = self._opened, None
            if opened is not None:
                self._context.run(opened.__exit__, None, None, None)
                released = self._runner.released()
                await asyncio.get_running_loop().create_task(released, context=self._context.copy())

    def add_tools(self, *tools: Tool) -> None:
        """Offer further tools from the next request on, also of a run under way; they may run unasked.

        Args:
            *tools: functions, or tools of a plugin's kind. One takes the place of an earlier one of its name.

        Raises:
            UsageError: one cannot be made a tool.
        """
        for each in tools:
            if isinstance(each, str):
                raise UsageError(f"add_tools takes functions, not names: {each!r}", hint=NAMED)
        added = self._context.run(wanted_tools, tools)
        self._context.run(self._runner.add_tools, added.functions)

    def remove_tools(self, *names: str) -> None:
        """Offer tools that were passed as functions no longer, from the next request on.

        Raises:
            UsageError: there is no such tool; an installed one is left out with `Agent(tools=…)`.
        """
        self._context.run(self._runner.remove_tools, names)

    async def run(
        self,
        prompt: str | None = None,
        *,
        files: Sequence[str | Path] = (),
        encoding: str | None = None,
        raise_on_error: bool = False,
    ) -> RunResult:
        """Answer one prompt.

        Cancelling the task ends the run, whose result is recorded first.

        Args:
            prompt: the question; None takes up the last one, with `Agent(resume=True)`.
            files: text files that go with it.
            encoding: the encoding of the files; detected if it is None.
            raise_on_error: raise where the exit code is not 0.

        Raises:
            UsageError: there is no prompt, or a file cannot be read.
            RunFailed: the run failed, and `raise_on_error` is true.
        """
        async with self._turn:
            task = self._begin(await self._prompt(prompt, files, encoding), has_reader=False)
            try:
                result = await asyncio.shield(task)
            except asyncio.CancelledError:
                await self._end(task)
                raise
        return result.raise_for_error() if raise_on_error else result

    @property
    def calls(self) -> tuple[ToolExecution, ...]:
        """The calls under way, and after them the last hundred that have ended, the latest one last."""
        executions = self._runner.calls
        return *executions.current, *executions.past

    def call(self, call_id: str) -> ToolExecution | None:
        """The call of that id; None where it is not known, or not any more."""
        return self._runner.calls.find(call_id)

    def cancel_call(self, call_id: str) -> bool:
        """Cancel one call, from the event loop's thread; the run and its other calls go on.

        Returns:
            Whether there was anything to cancel.
        """
        return self._runner.calls.cancel(call_id)

    def interrupt(self) -> None:
        """End the run that is under way; it returns its result, with the status `aborted`."""
        self._scope.cancel(CANCELLED)

    async def stream(
        self,
        prompt: str | None = None,
        *,
        files: Sequence[str | Path] = (),
        encoding: str | None = None,
        events: Literal["agent", "all"] = "agent",
    ) -> AsyncGenerator[Event, None]:
        """Answer one prompt, event by event; `agent.result` is the last one.

        Closing the generator ends the run. Arguments as for `run`; `events="all"` adds those outside of the `agent`
        family.
        """
        async with aclosing(self.emitted(prompt, files=files, encoding=encoding)) as stream:
            async for emitted in stream:
                if events == "all" or emitted.event.type.startswith("agent."):
                    yield emitted.event

    async def emitted(
        self, prompt: str | None = None, *, files: Sequence[str | Path] = (), encoding: str | None = None
    ) -> AsyncGenerator[Emitted, None]:
        """Answer one prompt as `stream` does: every event with its time and its run."""
        async with self._turn:
            task = self._begin(await self._prompt(prompt, files, encoding), has_reader=True)
            try:
                async for emitted in self._relay.events():
                    yield emitted
                await task
            finally:
                await self._end(task)

    def _begin(self, prompt: Prompt, *, has_reader: bool) -> asyncio.Task[RunResult]:
        if self._opened is None:
            raise UsageError("the conversation is closed", hint="Begin another one: agent.conversation().")
        self._scope.renew()
        self._relay.begin(has_reader=has_reader)
        return asyncio.get_running_loop().create_task(self._answer(prompt), context=self._context.copy())

    async def _answer(self, prompt: Prompt) -> RunResult:
        try:
            result = await self._runner.answer(prompt)
            if self._relay.result is None:
                raise RuntimeError("the run has ended without a result")
            return run_result(self._relay.result, result.messages)
        finally:
            await self._relay.end()

    async def _end(self, task: asyncio.Task[RunResult]) -> None:
        """Cancel a run that is under way, and wait until it has ended, also where that is cancelled in turn."""
        if task.done():
            return
        self._relay.drop()
        self._scope.cancel(CANCELLED)
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        if not task.cancelled() and (error := task.exception()) is not None:
            self._report(f"the run failed unexpectedly: {type(error).__name__}")

    async def _prompt(self, prompt: str | None, files: Sequence[str | Path], encoding: str | None) -> Prompt:
        if prompt is None:
            return Continuation()
        if not prompt.strip():
            raise UsageError("the prompt is empty", code="no_prompt")
        warnings: list[str] = []
        paths = [Path(file) for file in files]
        texts = await in_own_thread(file_texts, paths, encoding, lambda _, text: warnings.append(text)) if files else []
        for warning in warnings:
            self._report(warning)
        return joined_prompt(prompt, "", texts)
