"""Failures that come in the middle of a response with the status 200."""

from __future__ import annotations

import re

from finclaw_cli.core.json_text import JsonValue
from finclaw_cli.http.transport import RawEvent
from finclaw_cli.providers.failures import classify
from finclaw_cli.providers.fields import count, record, records

_STATUSES = range(400, 600)
_STATUS = re.compile(r"[45]\d\d", re.ASCII)


def raise_if_failed(event: RawEvent, provider: str) -> None:
    """Let an error event, in any of its shapes, be the error it is.

    Raises:
        ProviderError: what the server reported.
    """
    body: JsonValue = event.data
    if isinstance(body, list):
        # Gemini wraps its errors in an array.
        body = next(iter(records(body)), None)
    fault = record(body)
    if not (event.name == "error" or fault.get("error") or "error" in (fault.get("object"), fault.get("type"))):
        return
    code = record(fault.get("error") or body).get("code")
    # litellm sends the status as text.
    status = int(code) if isinstance(code, str) and _STATUS.fullmatch(code) else count(code)
    raise classify(provider, body, status=status if status in _STATUSES else None)
