"""What a model was asked, as a transcript keeps it: the parameters, and hashes of the rest.

The words are in the messages already. The parts have hashes of their own, so that of two questions that differ it can
be named: the system prompt, the tools, or the conversation.
"""

from __future__ import annotations

import hashlib
from dataclasses import fields

from finclaw_cli.core.events.budget import Purpose, SidePurpose
from finclaw_cli.core.json_text import JsonObject, canonical, jsonable
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.core.secrets import KnownSecrets
from finclaw_cli.core.usage import Usage
from finclaw_cli.transcript.messages import message_data

# The record of the reply to a request that is no turn.
REPLY_RECORDS: dict[SidePurpose, str] = {"compaction": "summary", "numbers": "sources"}


def request_data(
    request: ModelRequest, secrets: KnownSecrets, *, provider: str, turn: int, attempt: int, purpose: Purpose
) -> JsonObject:
    """A question as JSON; what is hashed of the conversation is what is kept of it, without secrets."""
    messages = secrets.mask_value([message_data(message) for message in request.messages])
    tools = [[tool.name, tool.description, tool.input_schema] for tool in request.tools]
    return {
        "turn": turn,
        "attempt": attempt,
        "purpose": purpose,
        "model": f"{provider}:{request.model}",
        "temperature": jsonable(request.temperature),
        "max_output_tokens": request.max_output_tokens,
        "affordable": request.affordable,
        "schema": request.schema,
        "system_sha256": _sha256(secrets.mask(request.system)),
        "state_sha256": _sha256(secrets.mask(request.state)),
        "tools_sha256": _sha256(tools),
        "messages": len(request.messages),
        "messages_sha256": _sha256(messages),
    }


def usage_of(data: object) -> Usage | None:
    """What an answer took, as it was kept; None where it was not reported."""
    if not isinstance(data, dict):
        return None
    counts = {field.name: data.get(field.name) for field in fields(Usage)}
    return Usage(**{name: count for name, count in counts.items() if isinstance(count, int) and count >= 0})


def _sha256(value: object) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()
