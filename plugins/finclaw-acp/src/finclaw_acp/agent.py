"""The methods of the Agent Client Protocol that an editor calls."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from acp import PROTOCOL_VERSION, RequestError, schema

from finclaw_acp.prompts import text_of
from finclaw_acp.session import EditorSession
from finclaw_acp.stops import invalid, refused, stop_reason_of
from finclaw_cli.errors import FinclawError
from finclaw_cli.sdk.render import bounded, clean_line, counted, echo
from finclaw_cli.sdk.sessions import kept_sessions, messages_of

ADD_THEM = "finclaw mcp add NAME adds one, and asks you to trust it"
PAGE = 50
NOT_FOUND, NOT_INITIALIZED = -32002, -32600
LONGEST_SHOWN = 200
_CURSOR = re.compile(r"[0-9]{1,9}")
ABOUT = schema.Implementation(name="finclaw", title="finclaw", version="0.2.0")


class EditorAgent:
    """finclaw, as an editor sees it; its sessions run side by side.

    Args of the constructor:
        models: those that the user may choose; none: that of the settings.
        tools: those that are offered; None: those that the settings name.
    """

    def __init__(self, models: Sequence[str], tools: Sequence[str] | None = None) -> None:
        self._models, self._tools = models, tools
        self._sessions: dict[str, EditorSession] = {}
        self._client: Any = None
        self._is_initialized = False

    def on_connect(self, conn: Any) -> None:
        """Take the connection to the editor."""
        self._client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> schema.InitializeResponse:
        """Agree on a version, and name what finclaw can do."""
        self._is_initialized = True
        sessions = schema.SessionCapabilities(
            list=schema.SessionListCapabilities(),
            resume=schema.SessionResumeCapabilities(),
            close=schema.SessionCloseCapabilities(),
        )
        return schema.InitializeResponse(
            protocol_version=min(protocol_version, PROTOCOL_VERSION),
            agent_info=ABOUT,
            agent_capabilities=schema.AgentCapabilities(
                load_session=True,
                prompt_capabilities=schema.PromptCapabilities(embedded_context=True),
                session_capabilities=sessions,
            ),
            auth_methods=[],
        )

    async def new_session(
        self, cwd: str, mcp_servers: Sequence[object] | None = None, **_: Any
    ) -> schema.NewSessionResponse:
        """Begin a session; it is kept from its first prompt on."""
        self._require_initialized()
        session = self._open(f"acp-{secrets.token_hex(8)}", cwd)
        if mcp_servers:
            echo(f"{counted(len(mcp_servers), 'MCP server')} of the editor cannot be used: {ADD_THEM}", err=True)
        return schema.NewSessionResponse(session_id=session.id, modes=session.modes, config_options=session.options)

    async def load_session(self, cwd: str, session_id: str, **_: Any) -> schema.LoadSessionResponse:
        """Open a kept session, and show its messages."""
        session = await self._open_kept(session_id, cwd)
        await session.show_again()
        return schema.LoadSessionResponse(modes=session.modes, config_options=session.options)

    async def resume_session(self, session_id: str, cwd: str, **_: Any) -> schema.ResumeSessionResponse:
        """Open a kept session without showing it."""
        session = await self._open_kept(session_id, cwd)
        return schema.ResumeSessionResponse(modes=session.modes, config_options=session.options)

    async def list_sessions(
        self, cwd: str | None = None, cursor: str | None = None, **_: Any
    ) -> schema.ListSessionsResponse:
        """List the kept sessions, those of the command line too, the last one written first."""
        self._require_initialized()
        found = await asyncio.to_thread(kept_sessions, partial(echo, err=True), _begin_of(cursor), PAGE)
        folder = cwd or str(Path.cwd())
        listed = [
            schema.SessionInfo(
                session_id=one.id, cwd=folder, title=one.question or None, updated_at=one.written.isoformat()
            )
            for one in found.sessions
        ]
        following = None if found.following is None else str(found.following)
        return schema.ListSessionsResponse(sessions=listed, next_cursor=following)

    async def close_session(self, session_id: str, **_: Any) -> schema.CloseSessionResponse:
        """End the run of a session, and free what it holds; it stays kept."""
        session = self._session(session_id)
        del self._sessions[session_id]
        await session.aclose()
        return schema.CloseSessionResponse()

    async def set_session_mode(self, session_id: str, mode_id: str, **_: Any) -> schema.SetSessionModeResponse:
        """Choose the mode of a session."""
        session = self._session(session_id)
        await session.choose("mode", mode_id)
        await self._client.session_update(
            session_id,
            schema.ConfigOptionUpdate(session_update="config_option_update", config_options=session.options),
        )
        return schema.SetSessionModeResponse()

    async def set_config_option(
        self,
        config_id: str,
        session_id: str,
        value: str | bool,  # noqa: FBT001 - as it is in the protocol
        **_: Any,
    ) -> schema.SetSessionConfigOptionResponse:
        """Choose the model or the mode of a session."""
        session = self._session(session_id)
        await session.choose(config_id, str(value))
        if config_id == "mode":
            await self._client.session_update(
                session_id, schema.CurrentModeUpdate(session_update="current_mode_update", current_mode_id=str(value))
            )
        return schema.SetSessionConfigOptionResponse(config_options=session.options)

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> schema.PromptResponse:
        """Answer one question of a session."""
        session, text = self._session(session_id), text_of(prompt)
        try:
            result = await session.prompt(text)
        except FinclawError as error:
            raise refused(error.exit_code, error.code, error.message, error.hint) from None
        return schema.PromptResponse(stop_reason=stop_reason_of(result))

    async def cancel(self, session_id: str, **_: Any) -> None:
        """End the run of a session."""
        self.end_run(session_id)

    def end_run(self, session_id: str) -> None:
        """End the run of a session, if it is open and has one."""
        if (session := self._sessions.get(session_id)) is not None:
            session.cancel()

    async def authenticate(self, method_id: str, **_: Any) -> None:
        """Refuse: keys come from the environment and the settings."""
        raise invalid(f"there is no method {method_id!r} to authenticate")

    async def aclose(self) -> None:
        """End all runs."""
        async with asyncio.TaskGroup() as group:
            for session in self._sessions.values():
                group.create_task(session.aclose())

    def _open(self, session_id: str, cwd: str) -> EditorSession:
        folder = Path(cwd)
        if not folder.is_absolute() or not _is_folder(folder):
            raise invalid(f"cwd is no absolute path of a folder: {bounded(clean_line(cwd), LONGEST_SHOWN)}")
        made = EditorSession(session_id, self._client, folder, self._models, self._tools)
        self._sessions[session_id] = made
        return made

    async def _open_kept(self, session_id: str, cwd: str) -> EditorSession:
        self._require_initialized()
        try:
            await asyncio.to_thread(messages_of, session_id)
        except FinclawError as error:
            raise refused(error.exit_code, error.code, error.message, error.hint, number=NOT_FOUND) from None
        if (before := self._sessions.pop(session_id, None)) is not None:
            await before.aclose()
        return self._open(session_id, cwd)

    def _require_initialized(self) -> None:
        if not self._is_initialized:
            raise RequestError(NOT_INITIALIZED, "the connection is not initialized; call initialize first")

    def _session(self, session_id: str) -> EditorSession:
        session = self._sessions.get(session_id)
        if session is None:
            raise RequestError(NOT_FOUND, f"there is no open session {session_id}", {"sessionId": session_id})
        return session


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # no name that a folder may have
        return False


def _begin_of(cursor: str | None) -> int:
    """Where a page of the list begins.

    Raises:
        RequestError: no page had this cursor for the next one.
    """
    if not cursor:
        return 0
    if not _CURSOR.fullmatch(cursor):
        raise invalid(f"there is no page {cursor[:20]!r}")
    return int(cursor)
