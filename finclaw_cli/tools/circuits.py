"""The circuit breakers of a run's external tools, one a tool."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic

from finclaw_cli.core.events.internal import ToolCircuitChange
from finclaw_cli.core.ports import Emit
from finclaw_cli.core.tool import ToolSpec
from finclaw_cli.tools.circuit_breaker import CircuitBreaker, CircuitSettings


class CircuitOpen(Exception):
    """The tool's service failed too often; the message has the time at which it may be tried again."""


@dataclass(slots=True)
class Attempt:
    """One call of an external tool; the caller reports its outcome."""

    service_failed: bool | None = None
    """None where nothing was learned: the call never came to an end."""


class Circuits:
    """Lets calls of tools that are not external pass; the others go through their tool's breaker."""

    def __init__(
        self, settings: Mapping[str, CircuitSettings], emit: Emit, now: Callable[[], float] = monotonic
    ) -> None:
        self._settings = settings
        self._emit = emit
        self._now = now
        self._breakers: dict[str, CircuitBreaker] = {}

    @asynccontextmanager
    async def attempt(self, tool: ToolSpec) -> AsyncIterator[Attempt]:
        """Make one call inside; on leaving, the breaker records the attempt.

        Raises:
            CircuitOpen: the call must not be made now.
        """
        if not tool.external:
            yield Attempt()
            return
        key = f"{tool.source} {tool.name}"
        breaker = self._breakers.setdefault(
            key, CircuitBreaker(self._settings.get(tool.name, CircuitSettings()), self._now)
        )
        before = breaker.state
        wait_s = breaker.wait_s()
        if wait_s > 0:
            message = f'Tool "{tool.name}" is unavailable (circuit open, retry in {wait_s:.0f} s)'
            raise CircuitOpen(message)
        attempt = Attempt()
        try:
            await self._emit_change(tool, before, breaker)
            yield attempt
        finally:
            before = breaker.state
            _learn(breaker, attempt)
            await self._emit_change(tool, before, breaker)

    async def _emit_change(self, tool: ToolSpec, before: str, breaker: CircuitBreaker) -> None:
        if breaker.state != before:
            await self._emit(ToolCircuitChange(name=tool.name, state_from=before, state_to=breaker.state))


def _learn(breaker: CircuitBreaker, attempt: Attempt) -> None:
    match attempt.service_failed:
        case None:
            breaker.abandoned()
        case True:
            breaker.failed()
        case False:
            breaker.succeeded()
