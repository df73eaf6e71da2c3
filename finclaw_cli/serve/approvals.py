"""Approvals that the clients of a server give: the first answer counts, and each holds for one call alone."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from finclaw_cli.core.clock import timestamp
from finclaw_cli.core.json_text import JsonObject, plain
from finclaw_cli.core.ports import Approval, ApprovalRequest
from finclaw_cli.serve.presence import Presence
from finclaw_cli.serve.problems import Problem
from finclaw_cli.tools.null_services import NoApprover

KEPT_ANSWERS = 1_000
"""How many requests that were answered are remembered, to name who answered first."""
ABSENT = "no client is connected that could answer"


class PendingApproval:
    """A request that waits for its answer."""

    def __init__(self, run_id: str, session_id: str, request: ApprovalRequest) -> None:
        self.run_id = run_id
        self.request = request
        self._session_id = session_id
        self._asked = datetime.now(UTC)
        self.answer: asyncio.Future[Approval] = asyncio.get_running_loop().create_future()

    def document(self) -> JsonObject:
        """The request as JSON, with what its event has."""
        request = self.request
        return {
            "id": request.id,
            "run_id": self.run_id,
            "session_id": self._session_id,
            "asked": timestamp(self._asked),
            "call_id": request.call.id,
            "name": request.call.name,
            "input": {name: plain(value) for name, value in request.call.input.items()},
            "transactional": request.spec.transactional,
            "stage": request.verdict.stage,
            "reason": request.verdict.reason,
            "preview": request.preview,
        }


class Approvals:
    """The requests of all runs of a server."""

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self._pending: dict[str, PendingApproval] = {}
        self._answered: OrderedDict[str, str] = OrderedDict()

    def __iter__(self) -> Iterator[PendingApproval]:
        return iter(list(self._pending.values()))

    def give(self, request_id: str, client: str, *, granted: bool, reason: str = "") -> None:
        """Answer a request in the name of a client.

        Raises:
            Problem: there is no such request, or it was answered before.
        """
        pending = self._pending.get(request_id)
        if pending is None or pending.answer.done():
            raise self._late(request_id)
        by = f"serve:{client}"
        self._remember(request_id, by)
        pending.answer.set_result(Approval(granted=granted, by=by, request_id=request_id, reason=reason))

    async def ask(self, run_id: str, session_id: str, request: ApprovalRequest, timeout_s: float) -> Approval:
        """Wait for the first answer of a client; without one the call is denied."""
        pending = self._pending[request.id] = PendingApproval(run_id, session_id, request)
        absence = asyncio.ensure_future(self._presence.absence(run_id))
        try:
            either: set[asyncio.Future[Any]] = {pending.answer, absence}
            await asyncio.wait(either, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if pending.answer.done():
                return pending.answer.result()
            reason = ABSENT if absence.done() else f"there was no answer within {timeout_s:g} s"
            denied = replace(await NoApprover().ask(request), reason=reason)
            self._remember(request.id, denied.by)
            return denied
        finally:
            del self._pending[request.id]
            absence.cancel()

    def _remember(self, request_id: str, by: str) -> None:
        self._answered[request_id] = by
        if len(self._answered) > KEPT_ANSWERS:
            self._answered.popitem(last=False)

    def _late(self, request_id: str) -> Problem:
        by = self._answered.get(request_id)
        if by is None:
            return Problem(HTTPStatus.NOT_FOUND, "unknown_approval", "no pending request has this id")
        return Problem(HTTPStatus.CONFLICT, "answered", f"the request was answered before, by {by}")
