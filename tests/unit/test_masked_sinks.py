"""Known secrets never reach whoever hears the events, whole or in pieces."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.core.events.agent import AgentDelta, AgentReasoning, AgentToolCall, AgentWarning, Emitted, Event
from finclaw_cli.core.events.lines import event_line, payload_json
from finclaw_cli.core.secrets import KnownSecrets
from finclaw_cli.masking.sinks import MaskedSinks

SECRET = "sk-canary-0123456789"


class Heard:
    def __init__(self) -> None:
        self.events: list[Event] = []

    async def take(self, emitted: Emitted) -> None:
        self.events.append(emitted.event)

    @property
    def lines(self) -> str:
        return "".join(
            event_line(Emitted(datetime.now(UTC), "r", e), n, payload_json(e)) for n, e in enumerate(self.events)
        )


async def hear(*events: Event) -> Heard:
    heard, secrets = Heard(), KnownSecrets()
    secrets.add(SECRET)
    sinks = MaskedSinks(secrets, [heard])
    for event in events:
        await sinks.take(Emitted(datetime.now(UTC), "r", event))
    return heard


def delta(text: str, **more: Any) -> AgentDelta:
    return AgentDelta(turn=1, attempt=1, text=text, **more)


async def test_it_is_taken_out_however_deep_it_lies():
    heard = await hear(
        AgentToolCall(turn=1, call_id="c", name="t", status="requested", input={"a": [{"b": f"x{SECRET}y"}]}),
        AgentWarning(code="w", message=SECRET),
    )
    assert SECRET not in heard.lines
    assert heard.lines.count("[REDACTED:key]") == 2


async def test_an_event_without_secrets_is_handed_on_as_it_is():
    event = AgentToolCall(turn=1, call_id="c", name="t", status="completed", result="fine")
    assert (await hear(event)).events[0] is event


@given(cuts=st.lists(st.integers(0, 60), max_size=12))
async def test_it_does_not_slip_through_in_pieces(cuts: list[int]):
    text = f"the key is {SECRET}, and {SECRET[:8]} is the half of it"
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[a:b] for a, b in itertools.pairwise(places)]
    heard = await hear(*(delta(piece) for piece in pieces), AgentWarning(code="end", message=""))
    said = "".join(event.text for event in heard.events if isinstance(event, AgentDelta))
    assert said == text.replace(SECRET, "[REDACTED:key]")


async def test_what_was_held_back_comes_before_the_next_event():
    heard = await hear(delta("ends in sk-"), AgentWarning(code="w", message="next"))
    assert [type(event) for event in heard.events] == [AgentDelta, AgentDelta, AgentWarning]
    assert "".join(e.text for e in heard.events if isinstance(e, AgentDelta)) == "ends in sk-"


async def test_thinking_and_speaking_are_streams_of_their_own():
    thought = AgentReasoning(turn=1, attempt=1, text=SECRET[:10])
    heard = await hear(thought, delta(SECRET[10:]), AgentWarning(code="w", message=""))
    assert [type(event) for event in heard.events] == [AgentReasoning, AgentDelta, AgentWarning]
