"""How long a server asks a client to wait, in the several forms that servers use."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime

# No header with a time or a duration is longer; longer values are ignored.
MAX_VALUE_CHARS = 64
LONGEST_WAIT_S = 366 * 24 * 3600.0
# Under this the proxy repeats the headers of the server behind it.
_LITELLM = "llm_provider-"
_DURATION = r"(\d+(?:\.\d+)?)(ms|h|m|s)"
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def retry_after_s(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Return the seconds until a retry makes sense, at most a year; `None` where no header has it in a known form.

    `retry-after-ms` and `retry-after` (seconds or an HTTP date) come first, also those of the server behind a litellm
    proxy; else the latest reset among the limits that are used up. Raises nothing, whatever the headers hold.
    """
    now = now or datetime.now(UTC)
    values = {name.lower(): value.strip() for name, value in headers.items() if len(value) <= MAX_VALUE_CHARS}
    for prefix in ("", _LITELLM):
        milliseconds = _number(values.get(f"{prefix}retry-after-ms", ""))
        if milliseconds is not None:
            return _bounded(milliseconds / 1000)
        if asked := values.get(f"{prefix}retry-after"):
            seconds = _number(asked)
            return _bounded(seconds) if seconds is not None else _until_http_date(asked, now)
    waits = [wait for name in values if (wait := _reset_of(name, values, now)) is not None]
    return max(waits, default=None)


def _reset_of(name: str, values: Mapping[str, str], now: datetime) -> float | None:
    if "-ratelimit-" not in name or "reset" not in name:
        return None
    if values.get(name.replace("reset", "remaining")) != "0":
        return None
    return _until(values[name], now)


def _until(text: str, now: datetime) -> float | None:
    """An RFC 3339 moment (Anthropic) or a duration such as `6m0s` (OpenAI) or bare seconds."""
    if (seconds := _number(text)) is not None:
        return _bounded(seconds)
    if parts := re.findall(_DURATION, text):
        return _bounded(sum(float(amount) * _SECONDS[unit] for amount, unit in parts))
    with suppress(ValueError, TypeError, OverflowError):
        return _bounded((datetime.fromisoformat(text) - now).total_seconds())
    return None


def _until_http_date(text: str, now: datetime) -> float | None:
    from email.utils import parsedate_to_datetime

    # The parser is lenient, and raises many kinds of errors for what it does not foresee.
    with suppress(Exception):
        moment = parsedate_to_datetime(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return _bounded((moment - now).total_seconds())
    return None


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.0), LONGEST_WAIT_S)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
