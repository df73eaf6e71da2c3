"""Requests to Yahoo and FRED: one bounded answer in JSON, or an error. Keys are in no message."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from finclaw_cli.sdk import ToolError, no_data
from finclaw_cli.sdk.http import HttpClient, RequestLimit
from finclaw_cli.sdk.render import bounded

TIMEOUT_S = 6.0
_MAX_BYTES = 30_000_000
_TOO_MANY = 429
# The body explains these.
_EXPLAINED = frozenset(range(400, 500)) - {401, 403}
_MAX_SHOWN = 200
# Seconds between two requests; a stand-in on this machine needs none.
_INTERVAL_S = {"query1.finance.yahoo.com": 1.0, "api.stlouisfed.org": 0.6}
_HEADERS = {"Accept": "application/json", "User-Agent": "finclaw-market/0.1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """JSON that a service gave, with its numbers as Decimals."""

    status: int
    body: object
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A service of prices or series, as all processes with one data folder use it."""

    name: str
    base: str
    home: Path
    key: str = ""

    def ask(self, path: str, params: Mapping[str, str]) -> Answer:
        """Send one request; the query may hold the key.

        Raises:
            ToolError: RATE_LIMITED with `retry_after`, or NO_DATA where there was no whole JSON answer.
        """
        client = HttpClient(
            service=self.name,
            addresses=(self.base,),
            headers=_HEADERS,
            secrets=(self.key,),
            timeout_s=TIMEOUT_S,
            max_bytes=_MAX_BYTES,
            proxies=True,
            limit=RequestLimit(self.name.lower(), self.home, _INTERVAL_S.get(urlsplit(self.base).netloc, 0.0)),
        )
        response = client.get(self.base + path, params)
        if response.status == _TOO_MANY:
            raise client.rate_limited(response)
        response.check_status(_EXPLAINED)
        sha256 = hashlib.sha256(response.content).hexdigest()
        return Answer(status=response.status, body=response.json(), sha256=sha256)


def failed(message: str) -> ToolError:
    """The error of a service that is to blame itself."""
    return ToolError(str(no_data(message)), outage=True)


def error_field(body: object, key: str) -> str:
    """A service's own words about an error, on one line; empty where there are none."""
    text = body.get(key) if isinstance(body, dict) else None
    return bounded(text, _MAX_SHOWN) if isinstance(text, str) else ""
