"""Requests to Alpaca: parsed responses, or an error with a remedy."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from finclaw_cli.sdk import ToolError
from finclaw_cli.sdk.http import HttpError
from finclaw_paper.alpaca_http import AlpacaHttp, Answer
from finclaw_paper.alpaca_shapes import Body, Misread, as_object, word
from finclaw_paper.problems import not_configured
from finclaw_paper.settings import PaperSettings

OK = frozenset({200, 201})
UNAUTHORIZED, FORBIDDEN, NOT_FOUND, RATE_LIMITED = 401, 403, 404, 429
_SHORT_S = 4.0
# Alpaca's own numbers of errors begin with the status they belong to: 40310000 is "insufficient buying power".
_REASON_OF_403 = range(40310000, 40400000)


class Desk:
    """One call's questions to Alpaca."""

    def __init__(self, settings: PaperSettings, secret_of: Callable[[str], str | None]) -> None:
        self.http = AlpacaHttp(settings, secret_of)
        self.timeout_s = float(settings.timeout_s)
        self.url = settings.base_url

    async def get(self, path: str, params: Mapping[str, str] | None = None, *, timeout_s: float = _SHORT_S) -> object:
        """The JSON of a page; None where Alpaca reports that there is no such thing.

        Raises:
            ToolError: NOT_CONFIGURED, RATE_LIMITED or UNAVAILABLE.
        """
        try:
            answer = await self.http.ask("GET", path, params=params, timeout_s=min(timeout_s, self.timeout_s))
        except HttpError as error:
            raise unavailable(f"it {error.why}") from None
        if answer.is_json and answer.status in OK:
            return answer.body
        # A status of 404 may be a proxy's; only Alpaca's own JSON means that there is nothing.
        if answer.is_json and answer.status == NOT_FOUND:
            return None
        raise self.failure(answer)

    async def lookup(self, client_order_id: str, *, timeout_s: float = _SHORT_S) -> Body | None:
        """The order of that id, or None where Alpaca reports that there is none.

        Raises:
            ToolError: Alpaca does not say, or not in a way that is understood.
        """
        params = {"client_order_id": client_order_id}
        body = await self.get("/v2/orders:by_client_order_id", params, timeout_s=timeout_s)
        if body is None:
            return None
        try:
            found = as_object(body)
            if word(found, "client_order_id") == client_order_id:
                return found
        except Misread as error:
            raise misread(error) from None
        raise unavailable("the answer is about another order")

    def failure(self, answer: Answer) -> ToolError:
        """What an answer that is no success means."""
        if is_denied(answer):
            return not_configured(f"Alpaca does not accept the keys ({answer.status}); check {self.http.variables}")
        if answer.status == RATE_LIMITED:
            return rate_limited(answer)
        if not answer.is_json:
            return unavailable(f"status {answer.status} with something that is not JSON")
        return unavailable(f"status {answer.status}: {answer.message}")


def is_denied(answer: Answer) -> bool:
    """Whether it was the keys that were refused, and not the order."""
    if answer.status == UNAUTHORIZED:
        return True
    return answer.status == FORBIDDEN and answer.code not in _REASON_OF_403


def rate_limited(answer: Answer) -> ToolError:
    """Too many requests, with the time to wait if Alpaca sends it."""
    wait_s = answer.retry_after_s
    return ToolError(f"RATE_LIMITED: Alpaca asks to wait; retry_after={wait_s} s. Nothing was placed or changed.")


def unavailable(why: str) -> ToolError:
    """A question that was not answered; nothing depends on it."""
    return ToolError(f"UNAVAILABLE: Alpaca did not answer: {why}. Nothing was placed. Do not estimate the answer.")


def misread(error: Misread) -> ToolError:
    """An answer that is JSON but not Alpaca's."""
    return unavailable(f"the answer was not understood ({error})")
