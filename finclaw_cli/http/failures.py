"""Failures of an answer: it broke off, is too large, or is not what was asked for."""

from __future__ import annotations

from typing import Final

from finclaw_cli.core.clean import clean_line
from finclaw_cli.core.errors import ProviderError

# Servers quote the key that they did not accept.
KEY: Final = r"(?i)\b(?:sk|rk|pk|gsk|xai)[-_][\w*.-]{6,}|\bbearer\s+\S+|\bAIza[\w-]{20,}"


def truncated(provider: str, missing: str = "") -> ProviderError:
    """The stream ended, however politely, without its terminal marker; `missing` names it, where that helps."""
    return ProviderError(
        f"{provider}: the answer broke off before its end" + (f" ({missing})" if missing else ""),
        reason="connection",
        code="stream_truncated",
        provider=provider,
    )


def malformed(provider: str) -> ProviderError:
    """Something in the stream is not JSON."""
    return ProviderError(
        f"{provider}: the answer is not valid JSON", reason="connection", code="stream_malformed", provider=provider
    )


def contradictory(provider: str, what: str) -> ProviderError:
    """Parts of the stream contradict each other, though each is valid by itself."""
    return ProviderError(f"{provider}: {what}", reason="server_error", code="stream_malformed", provider=provider)


def oversized(provider: str, what: str, limit: int) -> ProviderError:
    """More bytes than any sane server sends."""
    return ProviderError(
        f"{provider}: the {what} is larger than {limit // 2**20} MiB",
        reason="server_error",
        code="stream_oversized",
        provider=provider,
    )


def overfull(provider: str, what: str, limit: int) -> ProviderError:
    """More parts in one answer than any model gives."""
    return ProviderError(
        f"{provider}: the answer has more than {limit:,} {what}",
        reason="server_error",
        code="stream_oversized",
        provider=provider,
        hint="ask for less at a time, or name another model",
    )


def not_a_stream(provider: str, kind: str) -> ProviderError:
    """The server answered with something that is no model's answer: a web page, most often."""
    return ProviderError(
        f"{provider}: the server answered with {clean_line(kind)[:80] or 'something unknown'}, not with a stream",
        reason="bad_request",
        code="not_a_stream",
        provider=provider,
        hint="is --base-url the address of the API, and not of its web page?",
    )


def unreadable(provider: str, coding: str) -> ProviderError:
    """The answer is compressed in a way that was not asked for, and cannot be undone."""
    return ProviderError(
        f"{provider}: the answer is compressed as {clean_line(coding)[:80]!r}, which was not asked for",
        reason="bad_request",
        code="unreadable_encoding",
        provider=provider,
        hint="is there a gateway in between that compresses answers? Only gzip and deflate can be read",
    )


def unsendable_key(provider: str) -> ProviderError:
    """No request can hold such a key; the HTTP client's own message would quote it."""
    return ProviderError(
        f"{provider}: the key cannot be sent: it holds characters that no key has, such as line breaks or quotes",
        reason="auth",
        code="bad_key",
        provider=provider,
    )
