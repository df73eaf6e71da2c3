"""Requests to EDGAR: one bounded answer; an error page, a cut-off file or a redirect is never data.

All processes together send at most eight requests a second, and none while EDGAR refuses: the SEC allows ten a second
for a person, whatever the number of programs, and blocks who sends more.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from finclaw_cli.sdk.http import HttpClient, HttpError, HttpResponse, RateLimited, RequestLimit
from finclaw_filings.problems import LiveProblem
from finclaw_filings.settings import Access

Want = Literal["json", "text"]
MAX_BYTES = 100_000_000
INTERVAL_S = 0.125
_FORBIDDEN, _NOT_FOUND, _TOO_MANY = 403, 404, 429
# The SEC's documented time of a block, where a response has no header for it.
_REFUSED_S = 600
_TYPES = {"json": ("application/json",), "text": ("text/html", "text/plain", "application/xhtml+xml")}
# The page that stands in for the filing when too much was asked for comes with status 200 at times.
_REFUSAL = re.compile(rb"Request Rate Threshold Exceeded|Undeclared Automated Tool", re.IGNORECASE)


def fetch(access: Access, home: Path, url: str, want: Want, *, timeout_s: float) -> bytes:
    """The content at an address of EDGAR, requested under the user's name.

    Raises:
        LiveProblem: RATE_LIMITED; NO_DATA where there is nothing, or nothing that may be taken for data.
    """
    client = HttpClient(
        service="EDGAR",
        addresses=(access.base_url, access.data_url),
        headers={"User-Agent": access.identity, "Accept-Encoding": "gzip"},
        timeout_s=timeout_s,
        max_bytes=MAX_BYTES,
        limit=RequestLimit("edgar", home, INTERVAL_S),
    )
    try:
        response = client.get(url)
        if response.status in {_TOO_MANY, _FORBIDDEN} or _REFUSAL.search(response.content[:20_000]):
            raise client.rate_limited(response, _REFUSED_S)
        if response.status == _NOT_FOUND:
            raise LiveProblem(f"EDGAR has nothing at {url}")
        response.check_status()
        response.check_coding()
        _check_content(response, want)
    except RateLimited as error:
        raise LiveProblem(f"EDGAR {error.why}", code="RATE_LIMITED") from None
    except HttpError as error:
        raise LiveProblem(f"EDGAR {error.why}: {url}", outage=True) from None
    return response.content


def _check_content(response: HttpResponse, want: Want) -> None:
    if not response.content.strip():
        raise HttpError(response.service, "gave an empty answer")
    kind = response.media_type
    if kind not in _TYPES[want]:
        raise HttpError(response.service, f"sent {kind[:40] or 'no type'!r} where {want} was expected")
