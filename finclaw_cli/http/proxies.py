"""Proxies of the environment: whether one is used, and whether its address is valid. httpx2 applies the exceptions."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from urllib.parse import urlsplit

_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_SYSTEMS_WITH_PROXIES = ("Darwin", "Windows")  # of their own, beside the environment's


def may_be_one() -> bool:
    """Whether the environment or the system names any."""
    if any(_named()):
        return True
    if platform.system() not in _SYSTEMS_WITH_PROXIES:
        return False
    from urllib.request import getproxies

    return bool(getproxies())


def unusable() -> str | None:
    """A variable whose proxy has no address; its value is not shown, as it may hold a password."""
    return next((variable for variable, address in _named() if not _is_address(address)), None)


def _named() -> Iterator[tuple[str, str]]:
    for variable in (*_VARIABLES, *map(str.lower, _VARIABLES)):
        if address := os.environ.get(variable):
            yield variable, address


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none, most often because of a sign in a password
        return False
