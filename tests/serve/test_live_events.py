"""The events that a server keeps of a run: the latest ones alone, encoded once for all of its readers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from finclaw_cli.core.events.agent import AgentDelta, AgentToolCall, Emitted
from finclaw_cli.output.ndjson import Selection
from finclaw_cli.serve.live_events import MOST_KEPT, MOST_KEPT_CHARS, LiveEvents

pytestmark = pytest.mark.asyncio
ALL = Selection()


def emitted(text: str) -> Emitted:
    return Emitted(datetime(2026, 1, 1, tzinfo=UTC), "run_x", AgentDelta(turn=1, attempt=1, text=text))


async def filled(count: int) -> LiveEvents:
    live = LiveEvents(lambda _: None)
    for number in range(count):
        await live.take(emitted(f"{number} "))
    return live


async def test_of_twenty_thousand_deltas_the_last_thousand_are_kept():
    live = await filled(20_000)
    assert (live.first, live.end) == (20_000 - MOST_KEPT, 20_000)
    assert live.place_after(18_998, ALL) is None
    assert live.place_after(18_999, ALL) == 19_000


async def test_two_readers_get_one_encoded_line():
    live = await filled(3)
    (_, one), (_, other) = live.lines(0, ALL, 10), live.lines(0, Selection(), 10)
    assert [line is same for (_, line), (_, same) in zip(one, other, strict=True)] == [True] * 3


async def test_what_is_kept_of_large_results_is_bounded():
    live = LiveEvents(lambda _: None)
    result = AgentToolCall(turn=1, call_id="c", name="big", status="completed", result="x" * 1_000_000)
    for _ in range(20):
        await live.take(Emitted(datetime(2026, 1, 1, tzinfo=UTC), "run_x", result))
    assert (live.end - live.first) * 2_000_000 <= MOST_KEPT_CHARS


async def test_each_selection_counts_its_own_events():
    live = await filled(2)
    await live.take(
        Emitted(
            datetime(2026, 1, 1, tzinfo=UTC), "run_x", AgentToolCall(turn=1, call_id="c", name="n", status="requested")
        )
    )
    await live.take(emitted("end"))
    without = Selection(deltas=False)
    assert [seq for seq, _ in live.lines(0, ALL, 10)[1]] == [0, 1, 2, 3]
    assert [seq for seq, _ in live.lines(0, without, 10)[1]] == [0]
    assert live.place_after(0, without) == 3
