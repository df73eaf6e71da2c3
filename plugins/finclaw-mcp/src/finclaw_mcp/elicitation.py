"""Asking the user of a client for an approval, by a form with one yes or no."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext

from finclaw_cli.agent import Approval, ApprovalRequest
from finclaw_cli.sdk.render import clean

FIELD = "approve"
KEY = "approval"
FORM: dict[str, Any] = {
    "type": "object",
    "properties": {FIELD: {"type": "boolean", "title": "Approve this call", "default": False}},
    "required": [FIELD],
}
MAX_ARGUMENTS = 4_000
BY = "mcp"


def can_be_asked(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client shows forms to its user."""
    capabilities = context.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def form(request: ApprovalRequest) -> types.ElicitRequest:
    """The form for one call: what it would do, as the tool describes it, with its arguments and the reason."""
    arguments = json.dumps(request.call.input, ensure_ascii=False, default=str)
    if len(arguments) > MAX_ARGUMENTS:
        arguments = f"{arguments[:MAX_ARGUMENTS]}… ({len(arguments):,} characters in all)"
    parts = [f"{request.call.name} {arguments}", request.preview, f"It needs your approval: {request.verdict.reason}."]
    message = clean("\n\n".join(part for part in parts if part))
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=FORM))


def answered(request: ApprovalRequest, answer: object) -> Approval:
    """The approval that an answer is: only one that was accepted, and that has exactly `true`, grants the call."""
    if not isinstance(answer, types.ElicitResult):
        return request.denied(BY, "there was no answer to the form")
    if answer.action != "accept":
        return request.denied(BY, f"the user of the client has chosen: {answer.action}")
    if answer.content is None or answer.content.get(FIELD) is not True:
        return request.denied(BY, "the form has no yes of the user of the client")
    return request.granted(BY)


def cannot_be_asked(request: ApprovalRequest) -> Approval:
    """The refusal where the client shows no forms."""
    way = f"--approve {request.spec.name}"
    return request.denied(BY, f"this client cannot ask its user; to approve it in advance, start the server with {way}")
