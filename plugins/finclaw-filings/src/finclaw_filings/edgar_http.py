"""EDGAR's wire: one request, one bounded answer; an error page, a cut-off file or a redirect is never data."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Literal

from finclaw_filings.problems import LiveProblem
from finclaw_filings.settings import Access
from finclaw_filings.slots import block, rate_limited, wait_for_slot

Want = Literal["json", "text"]
MAX_BYTES = 100_000_000
_OK, _FORBIDDEN, _NOT_FOUND, _TOO_MANY, _SERVER = 200, 403, 404, 429, 500
# The SEC's documented time of a block, where a response has no header for it.
_REFUSED_S = 600
_CODINGS = frozenset({"", "identity", "gzip"})
_TYPES = {"json": ("application/json",), "text": ("text/html", "text/plain", "application/xhtml+xml")}
# The page that stands in for the filing when too much was asked for comes with status 200 at times.
_REFUSAL = re.compile(rb"Request Rate Threshold Exceeded|Undeclared Automated Tool", re.IGNORECASE)


class EdgarHttp:
    """Requests to EDGAR under the user's name."""

    def __init__(self, access: Access, home: Path, *, timeout_s: float) -> None:
        self._access = access
        self._home = home
        self._timeout_s = timeout_s

    def get(self, url: str, want: Want) -> bytes:
        """The content at an address of EDGAR.

        Raises:
            LiveProblem: RATE_LIMITED; NO_DATA where there is nothing, or nothing that may be taken for data.
        """
        import httpx2

        wait_for_slot(self._home)
        try:
            return self._in_time(url, want)
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL) as error:
            why = type(error).__name__
            raise LiveProblem(f"EDGAR gave no whole answer ({why}) for {url}", outage=True) from None

    def _in_time(self, url: str, want: Want) -> bytes:
        """The exchange, given up when its time is over: a server that sends a header byte by byte ends no timeout."""
        answers: SimpleQueue[bytes | Exception] = SimpleQueue()

        def exchange() -> None:
            try:
                answers.put(self._exchange(url, want))
            except Exception as error:  # noqa: BLE001 - raised again where it is waited for
                answers.put(error)

        Thread(target=exchange, name="edgar", daemon=True).start()
        try:
            answer = answers.get(timeout=self._timeout_s)
        except Empty:
            raise LiveProblem(f"EDGAR's answer is too slow: {url}", outage=True) from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _exchange(self, url: str, want: Want) -> bytes:
        import httpx2

        headers = {"User-Agent": self._access.identity, "Accept-Encoding": "gzip"}
        client = httpx2.Client(headers=headers, timeout=self._timeout_s, trust_env=False, follow_redirects=False)
        until = time.monotonic() + self._timeout_s
        with client, client.stream("GET", url) as response:
            self._check_status(response.status_code, response.headers, url)
            self._check_coding(response.headers.get("content-encoding", ""), url)
            chunks: list[bytes] = []
            size = 0
            for chunk in response.iter_bytes():
                size += len(chunk)
                # Both bounds: a server may send for ever, or send one byte a second.
                if size > MAX_BYTES or time.monotonic() > until:
                    raise LiveProblem(f"EDGAR's answer is too large or too slow: {url}", outage=True)
                chunks.append(chunk)
            content = b"".join(chunks)
            self._check_content(content, response.headers.get("content-type", ""), want, url)
            return content

    def _check_status(self, status: int, headers: Mapping[str, str], url: str) -> None:
        if status == _OK:
            return
        if status in {_TOO_MANY, _FORBIDDEN}:
            raise self._refused(headers.get("retry-after", ""))
        if status == _NOT_FOUND:
            raise LiveProblem(f"EDGAR has nothing at {url}")
        if 300 <= status < 400:  # noqa: PLR2004 - redirects
            raise LiveProblem(f"EDGAR redirects {url} elsewhere, which is not followed", outage=True)
        raise LiveProblem(f"EDGAR answers with status {status} for {url}", outage=status >= _SERVER)

    def _check_coding(self, coding: str, url: str) -> None:
        # One coding inside another, of which a few bytes hold gigabytes, is none that was asked for.
        if coding.strip().lower() not in _CODINGS:
            raise LiveProblem(f"EDGAR's answer is compressed as {coding[:40]!r}: {url}", outage=True)

    def _check_content(self, content: bytes, media: str, want: Want, url: str) -> None:
        if not content.strip():
            raise LiveProblem(f"EDGAR's answer is empty: {url}", outage=True)
        if _REFUSAL.search(content[:20_000]):
            raise self._refused("")
        kind = media.partition(";")[0].strip().lower()
        if kind not in _TYPES[want]:
            raise LiveProblem(f"EDGAR sent {kind[:40] or 'no type'!r} where {want} was expected: {url}", outage=True)

    def _refused(self, retry_after: str) -> LiveProblem:
        seconds = int(retry_after) if retry_after.isascii() and retry_after.isdigit() and len(retry_after) < 6 else 0  # noqa: PLR2004
        seconds = seconds or _REFUSED_S
        block(self._home, seconds)
        return rate_limited(seconds)
