"""A bounded HTTP client for a plugin's service: one request, and one whole response or one clear error.

Nothing is retried and no redirect is followed: a plugin knows how often a request was sent, and to which host.
"""

from __future__ import annotations

from finclaw_cli.sdk.http.client import HttpClient, is_allowed_address
from finclaw_cli.sdk.http.limit import RequestLimit
from finclaw_cli.sdk.http.response import HttpError, HttpResponse, NotSent, RateLimited

__all__ = ["HttpClient", "HttpError", "HttpResponse", "NotSent", "RateLimited", "RequestLimit", "is_allowed_address"]
