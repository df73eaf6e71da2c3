"""What is known of the servers' ways: at first by their address, then by what they refuse.

A refusal is read only where it names a parameter that was really sent and states that the server does not know it; a
value that is merely wrong stays an error for the user.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from finclaw_cli.core.errors import ProviderError
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Tier
from finclaw_cli.providers.openai.chat_message import VENDOR_FIELDS

_UNKNOWN = re.compile(
    r"unsupported|(?:not|n't) support|unknown|unrecogni[sz]ed|\bextra\b|forbidden|not permitted|not allowed|unexpected"
    r"|unavailable|not available|only the default",
    re.IGNORECASE,
)
_REFUSALS = (400, 422)


@record(kw_only=True)
class ChatProfile:
    """How a Chat Completions server wants its requests."""

    max_tokens: str = "max_tokens"
    stream_options: bool = True
    temperature: bool = True
    response_format: bool = True
    vendor_fields: bool = True
    """Are reasoning and other vendors' fields sent back on assistant messages?"""
    padded_reasoning: bool = False
    """Must assistant messages with calls carry `reasoning_content`, also an empty one?"""
    short_call_ids: bool = False
    """Must the ids of calls be nine letters and digits?"""
    reasoning_effort: str | None = None
    """Sent with tools only."""
    service_tier: str | None = None


@record(kw_only=True)
class ResponsesProfile:
    """How a Responses server, or one of its models, wants its requests."""

    temperature: bool = True
    encrypted_reasoning: bool = True
    """Can reasoning be asked for in a form that may be sent back?"""
    echoed_reasoning: bool = True
    """Does it take its earlier reasoning back? It cannot once the key belongs to another organisation."""
    parallel_tool_calls: bool = True
    text_format: bool = True
    service_tier: str | None = None


_DEFAULT = ChatProfile()
_BY_HOST = {
    "api.openai.com": ChatProfile(max_tokens="max_completion_tokens", vendor_fields=False),
    "openai.azure.com": ChatProfile(max_tokens="max_completion_tokens", vendor_fields=False),
    "mistral.ai": ChatProfile(stream_options=False, vendor_fields=False, short_call_ids=True),
}


def service_tier(tier: Tier) -> str | None:
    """The value of a request's `service_tier`; None where the server's own choice is right."""
    return tier if tier == "flex" else None


def chat_profile(base_url: str) -> ChatProfile:
    """The ways of the server at this address."""
    host = urlsplit(base_url).hostname or ""
    known = (profile for suffix, profile in _BY_HOST.items() if host == suffix or host.endswith(f".{suffix}"))
    return next(known, _DEFAULT)


def adapt_chat(profile: ChatProfile, error: ProviderError, sent: JsonObject) -> ChatProfile | None:
    """What a refusal teaches about a Chat Completions server; None where it teaches nothing."""
    if not _is_refusal(error):
        return None
    message = error.message
    changes: dict[str, Any] = {}
    if _UNKNOWN.search(message):
        changes = {
            name: False for name in ("stream_options", "temperature", "response_format") if _names(message, name, sent)
        }
        if _names(message, profile.max_tokens, sent):
            changes["max_tokens"] = _other_limit(profile.max_tokens)
        if "reasoning_effort" in message and "tools" in sent:
            changes["reasoning_effort"] = "none"
        if any(re.search(rf"\b{name}\b", message) for name in VENDOR_FIELDS):
            changes["vendor_fields"] = False
    if "reasoning_content" in message and "passed back" in message:
        changes = {"vendor_fields": True, "padded_reasoning": True}
    if "tool call id" in message.lower() and "length of 9" in message:
        changes["short_call_ids"] = True
    return replace(profile, **changes) if changes else None


def adapt_responses(profile: ResponsesProfile, error: ProviderError, sent: JsonObject) -> ResponsesProfile | None:
    """What a refusal teaches about a Responses server; None where it teaches nothing."""
    if not _is_refusal(error):
        return None
    message = error.message
    changes: dict[str, Any] = {}
    if error.provider_code == "invalid_encrypted_content":
        changes["echoed_reasoning"] = False
    if _UNKNOWN.search(message):
        changes |= {name: False for name in ("temperature", "parallel_tool_calls") if _names(message, name, sent)}
        if re.search(r"encrypted[ _]content", message, re.IGNORECASE) or _names(message, "include", sent):
            changes["encrypted_reasoning"] = False
        if "text" in sent and re.search(r"\btext\.format\b|json_schema", message):
            changes["text_format"] = False
    return replace(profile, **changes) if changes else None


def _is_refusal(error: ProviderError) -> bool:
    return error.status in _REFUSALS and error.reason == "bad_request"


def _names(message: str, parameter: str, sent: JsonObject) -> bool:
    return parameter in sent and re.search(rf"\b{parameter}\b", message) is not None


def _other_limit(name: str) -> str:
    return "max_tokens" if name == "max_completion_tokens" else "max_completion_tokens"
