"""What a run counts of its calls, for its result."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from finclaw_cli.core.events.agent import AgentToolCall, Emitted
from finclaw_cli.core.events.parts import CallStatus
from finclaw_cli.engine.tally import Tally

AT = datetime(2026, 1, 5, tzinfo=UTC)


def changed(name: str, status: CallStatus) -> Emitted:
    return Emitted(AT, "run_1", AgentToolCall(turn=1, call_id=name, name=name, status=status))


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled", "timeout", "skipped", "recorded"])
async def test_a_call_that_ends_in_another_way_is_neither_denied_nor_unknown(status: CallStatus) -> None:
    tally = Tally()
    await tally.take(changed("pay", status))
    assert (dict(tally.by_status), tally.denied, tally.unknown) == ({status: 1}, (), ())


async def test_denied_calls_are_named_in_the_order_in_which_they_were_asked_for() -> None:
    tally = Tally()
    for name, status in (("write", "requested"), ("read", "requested"), ("read", "denied"), ("write", "denied")):
        await tally.take(changed(name, status))
    assert tally.denied == ("write", "read")


async def test_denied_and_unknown_calls_are_named() -> None:
    tally = Tally()
    for call in (changed("pay", "denied"), changed("order", "unknown"), changed("rent", "running")):
        await tally.take(call)
    assert (tally.denied, tally.unknown) == (("pay",), ("order",))
    assert dict(tally.by_status) == {"denied": 1, "unknown": 1}
