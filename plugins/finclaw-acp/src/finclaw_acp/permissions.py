"""Approvals by the user of the editor."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Protocol

from acp import schema

from finclaw_acp.changes import change_of
from finclaw_acp.updates import kind_of, locations_of, text_content, title_of
from finclaw_cli import Approval, ApprovalRequest

BY = "acp"
ALLOW, REJECT, ALWAYS = "allow-once", "reject-once", "allow-session"
_LOOP = "loop"
LONGEST_TITLE = 1_000
"""Characters. Some editors show nothing else of a call that they ask about."""


class Asks(Protocol):
    """The editor, as far as it asks its user."""

    async def request_permission(
        self, session_id: str, tool_call: schema.ToolCallUpdate, options: list[schema.PermissionOption]
    ) -> schema.RequestPermissionResponse: ...


class Permissions:
    """Decides on the calls of one session that need an approval: its user does, once or for the whole session.

    Args of the constructor:
        session: its id.
        client: the editor.
        folder: the working directory of the session, absolute.
    """

    def __init__(self, session: str, client: Asks, folder: Path) -> None:
        self._session = session
        self._folder = folder
        self._client = client
        self._allowed: set[str] = set()
        """Tools that the user has allowed for the session."""
        self._is_over = False

    def begin(self) -> None:
        """Take decisions on the calls of another run."""
        self._is_over = False

    def end(self) -> None:
        """Take no decision any more: the run is being ended."""
        self._is_over = True

    async def ask(self, request: ApprovalRequest) -> Approval:
        """Ask the user; anything but one of the offered consents is a refusal.

        Where the run is being ended, or the editor has left, there is no decision: the call waits for the end.
        """
        lasting = _may_last(request)
        is_allowed = lasting and request.spec.name in self._allowed
        chosen = ALWAYS if is_allowed else await self._chosen(request, lasting=lasting)
        if self._is_over:
            await asyncio.Event().wait()
        if chosen == ALWAYS and lasting:
            self._allowed.add(request.spec.name)
        elif chosen != ALLOW:
            return request.denied(BY, "the user did not allow it")
        return request.granted(f"{BY}:{chosen}")

    async def _chosen(self, request: ApprovalRequest, *, lasting: bool) -> str | None:
        """The id of the option that the user chooses."""
        shown = _shown(request, self._folder)
        try:
            answer = await self._client.request_permission(self._session, shown, _options(lasting=lasting))
        except ConnectionError:
            self.end()
            return None
        return answer.outcome.option_id if isinstance(answer.outcome, schema.AllowedOutcome) else None


def _may_last(request: ApprovalRequest) -> bool:
    """Whether a consent may hold for further calls of the tool: never where one moves money, nor for a loop."""
    return not request.spec.transactional and request.verdict.stage != _LOOP


def _options(*, lasting: bool) -> list[schema.PermissionOption]:
    always = schema.PermissionOption(option_id=ALWAYS, name="Allow in this session", kind="allow_always")
    return [
        schema.PermissionOption(option_id=ALLOW, name="Allow", kind="allow_once"),
        *([always] if lasting else []),
        schema.PermissionOption(option_id=REJECT, name="Reject", kind="reject_once"),
    ]


def _shown(request: ApprovalRequest, folder: Path) -> schema.ToolCallUpdate:
    """The call with its reason and its preview: the change of a file, an order ticket, or its input."""
    given = dict(request.call.input)
    change = change_of(request.spec, given, folder)
    preview = request.preview or json.dumps(given, ensure_ascii=False, indent=2)
    reason = text_content(request.verdict.reason)
    return schema.ToolCallUpdate(
        tool_call_id=request.call.id,
        title=title_of(request.spec.name, given, LONGEST_TITLE),
        kind=kind_of(request.spec),
        status="pending",
        content=[reason, text_content(preview)] if change is None else [change, reason],
        locations=locations_of(given, folder),
        raw_input=given,
    )
