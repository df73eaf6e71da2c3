"""One session of an editor: its agent, the run under way, and the choices of its user."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, Literal

from acp import RequestError, schema

from finclaw_acp.kept import kept_updates
from finclaw_acp.permissions import Permissions
from finclaw_acp.plans import show_plan
from finclaw_acp.stops import invalid
from finclaw_acp.updates import Updates
from finclaw_cli import Agent, events
from finclaw_cli.sdk.sessions import messages_of

CHANNEL = "acp"
ASK, READ_ONLY = "ask", "read-only"
MODES = {
    ASK: ("Ask", "Asks before a tool runs that changes something."),
    READ_ONLY: ("Read only", "Offers only tools that read."),
}
SETTINGS_MODEL = "settings"
"""The model that the settings name."""
NAMES = {SETTINGS_MODEL: "The model of the settings"}


class EditorSession:
    """A session, which is kept under its id like any other.

    Args of the constructor:
        id: its name.
        client: the editor.
        folder: the working directory, absolute.
        models: those that the user may choose, the first one to begin with; none: that of the settings.
        tools: those that are offered; None: those that the settings name.
    """

    def __init__(
        self,
        id: str,  # noqa: A002 - as it is in the protocol
        client: Any,
        folder: Path,
        models: Sequence[str],
        tools: Sequence[str] | None,
    ) -> None:
        self.id = id
        self._client = client
        self._folder = folder
        self._models = list(models) or [SETTINGS_MODEL]
        self._tools = tools
        self._model, self._mode = self._models[0], ASK
        self._permissions = Permissions(id, client, folder)
        self._agent: Agent | None = None
        self._updates = Updates(folder)
        self._run: asyncio.Task[events.AgentResult] | None = None
        self._is_cancelled = False

    async def prompt(self, text: str) -> events.AgentResult | None:
        """Answer a question; None where the user has cancelled it.

        Raises:
            RequestError: a question is being answered.
            FinclawError: the run cannot begin.
        """
        if self._run is not None:
            raise invalid("a prompt of this session is being answered; cancel it, or wait for its end")
        self._is_cancelled = False
        self._permissions.begin()
        self._run = asyncio.create_task(self._answer(text))
        try:
            return await self._run
        except asyncio.CancelledError:
            if self._is_cancelled:
                return None
            self._run.cancel()
            raise
        finally:
            self._run = None

    async def _answer(self, text: str) -> events.AgentResult:
        agent, updates = await self._opened(), self._updates
        updates.begin(await agent.offered_tools())
        result: events.AgentResult | None = None
        async with aclosing(agent.stream(text, events="all")) as stream:
            async for event in stream:
                for update in updates.of(event):
                    await self._client.session_update(self.id, update)
                if isinstance(event, events.AgentResult):
                    result = event
        if result is None:
            raise RequestError.internal_error({"message": "the run ended without a result"})
        return result

    def cancel(self) -> None:
        """End the run under way, if there is one; no answer to what it has asked the user counts from now on."""
        if self._run is not None and not self._is_cancelled:
            self._is_cancelled = True
            self._permissions.end()
            self._run.cancel()

    async def show_again(self) -> None:
        """Send the editor the messages that are kept.

        Raises:
            UsageError: there is no such session.
        """
        for update in kept_updates(messages_of(self.id)):
            await self._client.session_update(self.id, update)

    @property
    def options(self) -> list[schema.SessionConfigOptionSelect | schema.SessionConfigOptionBoolean]:
        """What the user may choose, as it is chosen now."""
        models = [(model, NAMES.get(model, model), None) for model in self._models]
        modes = [(mode, *texts) for mode, texts in MODES.items()]
        return [_select("model", "Model", self._model, models), _select("mode", "Mode", self._mode, modes)]

    @property
    def modes(self) -> schema.SessionModeState:
        """The modes, as editors without options have them."""
        modes = [schema.SessionMode(id=mode, name=name, description=about) for mode, (name, about) in MODES.items()]
        return schema.SessionModeState(current_mode_id=self._mode, available_modes=modes)

    async def choose(self, option: str, value: str) -> None:
        """Choose the model or the mode of the runs from now on.

        Raises:
            RequestError: there is no such option or value, or a question is being answered.
        """
        if self._run is not None:
            raise invalid("a prompt of this session is being answered; cancel it, or wait for its end")
        known = {"model": self._models, "mode": list(MODES)}.get(option)
        if known is None or value not in known:
            raise invalid(f"{option} cannot be {value!r}", values=known or [])
        if option == "model":
            self._model = value
        else:
            self._mode = value
        await self.aclose()

    async def aclose(self) -> None:
        """End the run under way, and close what it needs."""
        if (run := self._run) is not None:
            self.cancel()
            await asyncio.wait({run})
        agent, self._agent = self._agent, None
        if agent is not None:
            await agent.aclose()

    async def _opened(self) -> Agent:
        """The agent of the runs with the model and the mode as they are chosen now.

        Raises:
            FinclawError: a model, a key or a tool is missing.
        """
        if self._agent is None:
            agent = self._made(await self._reading() if self._mode == READ_ONLY else self._tools)
            try:
                await agent.add_tools(show_plan)
            except BaseException:
                await agent.aclose()
                raise
            self._agent = agent
        return self._agent

    async def _reading(self) -> list[str]:
        """The tools that read, of those that are offered otherwise."""
        async with self._made(self._tools) as agent:
            return [spec.name for spec in await agent.offered_tools() if spec.read_only]

    def _made(self, tools: Sequence[str] | None) -> Agent:
        return Agent.from_settings(
            session=self.id,
            channel=CHANNEL,
            workspace=self._folder,
            approver=self._permissions.ask,
            model=None if self._model == SETTINGS_MODEL else self._model,
            tools=tools,
            save=True,
        )


def _select(
    id: Literal["model", "mode"],  # noqa: A002 - as it is in the protocol
    name: str,
    current: str,
    values: Sequence[tuple[str, str, str | None]],
) -> schema.SessionConfigOptionSelect:
    options = [
        schema.SessionConfigSelectOption(value=value, name=shown, description=about) for value, shown, about in values
    ]
    return schema.SessionConfigOptionSelect(
        id=id, name=name, category=id, type="select", current_value=current, options=options
    )
