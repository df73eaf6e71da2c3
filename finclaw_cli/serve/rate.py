"""How often something may be asked for."""

from __future__ import annotations

import time
from collections import deque
from http import HTTPStatus

from finclaw_cli.serve.problems import Problem

MINUTE_S = 60.0


class Rate:
    """So many requests in each minute."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._times: deque[float] = deque(maxlen=most)

    def count(self) -> None:
        """Count one more request.

        Raises:
            Problem: there were too many in the last minute.
        """
        now = time.monotonic()
        if len(self._times) == self._most and now - self._times[0] < MINUTE_S:
            raise Problem(
                HTTPStatus.TOO_MANY_REQUESTS, "too_many_requests", f"more than {self._most} requests a minute"
            )
        self._times.append(now)
