"""Requests to OpenDART, Korea's register of disclosures: one bounded answer, or an error with its status code.

Addresses, fields and status codes: https://opendart.fss.or.kr/guide/main.do. An error comes with HTTP status 200.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from finclaw_cli.sdk.http import HttpClient, HttpError, HttpResponse, RateLimited, RequestLimit
from finclaw_cli.sdk.render import bounded
from finclaw_cli.sdk.tabular import FileProblem
from finclaw_cli.sdk.xml import read_xml
from finclaw_filings.problems import LiveProblem
from finclaw_filings.sec_json import parsed

KEY, URL = "OPENDART_API_KEY", "OPENDART_URL"
_HOST = "opendart.fss.or.kr"
MAX_BYTES = 100_000_000
INTERVAL_S = 0.1
_TIMEOUT_S = 20.0
# The limit counts requests of a day; when the day is over is not documented.
_REFUSED_S = 3600
_OK, _NO_DATA, _TOO_MANY = "000", "013", "020"
_KEY_REFUSED = frozenset({"010", "011", "012", "901"})
_OUTAGES = frozenset({"800", "900"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DartAccess:
    """With which key OpenDART is asked, and where it is."""

    key: str
    url: str


def has_key() -> bool:
    """Whether the user has given a key."""
    return bool(os.environ.get(KEY, "").strip())


def dart_access() -> DartAccess:
    """The key and the address, from the environment.

    Raises:
        LiveProblem: NOT_CONFIGURED: there is no key, it can be none, or the address is not OpenDART's.
    """
    from finclaw_cli.sdk.http import is_allowed_address

    key = os.environ.get(KEY, "").strip()
    if not key:
        raise LiveProblem(f"{KEY} is not set; OpenDART gives a key to all who register", code="NOT_CONFIGURED")
    if not (key.isascii() and key.isalnum()):
        raise LiveProblem(f"{KEY} holds something that cannot be a key", code="NOT_CONFIGURED")
    url = os.environ.get(URL, "").strip().removesuffix("/") or f"https://{_HOST}"
    if not is_allowed_address(url, {_HOST}):
        raise LiveProblem(f"{URL} must be https://{_HOST} or a loopback address", code="NOT_CONFIGURED")
    return DartAccess(key=key, url=url)


def fetch_json(access: DartAccess, home: Path, path: str, params: Mapping[str, str]) -> dict[str, object] | None:
    """The JSON object of an answer; None where OpenDART has no data (status 013).

    Raises:
        LiveProblem: RATE_LIMITED, NOT_CONFIGURED for a key that is refused, or NO_DATA.
    """
    client, response = _answer(access, home, path, params)
    try:
        document = parsed(response.content)
    except FileProblem as problem:
        raise LiveProblem(f"OpenDART's answer cannot be used: {problem}: {path}", outage=True) from None
    status = str(document.get("status", ""))
    if status == _NO_DATA:
        return None
    _check(client, response, status, str(document.get("message", "")))
    return document


def fetch_zip(access: DartAccess, home: Path, path: str) -> bytes:
    """A zip file; an error comes as XML in its place.

    Raises:
        LiveProblem: as `fetch_json`.
    """
    client, response = _answer(access, home, path, {})
    if response.content.lstrip()[:1] != b"<":
        return response.content
    try:
        root = read_xml(response.content.lstrip())
    except FileProblem:
        raise LiveProblem(f"OpenDART sent a page where a zip was expected: {path}", outage=True) from None
    _check(client, response, root.first("result", "status") or "none", root.first("result", "message"))
    raise LiveProblem(f"OpenDART sent no zip: {path}", outage=True)


def _answer(access: DartAccess, home: Path, path: str, params: Mapping[str, str]) -> tuple[HttpClient, HttpResponse]:
    client = HttpClient(
        service="OpenDART",
        addresses=(access.url,),
        secrets=(access.key,),
        timeout_s=_TIMEOUT_S,
        max_bytes=MAX_BYTES,
        limit=RequestLimit("opendart", home, INTERVAL_S),
    )
    try:
        response = client.get(f"{access.url}{path}", {**params, "crtfc_key": access.key})
        response.check_status()
        response.check_coding()
    except RateLimited as error:
        raise LiveProblem(f"OpenDART {error.why}", code="RATE_LIMITED") from None
    except HttpError as error:
        raise LiveProblem(f"OpenDART {error.why}: {path}", outage=True) from None
    if not response.content.strip():
        raise LiveProblem(f"OpenDART gave an empty answer: {path}", outage=True)
    return client, response


def _check(client: HttpClient, response: HttpResponse, status: str, message: str) -> None:
    """Check the status code of an answer."""
    if status == _OK:
        return
    if status == _TOO_MANY:
        error = client.rate_limited(response, _REFUSED_S)
        raise LiveProblem(f"OpenDART's limit of requests is used up (status 020); it {error.why}", code="RATE_LIMITED")
    shown = f"(status {bounded(status, 10)}: {bounded(message, 150)})"
    if status in _KEY_REFUSED:
        raise LiveProblem(f"OpenDART does not accept the key in {KEY} {shown}", code="NOT_CONFIGURED")
    if status in _OUTAGES:
        raise LiveProblem(f"OpenDART is out of service {shown}", outage=True)
    raise LiveProblem(f"OpenDART refused the request {shown}")
