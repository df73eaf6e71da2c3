"""A model's server with a limit of requests a minute, which counts what it gets, and reports that as JSON at its end.

`python -m tests.batch.limited_server SECONDS LIMIT CAPACITY` serves in a process of its own, prints its address, and
the report when its stdin ends.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import deque
from typing import Any

from tests.batch.model_server import ModelServer, refusal

MINUTE_S = 60.0
REFUSAL = b'{"error":{"message":"too many","code":"rate_limit_exceeded"}}'


class LimitedServer(ModelServer):
    """Refuses what would be more than the limit and the capacity in the minute before.

    Args:
        limit: requests a minute, which the headers of each answer name.
        capacity: how many more it takes in one minute.
        delay_s: how long an answer takes.
    """

    def __init__(self, limit: int, capacity: int, delay_s: float = 0.0) -> None:
        super().__init__(delay_s)
        self.limit = limit
        self.capacity = capacity
        self.refused = 0
        self.most_in_a_minute = 0
        self.times: list[float] = []
        self._minute: deque[float] = deque()

    async def _answer(self, request: dict[str, Any]) -> bytes:
        now = time.monotonic()
        while self._minute and self._minute[0] <= now - MINUTE_S:
            self._minute.popleft()
        if len(self._minute) >= self.limit + self.capacity:
            self.refused += 1
            wait_s = self._minute[0] + MINUTE_S - now
            return refusal("429", f"retry-after: {wait_s:.3f}\r\n", REFUSAL)
        self._minute.append(now)
        self.times.append(now)
        self.most_in_a_minute = max(self.most_in_a_minute, len(self._minute))
        left = self.limit - len(self._minute)
        limits = f"x-ratelimit-limit-requests: {self.limit}\r\nx-ratelimit-remaining-requests: {max(left, 0)}\r\n"
        answer = await super()._answer(request)
        return answer.replace(b"content-type", limits.encode() + b"content-type", 1)

    def report(self) -> dict[str, float]:
        """What was counted; `used` is the share of the limit, from the first request to the last."""
        span_s = self.times[-1] - self.times[0] if len(self.times) > 1 else 0.0
        allowed = self.limit * span_s / MINUTE_S
        return {
            "requests": len(self.times),
            "seconds": round(span_s, 1),
            "refused": self.refused,
            "most_in_a_minute": self.most_in_a_minute,
            "used": round(len(self.times) / allowed, 4) if allowed else 0.0,
        }


async def _main(delay_s: float, limit: int, capacity: int) -> None:
    async with LimitedServer(limit, capacity, delay_s) as server:
        print(server.url, flush=True)
        await asyncio.to_thread(sys.stdin.read)
        print(json.dumps(server.report()), flush=True)


if __name__ == "__main__":
    asyncio.run(_main(float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
