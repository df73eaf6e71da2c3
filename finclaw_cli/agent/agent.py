"""`Agent`: runs from Python, as `finclaw run` makes them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Literal, Self, Unpack

from finclaw_cli.agent.caller_tools import wanted_tools
from finclaw_cli.agent.conversation import Conversation
from finclaw_cli.agent.one_call import ToolCallResult, WantedCall, run_apart
from finclaw_cli.agent.opening import Opening, channel_of, environment_of, report, settings_in
from finclaw_cli.agent.options import AgentOptions, Tool
from finclaw_cli.agent.result import RunResult
from finclaw_cli.core.environment import context_within
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.events.agent import Emitted, Event
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.settings.load import LoadedSettings, load_settings, settings_of
from finclaw_cli.tools.execution import ToolExecution


class Agent:
    """A finance agent: models, tools, policy and limits, for runs in an event loop of the caller's.

    `run` and `stream` continue one conversation; `conversation` begins another one beside it. Several agents in one
    process share nothing but what is passed to both. An agent is bound to the event loop of its first run.

    An agent needs no closing to be correct: each run records its own end. `aclose`, or `async with`, closes
    connections and the usage store.
    """

    def __init__(self, **options: Unpack[AgentOptions]) -> None:
        """Check the options; settings files and `FINCLAW_…` variables do not count.

        Args:
            **options: see `AgentOptions`.

        Raises:
            UsageError: an option is unknown or has a wrong value.
        """
        self._tools = wanted_tools(options.get("tools"))
        self._options = options
        self._context = context_within(environment_of(options))
        self._loaded = self._context.run(self._load, settings_in(options, self._tools))
        self._opening: asyncio.Task[Opening] | None = None
        self._main: Conversation | None = None

    @staticmethod
    def from_settings(**options: Unpack[AgentOptions]) -> Agent:
        """Make an agent with the settings of files and variables, as the command line has them; options come first.

        Raises:
            UsageError: an option, a file or a variable has a wrong value.
        """
        return _AgentFromSettings(**options)

    def _load(self, given: Mapping[str, object]) -> LoadedSettings:
        return settings_of(given, "Agent")

    async def __aenter__(self) -> Self:
        await self._opened()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the conversation of `run` and `stream`, connections and the usage store."""
        main, self._main = self._main, None
        if main is not None:
            await main.aclose()
        opening, self._opening = self._opening, None
        if opening is not None:
            opened = await opening
            await asyncio.get_running_loop().create_task(opened.aclose(), context=self._context.copy())

    async def run(
        self,
        prompt: str | None = None,
        *,
        files: Sequence[str | Path] = (),
        encoding: str | None = None,
        raise_on_error: bool = False,
    ) -> RunResult:
        """Answer one prompt, in the conversation of the prompts before it; see `Conversation.run`.

        Raises:
            FinclawError: the run cannot begin: a model, a key, a tool or a file is missing.
            RunFailed: the run failed, and `raise_on_error` is true.
        """
        main = await self._conversation()
        return await main.run(prompt, files=files, encoding=encoding, raise_on_error=raise_on_error)

    async def stream(
        self,
        prompt: str | None = None,
        *,
        files: Sequence[str | Path] = (),
        encoding: str | None = None,
        events: Literal["agent", "all"] = "agent",
    ) -> AsyncGenerator[Event, None]:
        """Answer one prompt event by event; see `Conversation.stream`.

        Raises:
            FinclawError: the run cannot begin: a model, a key, a tool or a file is missing.
        """
        main = await self._conversation()
        async with aclosing(main.stream(prompt, files=files, encoding=encoding, events=events)) as stream:
            async for event in stream:
                yield event

    async def emitted(
        self, prompt: str | None = None, *, files: Sequence[str | Path] = (), encoding: str | None = None
    ) -> AsyncGenerator[Emitted, None]:
        """Answer one prompt: every event with its time and its run; see `Conversation.emitted`."""
        main = await self._conversation()
        async with aclosing(main.emitted(prompt, files=files, encoding=encoding)) as stream:
            async for emitted in stream:
                yield emitted

    @property
    def calls(self) -> tuple[ToolExecution, ...]:
        """The calls of the conversation of `run` and `stream`; see `Conversation.calls`."""
        return () if self._main is None else self._main.calls

    def cancel_call(self, call_id: str) -> bool:
        """Cancel one call of that conversation; see `Conversation.cancel_call`."""
        return self._main is not None and self._main.cancel_call(call_id)

    def run_sync(self, prompt: str, *, files: Sequence[str | Path] = (), raise_on_error: bool = False) -> RunResult:
        """Answer one prompt where no event loop runs, in a conversation of its own.

        Raises:
            UsageError: an event loop runs in this thread.
            FinclawError: the run cannot begin.
            RunFailed: the run failed, and `raise_on_error` is true.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self._run_alone(prompt, files, raise_on_error=raise_on_error))
        raise UsageError("an event loop runs already, as in a notebook", hint="Write: await agent.run(…)")

    async def add_tools(self, *tools: Tool) -> None:
        """Offer further tools in the conversation of `run` and `stream`; see `Conversation.add_tools`."""
        (await self._conversation()).add_tools(*tools)

    async def remove_tools(self, *names: str) -> None:
        """Remove tools from the conversation of `run` and `stream`; see `Conversation.remove_tools`."""
        (await self._conversation()).remove_tools(*names)

    def call_tool_sync(
        self, name: str, arguments: Mapping[str, object] | None = None, *, timeout_s: float | None = None
    ) -> ToolCallResult:
        """Call one tool without a model, as `finclaw tools call` does; also where an event loop runs in this thread.

        Args:
            name: of an installed tool, or of a function among the agent's tools.
            arguments: the input of the tool.
            timeout_s: the most the tool may take, in place of its own limit.

        Raises:
            UsageError: there is no such tool, or the arguments are no JSON.
        """
        channel = self._context.run(channel_of, self._options)
        call = WantedCall(name=name, arguments=arguments or {}, timeout_s=timeout_s, channel=channel)
        settings = self._loaded.settings
        return run_apart(lambda: call.answer(settings, self._options, self._tools, report), self._context.copy())

    async def offered_tools(self) -> tuple[ToolSpec, ...]:
        """The tools that a conversation of the agent begins with, sorted by name.

        Raises:
            FinclawError: a model, a key or a tool is missing.
        """
        return (await self._opened()).plan.tools

    async def conversation(self) -> Conversation:
        """Begin a conversation of its own; any number of them may run side by side."""
        return Conversation((await self._opened()).own_session, self._context, report)

    async def _run_alone(self, prompt: str, files: Sequence[str | Path], *, raise_on_error: bool) -> RunResult:
        async with self:
            return await self.run(prompt, files=files, raise_on_error=raise_on_error)

    async def _conversation(self) -> Conversation:
        opened = await self._opened()
        if self._main is None:
            self._main = Conversation(opened.named_session, self._context, report)
        return self._main

    async def _opened(self) -> Opening:
        """What runs need, made once; what fails is tried again by the next run."""
        if self._opening is not None and self._opening.get_loop() is not asyncio.get_running_loop():
            raise UsageError(
                "the agent was opened in another event loop",
                hint="Make an agent for each event loop, or close it with aclose() in its own.",
            )
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
        opening = self._opening
        try:
            return await asyncio.shield(opening)
        except BaseException:
            if opening.done():
                self._opening = None
            raise

    async def _open(self) -> Opening:
        context = self._context.copy()
        opened = await asyncio.to_thread(partial(context.run, Opening, self._loaded, self._options, self._tools))
        context.run(opened.begin_to_connect)
        return opened


class _AgentFromSettings(Agent):
    """An agent for which settings files and variables count."""

    def _load(self, given: Mapping[str, object]) -> LoadedSettings:
        return load_settings(given)


def call_tool_sync(
    name: str,
    arguments: Mapping[str, object] | None = None,
    *,
    timeout_s: float | None = None,
    **options: Unpack[AgentOptions],
) -> ToolCallResult:
    """Call one tool without a model, through policy, approval, hooks and guard; see `Agent.call_tool_sync`.

    Args:
        name: of an installed tool, or of a function in `tools`.
        arguments: the input of the tool.
        timeout_s: the most the tool may take, in place of its own limit.
        **options: see `AgentOptions`.

    Raises:
        UsageError: there is no such tool, the arguments are no JSON, or an option has a wrong value.
    """
    return Agent(**options).call_tool_sync(name, arguments, timeout_s=timeout_s)
