"""One session of an editor: its agent, the run under way, and the choices of its user."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, Literal

from acp import RequestError, schema

from finclaw_acp.permissions import Permissions
from finclaw_acp.updates import Updates, updates_of
from finclaw_cli import Agent, events
from finclaw_cli.sdk.sessions import messages_of
from finclaw_cli.sdk.toolsets import ToolSpec

CHANNEL = "acp"
ASK, READ_ONLY = "ask", "read-only"
MODES = {
    ASK: ("Ask", "Asks before a tool runs that changes something."),
    READ_ONLY: ("Read only", "Offers only tools that read."),
}
SETTINGS_MODEL = "settings"
"""The name of the model that the settings name."""


class EditorSession:
    """A session, which is kept under its id like any other.

    Args of the constructor:
        id: its name.
        client: the editor.
        folder: the working directory, absolute.
        models: those that the user may choose, the first one to begin with; none: that of the settings.
    """

    def __init__(self, id: str, client: Any, folder: Path, models: Sequence[str]) -> None:  # noqa: A002 - as it is in the protocol
        self.id = id
        self._client = client
        self._folder = folder
        self._models = list(models) or [SETTINGS_MODEL]
        self._model, self._mode = self._models[0], ASK
        self._permissions = Permissions(id, client)
        self._agent: Agent | None = None
        self._updates: Updates | None = None
        self._run: asyncio.Task[events.AgentResult] | None = None
        self._is_cancelled = False

    async def prompt(self, text: str) -> events.AgentResult | None:
        """Answer a question; None where the user has cancelled it.

        Raises:
            RequestError: a question is being answered.
            FinclawError: the run cannot begin.
        """
        if self._run is not None:
            raise RequestError.invalid_request({"message": "a prompt of this session is being answered"})
        self._is_cancelled = False
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
        agent, updates = await self._opened()
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
        """End the run under way, if there is one; what it asks the user meanwhile is refused."""
        if self._run is not None:
            self._is_cancelled = True
            self._run.cancel()

    async def show_again(self) -> None:
        """Send the editor the messages that are kept.

        Raises:
            UsageError: there is no such session.
        """
        for update in self._kept():
            await self._client.session_update(self.id, update)

    def _kept(self) -> Iterator[Any]:
        for message in messages_of(self.id):
            yield from updates_of(message)

    @property
    def options(self) -> list[schema.SessionConfigOptionSelect | schema.SessionConfigOptionBoolean]:
        """What the user may choose, as it is chosen now."""
        models = [(model, model, None) for model in self._models]
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
            raise RequestError.invalid_request({"message": "a prompt of this session is being answered"})
        known = {"model": self._models, "mode": list(MODES)}.get(option)
        if known is None or value not in known:
            raise RequestError.invalid_params({"message": f"{option} cannot be {value!r}", "values": known or []})
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

    async def _opened(self) -> tuple[Agent, Updates]:
        if self._agent is None or self._updates is None:
            agent = self._made(None)
            specs = await agent.offered_tools()
            if self._mode == READ_ONLY:
                await agent.aclose()
                agent = self._made([spec.name for spec in specs if spec.read_only])
            self._agent, self._updates = agent, self._updates or Updates(_by_name(specs), self._folder)
        return self._agent, self._updates

    def _made(self, tools: list[str] | None) -> Agent:
        return Agent.from_settings(
            session=self.id,
            channel=CHANNEL,
            workspace=self._folder,
            approver=self._permissions.ask,
            model=None if self._model == SETTINGS_MODEL else self._model,
            tools=tools,
            save=True,
        )


def _by_name(specs: Sequence[ToolSpec]) -> dict[str, ToolSpec]:
    return {spec.name: spec for spec in specs}


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
