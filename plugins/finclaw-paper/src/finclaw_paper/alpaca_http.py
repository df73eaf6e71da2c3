"""Requests to Alpaca with the user's keys, which are in no message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from finclaw_cli.sdk.http import HttpClient, HttpError
from finclaw_paper.problems import not_configured, quoted
from finclaw_paper.settings import PaperSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back: JSON, or nothing that may be taken for data."""

    status: int
    body: object = None
    is_json: bool = False
    retry_after_s: int = 60

    @property
    def message(self) -> str:
        """Alpaca's own words about an error, on one line."""
        text = self.body.get("message") if isinstance(self.body, dict) else None
        return quoted(text) if isinstance(text, str) else f"status {self.status} without a reason"

    @property
    def code(self) -> int:
        """Alpaca's own number of an error, 0 where there is none."""
        found = self.body.get("code") if isinstance(self.body, dict) else None
        return found if isinstance(found, int) else 0


class AlpacaHttp:
    """Requests to one address with one pair of keys."""

    def __init__(self, settings: PaperSettings, secret_of: Callable[[str], str | None]) -> None:
        names = (settings.key_variable, settings.secret_variable)
        key, secret = (_key(name, secret_of) for name in names)
        self._url = settings.base_url
        self.variables = " and ".join(names)
        """The names of the variables the keys are in, for messages."""
        self._client = HttpClient(
            service="Alpaca",
            addresses=(self._url,),
            headers={"APCA-API-KEY-ID": key, "APCA-API-SECRET-KEY": secret, "Accept": "application/json"},
            secrets=(key, secret),
        )

    async def ask(
        self,
        method: str,
        path: str,
        *,
        timeout_s: float,
        params: Mapping[str, str] | None = None,
        body: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send one request and read its answer, all of it within `timeout_s` seconds.

        Raises:
            NotSent: it was not sent.
            HttpError: it may have been acted on, and the answer did not arrive whole.
        """
        response = await self._client.request(method, self._url + path, params=params, json=body, timeout_s=timeout_s)
        retry_after_s = response.retry_after_s()
        try:
            found = response.json()
        except HttpError:
            return Answer(status=response.status, retry_after_s=retry_after_s)
        return Answer(status=response.status, body=found, is_json=True, retry_after_s=retry_after_s)


def _key(name: str, secret_of: Callable[[str], str | None]) -> str:
    value = secret_of(name)
    if not value:
        raise not_configured(f"{name} is not set; it holds a key of an Alpaca paper account")
    if not value.isascii() or not value.isprintable() or " " in value:
        raise not_configured(f"{name} holds something that cannot be a key")
    return value
