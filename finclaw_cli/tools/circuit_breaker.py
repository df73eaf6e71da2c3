"""A circuit breaker: a service that keeps failing is left alone for a while, then tried by one call alone."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Literal

from finclaw_cli.core.record import record

State = Literal["closed", "open", "half-open"]


@record(kw_only=True)
class CircuitSettings:
    """How much is put up with: failures in a row, and how long the circuit then stays open, in seconds."""

    failures: int = 5
    open_s: float = 30.0


class CircuitBreaker:
    """Counts failures in a row. Not for threads: all its callers share one event loop."""

    def __init__(self, settings: CircuitSettings, now: Callable[[], float] = monotonic) -> None:
        self._settings = settings
        self._now = now
        self._failures = 0
        self._opened_at = 0.0
        self.state: State = "closed"

    def wait_s(self) -> float:
        """How long until a call may be tried; 0 where it may go now. Half-open, one call goes alone.

        After 0 the caller owes `succeeded`, `failed` or `abandoned`.
        """
        match self.state:
            case "closed":
                return 0.0
            case "half-open":
                return self._settings.open_s
            case "open":
                left = self._opened_at + self._settings.open_s - self._now()
                if left <= 0:
                    self.state = "half-open"
                return max(left, 0.0)

    def succeeded(self) -> None:
        """The call worked."""
        self._failures = 0
        self.state = "closed"

    def failed(self) -> None:
        """The call failed, and not by its caller's fault."""
        self._failures += 1
        if self.state == "half-open" or self._failures >= self._settings.failures:
            self._open()

    def abandoned(self) -> None:
        """The call was cancelled: nothing was learned, and another may be tried."""
        if self.state == "half-open":
            self._open(since=self._opened_at)

    def _open(self, since: float | None = None) -> None:
        self.state = "open"
        self._opened_at = self._now() if since is None else since
