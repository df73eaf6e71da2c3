"""The words in which providers say what went wrong, and what each means. Data, for `failures`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from finclaw_cli.core.errors import ProviderFailure

_BY_REASON: Final[Mapping[ProviderFailure, tuple[str, ...]]] = {
    "quota": (
        "insufficient_quota",
        "credit_balance_exhausted",
        "organization_spend_limit_exceeded",
        "project_spend_limit_exceeded",
        "organization_usage_limit_exceeded",
        "enforced_spend_limit_reached",
        "contract_spend_limit_reached",
        "billing_error",
        "billing_hard_limit_reached",
        "billing_not_active",
        "insufficient_balance",
        "payment_required",
    ),
    "context_exceeded": (
        "context_length_exceeded",
        "context_window_exceeded",
        "model_context_window_exceeded",
        "exceed_context_size_error",
        # Anthropic's limit in bytes, which a conversation meets sooner or later as it meets the one in tokens.
        "request_too_large",
    ),
    "rate_limit": (
        "rate_limit_error",
        "rate_limit_exceeded",
        "rate_limited",
        "slow_down",
        "too_many_requests",
        "resource_exhausted",
    ),
    "overloaded": (
        "overloaded_error",
        "overloaded",
        "engine_overloaded",
        "service_unavailable",
        "service_unavailable_error",
        "unavailable",
    ),
    "server_error": ("server_error", "internal_error", "internal_server_error", "internal", "tool_use_failed"),
    "timeout": ("timeout_error", "timeout", "request_timeout", "deadline_exceeded"),
    "auth": (
        "authentication_error",
        "permission_error",
        "invalid_api_key",
        "api_key_invalid",
        "api_key_service_blocked",
        "invalid_authentication",
        "unauthenticated",
        "permission_denied",
        "account_deactivated",
    ),
    "refused": (
        "content_filter",
        "content_policy_violation",
        "responsibleaipolicyviolation",
        "invalid_prompt",
        "bio_policy",
        "misalignment_policy_violation",
    ),
    "bad_request": (
        "not_found_error",
        "model_not_found",
        "unsupported_value",
        "unsupported_parameter",
    ),
}
WORDS: Final[Mapping[str, ProviderFailure]] = {word: reason for reason, words in _BY_REASON.items() for word in words}
# Words that some servers use for everything: the status knows better, where there is one.
WEAK: Final[Mapping[str, ProviderFailure]] = {
    "api_error": "server_error",
    "invalid_request_error": "bad_request",
    "invalid_argument": "bad_request",
    "failed_precondition": "bad_request",
}

_STATUSES: Final[Mapping[int, ProviderFailure]] = {
    401: "auth",
    402: "quota",
    403: "auth",
    408: "timeout",
    409: "server_error",
    413: "context_exceeded",
    425: "server_error",
    429: "rate_limit",
    503: "overloaded",
    529: "overloaded",
}
_SERVER_ERROR = 500

# What follows is compiled when it is used: most runs see no failure.
CONTEXT: Final = (
    r"(?i)prompt is too long|maximum context length|context (?:length|window|size|limit)[^.]*exceed"
    r"|exceed[^.]*context (?:length|window|size|limit)|available context size|input token count[^.]*exceeds"
    r"|reduce the length of the messages|too many tokens in the (?:prompt|request)"
)
EMPTY_PURSE: Final = r"(?i)credit balance is too low|insufficient (?:balance|credits|funds)|\binsufficient_quota\b"
BAD_KEY: Final = r"(?i)\bapi key (?:is )?(?:not valid|invalid|expired)|\b(?:invalid|incorrect|missing) api key\b"
# A model that was made without tools, and servers where they have to be switched on.
NO_TOOLS: Final = (
    r"(?i)\b(?:does not|doesn't|not) support (?:tools?|tool use|tool calls?|tool calling|functions?|function calling)\b"
    r"|\b(?:tools?|tool[ _]us(?:e|ing)|tool[ _]calling|function calling)[`'\"]? (?:is|are) not (?:supported|enabled)"
    r"|no endpoints found that support tool use|tools? (?:param|choice) requires|enable-auto-tool-choice"
    r"|unsupported parameter: ['`\"]?tools\b"
)


def of_status(status: int | None) -> ProviderFailure | None:
    """The meaning of an HTTP status by itself; `None` for none, and for a success that carried an error."""
    if status is None or status < 300:  # noqa: PLR2004 - the successes
        return None
    if found := _STATUSES.get(status):
        return found
    return "server_error" if status >= _SERVER_ERROR else "bad_request"
