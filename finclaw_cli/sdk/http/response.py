"""Responses of a plugin's service, and the errors in their place."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from finclaw_cli.core.errors import ToolError
from finclaw_cli.core.finance import no_data
from finclaw_cli.sdk.http.limit import LONGEST_PAUSE_S

_SUCCESS, _REDIRECTS, _REFUSALS, _SERVER_ERROR = range(200, 300), range(300, 400), frozenset({401, 403}), 500
# One coding inside another, of which a few bytes hold gigabytes, is not decoded.
_CODINGS = frozenset({"", "identity", "gzip"})
_MAX_SHOWN = 40


class HttpError(ToolError):
    """The service gave nothing that may be taken for data; a tool may raise it as it is.

    `why` goes on after the name of the service, as in `gave no whole answer within 6 s`.
    """

    def __init__(self, service: str, why: str, *, code: str = "NO_DATA") -> None:
        super().__init__(str(no_data(f"{service} {why}", code=code)), outage=True)
        self.why = why


class NotSent(HttpError):
    """The service has certainly done nothing: the request was not sent or, as `RateLimited`, refused."""


class RateLimited(NotSent):
    """The service asks to wait for `retry_after_s` seconds."""

    def __init__(self, service: str, retry_after_s: int) -> None:
        why = f"refuses further requests for now; retry_after: {retry_after_s} s"
        super().__init__(service, why, code="RATE_LIMITED")
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """A whole response; secrets are masked in its content."""

    service: str
    status: int
    headers: Mapping[str, str]
    """By lower-case names."""
    content: bytes
    """Empty where it is in a coding that is not read."""

    @property
    def media_type(self) -> str:
        """The `Content-Type` without parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def check_coding(self) -> None:
        """Refuse a response that is compressed in a way that is not read.

        Raises:
            HttpError: it is.
        """
        if not is_readable(self.headers):
            coding = self.headers.get("content-encoding", "")
            raise HttpError(self.service, f"compressed its answer as {coding[:_MAX_SHOWN]!r}, which is not read")

    def check_status(self, allowed: Collection[int] = ()) -> None:
        """Refuse a response that is no success, unless its status is one of `allowed`.

        Raises:
            HttpError: it is not.
        """
        if self.status in _SUCCESS or self.status in allowed:
            return
        if self.status >= _SERVER_ERROR:
            why = "has an error of its own"
        elif self.status in _REDIRECTS:
            why = "redirects to another address, which is refused"
        else:
            why = "refuses to answer" if self.status in _REFUSALS else "rejects the request"
        raise HttpError(self.service, f"{why} (status {self.status})")

    def json(self) -> object:
        """The JSON in the response, whatever the status; numbers with a fraction are Decimals, NaN is refused.

        Raises:
            HttpError: it is something else, damaged, or cut off.
        """
        kind = self.media_type
        if not (kind in {"application/json", "text/json"} or kind.endswith("+json")):
            what = "an HTML page" if "html" in kind else _printable(kind[:_MAX_SHOWN]) or "something"
            raise HttpError(self.service, f"answered with {what} instead of data (status {self.status})")
        try:
            body: object = json.loads(self.content, parse_float=Decimal, parse_constant=_no_constant)
        except (ValueError, RecursionError, ArithmeticError):
            raise HttpError(self.service, "answered with JSON that is damaged or cut off") from None
        return body

    def retry_after_s(self, usual_s: int = 60) -> int:
        """How long `Retry-After` asks to wait, in seconds or until a date: at least a second, at most an hour."""
        text = self.headers.get("retry-after", "").strip()
        seconds = int(text[:9]) if text.isascii() and text.isdigit() else _seconds_until(text)
        return usual_s if seconds is None else min(max(seconds, 1), int(LONGEST_PAUSE_S))


def is_readable(headers: Mapping[str, str]) -> bool:
    """Whether a response is not compressed, or in a way that is decoded."""
    return headers.get("content-encoding", "").strip().lower() in _CODINGS


def _seconds_until(text: str) -> int | None:
    from email.utils import parsedate_to_datetime

    try:
        return int((parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()) + 1
    except (ValueError, TypeError, OverflowError):
        return None


def _printable(text: str) -> str:
    return "".join(mark if mark.isprintable() else " " for mark in text)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number")
