"""How long a server asked us to wait, in the several ways servers say it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime

# Under this the proxy repeats the headers of the server behind it.
_LITELLM = "llm_provider-"
_DURATION = r"(\d+(?:\.\d+)?)(ms|h|m|s)"
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def retry_after_s(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Seconds until a retry makes sense; `None` where the server did not say. Never negative.

    `retry-after-ms` and `retry-after` (seconds or an HTTP date) come first, also those of the server behind a litellm
    proxy; else the latest reset among the limits that are used up.
    """
    now = now or datetime.now(UTC)
    for prefix in ("", _LITELLM):
        milliseconds = _number(headers.get(f"{prefix}retry-after-ms", ""))
        if milliseconds is not None:
            return milliseconds / 1000
        if asked := headers.get(f"{prefix}retry-after", "").strip():
            seconds = _number(asked)
            return seconds if seconds is not None else _until_http_date(asked, now)
    waits = [wait for name in headers if (wait := _reset_of(name.lower(), headers, now)) is not None]
    return max(waits, default=None)


def _reset_of(name: str, headers: Mapping[str, str], now: datetime) -> float | None:
    if "-ratelimit-" not in name or "reset" not in name:
        return None
    if headers.get(name.replace("reset", "remaining"), "").strip() != "0":
        return None
    return _until(headers[name].strip(), now)


def _until(text: str, now: datetime) -> float | None:
    """An RFC 3339 moment (Anthropic) or a duration such as `6m0s` (OpenAI) or bare seconds."""
    if (seconds := _number(text)) is not None:
        return seconds
    if parts := re.findall(_DURATION, text):
        return sum(float(amount) * _SECONDS[unit] for amount, unit in parts)
    try:
        return max(0.0, (datetime.fromisoformat(text) - now).total_seconds())
    except (ValueError, TypeError):
        return None


def _until_http_date(text: str, now: datetime) -> float | None:
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
