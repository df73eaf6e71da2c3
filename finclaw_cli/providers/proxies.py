"""Whether anything is said of a proxy; of what is excepted from it, httpx2 knows."""

from __future__ import annotations

import os
import platform

_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_SYSTEMS_WITH_PROXIES = ("Darwin", "Windows")  # of their own, beside the environment's


def may_be_one() -> bool:
    """Whether the environment or the system names any."""
    if any(os.environ.get(name) or os.environ.get(name.lower()) for name in _VARIABLES):
        return True
    if platform.system() not in _SYSTEMS_WITH_PROXIES:
        return False
    from urllib.request import getproxies

    return bool(getproxies())
