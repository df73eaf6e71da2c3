"""Which requests that failed may have been paid for: those of which something was sent, and no others."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import pytest

from finclaw_cli.core.chunks import StreamChunk
from finclaw_cli.core.clock import StillClock, SystemClock
from finclaw_cli.core.errors import ProviderError, ProviderFailure
from finclaw_cli.core.events.agent import Emitted, Event
from finclaw_cli.core.events.budget import BudgetSpent
from finclaw_cli.core.ports import ModelRequest
from finclaw_cli.engine.cancel import CancelScope
from finclaw_cli.engine.connection import Connection
from finclaw_cli.engine.engine import Engine
from finclaw_cli.engine.lanes import Gate
from finclaw_cli.testing import runs


@dataclass
class Failing:
    """A provider whose requests all fail in one way."""

    error: ProviderError
    name: str = "failing"

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamChunk, None]:
        raise self.error
        yield

    async def aclose(self) -> None: ...


@dataclass
class Recorder:
    events: list[Event] = field(default_factory=list)

    async def take(self, emitted: Emitted) -> None:
        self.events.append(emitted.event)


async def spent(error: ProviderError) -> list[BudgetSpent]:
    clock = StillClock(SystemClock().now())
    connection = Connection(ref=runs.MODEL, provider=Failing(error), gate=Gate(clock), scripted=False)
    recorder = Recorder()
    services = runs.ToolServices(
        policy=runs.StagedPolicy(), approver=runs.NoApprover(), journal=runs.NoJournal(), hooks=runs.NoHooks()
    )
    tools = runs.RunTools(
        registry=runs.ToolRegistry(()),
        services=services,
        context_of=runs._context_of("r"),
        settings=runs.ExecutorSettings(),
    )
    engine = Engine(connect=lambda _: connection, clock=clock)
    await runs.Run(engine, runs._request([], "Hi"), toolbox=tools.toolbox, sinks=[recorder], scope=CancelScope())()
    return [event for event in recorder.events if isinstance(event, BudgetSpent)]


@pytest.mark.parametrize(
    ("reason", "code", "is_paid"),
    [
        ("connection", "connect_failed", False),
        ("timeout", "connect_timeout", False),
        ("connection", "proxy_failed", False),
        ("auth", "auth", False),
        ("connection", "disconnected", True),
        ("timeout", "timeout", True),
        ("timeout", "stream_stalled", True),
    ],
)
async def test_only_what_was_sent_is_counted(reason: ProviderFailure, code: str, is_paid: bool):
    for attempt in await spent(ProviderError("no", reason=reason, code=code)):
        assert (attempt.usage.input > 0, attempt.estimated) == (is_paid, is_paid)
