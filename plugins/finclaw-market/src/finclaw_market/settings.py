"""The user's table `[plugin.finclaw-market]`, and where services are: without it nothing is sent."""

from __future__ import annotations

import os
from typing import Literal

from pydantic import BaseModel

from finclaw_cli.sdk import no_data

ServiceName = Literal["yahoo", "fred"]
FRED_KEY = "FRED_API_KEY"
_URLS: dict[ServiceName, tuple[str, str]] = {
    "yahoo": ("FINCLAW_YAHOO_URL", "https://query1.finance.yahoo.com"),
    "fred": ("FINCLAW_FRED_URL", "https://api.stlouisfed.org"),
}


class MarketSettings(BaseModel, frozen=True):
    """`live` names the services that tools may ask about what the store has not, in this order; none by default."""

    live: list[ServiceName] = []


def base_url(service: ServiceName) -> str:
    """Where a service is: its own address, or its replacement in the environment.

    Raises:
        ToolError: NOT_CONFIGURED: that is no HTTPS or loopback address.
    """
    from finclaw_cli.sdk.http import is_allowed_address

    variable, usual = _URLS[service]
    url = os.environ.get(variable, "").removesuffix("/") or usual
    if not is_allowed_address(url):
        raise no_data(f"{variable} must be an https or a loopback address", code="NOT_CONFIGURED")
    return url


def fred_key() -> str:
    """The key of the FRED API, from the environment.

    Raises:
        ToolError: NOT_CONFIGURED: there is none, or it cannot be one.
    """
    key = os.environ.get(FRED_KEY, "")
    if not key:
        raise no_data(f"{FRED_KEY} is not set; FRED gives a key to all who ask", code="NOT_CONFIGURED")
    if not key.isascii() or not key.isalnum():
        raise no_data(f"{FRED_KEY} holds something that cannot be a key", code="NOT_CONFIGURED")
    return key
