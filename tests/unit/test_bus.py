"""Who is given an event, and when it is said to have happened."""

from __future__ import annotations

from finclaw_cli.core.bus import Bus
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.core.events.agent import AgentDelta, AgentReasoning, AgentWarning, Emitted, Event
from finclaw_cli.core.secrets import KnownSecrets
from finclaw_cli.masking.sinks import MaskedSinks

STREAMED = (AgentDelta(turn=1, attempt=1, text="a"), AgentReasoning(turn=1, attempt=1, text="b"))
TOLD = AgentWarning(code="w", message="m")


class Heard:
    def __init__(self) -> None:
        self.events: list[Event] = []

    async def take(self, emitted: Emitted) -> None:
        self.events.append(emitted.event)


class Deaf(Heard):
    takes_deltas = False


async def test_a_sink_that_does_not_hear_pieces_is_given_all_else() -> None:
    heard, deaf = Heard(), Deaf()
    bus = Bus("r", SystemClock(), [heard, deaf])
    for event in (*STREAMED, TOLD):
        await bus.emit(event)
    assert (heard.events, deaf.events) == ([*STREAMED, TOLD], [TOLD])


async def test_so_is_one_behind_the_masking() -> None:
    heard, deaf = Heard(), Deaf()
    bus = Bus("r", SystemClock(), [MaskedSinks(KnownSecrets(), [heard, deaf])])
    for event in (*STREAMED, TOLD):
        await bus.emit(event)
    assert (heard.events, deaf.events) == ([*STREAMED, TOLD], [TOLD])


def test_the_clock_knows_no_less_and_no_more_than_milliseconds() -> None:
    assert SystemClock().now().microsecond % 1_000 == 0
