"""Approvals by a function of the caller's."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from finclaw_cli.app.approvals import AdvanceApprover
from finclaw_cli.core.ports import Approval, ApprovalRequest, Approver
from finclaw_cli.core.record import record
from finclaw_cli.settings.model import Settings
from finclaw_cli.tools.null_services import NoApprover
from finclaw_cli.tools.registry import CALLER

ApprovalCallback = Callable[[ApprovalRequest], Awaitable[Approval]]
"""Decides on one call: `request.granted(by)` or `request.denied(by, reason)`."""
BY = "callback"


def approver_of(callback: ApprovalCallback | None, settings: Settings) -> Approver:
    """The approver of an agent: names given in advance, tools of the caller, then its function, if it has one."""
    asked = CallbackApprover(callback, settings.approval_timeout) if callback is not None else NoApprover()
    return AdvanceApprover(settings.approve, CallerApprover(asked))


@record
class CallerApprover:
    """Grants the tools that the caller has passed, but those that it has marked; all else is for the next approver.

    A call that repeats itself is no such call: the approval of a tool does not approve a loop.
    """

    otherwise: Approver

    async def ask(self, request: ApprovalRequest) -> Approval:
        spec = request.spec
        is_marked = spec.transactional or spec.requires_approval
        if spec.source != CALLER or is_marked or request.verdict.stage == "loop":
            return await self.otherwise.ask(request)
        return Approval(granted=True, by=f"--approve {spec.name}", request_id=request.id)


@record
class CallbackApprover:
    """Asks a function; what it raises, a late answer, and anything that is not an `Approval` deny the call."""

    callback: ApprovalCallback
    timeout_s: float

    async def ask(self, request: ApprovalRequest) -> Approval:
        try:
            async with asyncio.timeout(self.timeout_s):
                answer: object = await self.callback(request)
        except TimeoutError:
            return request.denied(BY, f"no decision within {self.timeout_s:g} s")
        except Exception as error:  # noqa: BLE001 - code of the caller's: a failure is not a consent
            return request.denied(BY, f"the decision failed: {type(error).__name__}")
        if not isinstance(answer, Approval):
            return request.denied(BY, f"the decision is not an Approval but {type(answer).__name__}")
        return answer
