"""What a failure of the wire means: one place that knows the words of all providers.

The provider's own type or code decides first, the HTTP status second: an overload inside a stream comes with status
200, an empty purse with 429. No SDK is imported here; their exceptions are recognised by the names of their classes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import ProviderError, ProviderFailure
from finclaw_cli.core.record import record
from finclaw_cli.http.failures import KEY
from finclaw_cli.providers.failure_words import BAD_KEY, CONTEXT, EMPTY_PURSE, NO_TOOLS, WEAK, WORDS, of_status
from finclaw_cli.providers.retry_after import retry_after_s

MAX_MESSAGE = 500
MAX_READ = 4_000
MAX_WORD = 80
MAX_IDENTIFIER = 200
# How deep an error is looked for inside of lists and details.
MAX_WRAPPING = 3
MAX_DETAILS = 8
BAD_REQUEST = 400
TOOLS_HINT = "leave the tools out with --tools none, or name a model that can call tools"
_NOTHING: Final[Mapping[str, str]] = {}
# litellm writes what it does not know as Python does.
_NO_WORDS = frozenset({"none", "null"})


def classify(
    provider: str, body: object, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> ProviderError:
    """Classify a failure reported by the server: the body of an error status, or an error event inside a stream."""
    headers = headers or _NOTHING
    facts = _facts(body)
    reason = _reason(facts, status)
    has_no_tools = reason in ("bad_request", "server_error") and re.search(NO_TOOLS, facts.message) is not None
    if has_no_tools:
        reason = "bad_request"
    return ProviderError(
        _message(provider, facts.message, status),
        reason=reason,
        code="tools_unsupported" if has_no_tools else None,
        provider_code=facts.words[0] if facts.words else None,
        provider=provider,
        status=status,
        request_id=_identifier(headers.get("request-id") or headers.get("x-request-id") or facts.request_id or ""),
        retry_after_s=retry_after_s(headers),
        hint=TOOLS_HINT if has_no_tools else _hint(reason, provider, status),
    )


def refused(provider: str, status: int, headers: Mapping[str, str], text: str) -> ProviderError:
    """Name a refusal by its status, its headers, and its body: JSON, or text where it is none."""
    content: object = text
    with suppress(ValueError, RecursionError):
        content = json.loads(text)
    return classify(provider, content, status=status, headers=headers)


@record
class _Facts:
    """The content of an error body. `words` are its codes and types, the most telling first, in lower case."""

    words: tuple[str, ...] = ()
    message: str = ""
    request_id: str | None = None


def _facts(body: object) -> _Facts:
    for _ in range(MAX_WRAPPING):
        if isinstance(body, list):
            body = body[0] if body else None
    if not isinstance(body, Mapping):
        return _Facts(message=body[:MAX_READ] if isinstance(body, str) else "")
    error = body.get("error")
    request_id = body.get("request_id")
    if isinstance(error, str):
        error = {"message": error}
    elif not isinstance(error, Mapping):
        error = body
    return _Facts(
        words=tuple(_words(error)),
        message=(_message_text(error.get("message")) or _message_text(error.get("detail")))[:MAX_READ],
        request_id=request_id if isinstance(request_id, str) else None,
    )


def _words(error: Mapping[object, object]) -> Iterator[str]:
    details = error.get("details")
    parts = [part for part in details[:MAX_DETAILS] if isinstance(part, Mapping)] if isinstance(details, list) else []
    found = (
        details.get("error_code") if isinstance(details, Mapping) else None,
        *(part.get("reason") for part in parts),  # Google's
        error.get("code"),
        error.get("type"),
        error.get("status"),
    )
    for word in found:
        if isinstance(word, str) and word and not word.isdigit() and word.lower() not in _NO_WORDS:
            yield clean_line(word[:MAX_WORD].lower())


def _message_text(value: object, depth: int = MAX_WRAPPING) -> str:
    """A message as text: some servers send the list of what their validation found, with the place of each."""
    if isinstance(value, str):
        return value
    if not depth:
        return ""
    if isinstance(value, Mapping):
        return _message_text(value.get("detail"), depth - 1) or _message_text(value.get("message"), depth - 1)
    found = [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
    return "; ".join(f"{_place(item.get('loc'))}: {_message_text(item.get('msg'), depth - 1)}" for item in found)


def _place(value: object) -> str:
    return ".".join(str(part) for part in value if isinstance(part, str | int)) if isinstance(value, list) else ""


def _identifier(value: str) -> str | None:
    return clean_line(value[:MAX_IDENTIFIER]) or None


def _reason(facts: _Facts, status: int | None) -> ProviderFailure:
    reason = _first_guess(facts, status)
    if reason in ("bad_request", "rate_limit") and re.search(EMPTY_PURSE, facts.message):
        return "quota"
    if reason == "bad_request" and re.search(BAD_KEY, facts.message):
        return "auth"
    if reason in ("bad_request", "server_error") and re.search(CONTEXT, facts.message):
        return "context_exceeded"
    return reason


def _first_guess(facts: _Facts, status: int | None) -> ProviderFailure:
    for word in facts.words:
        if word.startswith("linked_organization_"):
            return "quota"
        if reason := WORDS.get(word):
            return reason
    if (reason := of_status(status)) is not None:
        return reason
    return next((WEAK[word] for word in facts.words if word in WEAK), "server_error")


def _message(provider: str, message: str, status: int | None) -> str:
    message = re.sub(KEY, "[key]", clean_line(message)).strip()
    if not message or message.startswith("<"):
        message = f"failed with HTTP status {status}" if status else "failed without saying why"
    message = message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"
    return f"{provider}: {message}"


def _hint(reason: ProviderFailure, provider: str, status: int | None) -> str | None:
    match reason:
        case "quota":
            return f"check the plan and billing of your {provider} account, or name another model with --fallback"
        case "bad_request" if status is not None and status < BAD_REQUEST:
            return "redirects are not followed: is --base-url the address of the API itself?"
        case "bad_request" if status == 404:  # noqa: PLR2004 - the status of an unknown model or path
            return "check --model (`finclaw models list` shows what is known) and --base-url"
        case _:
            return None
