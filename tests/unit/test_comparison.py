"""A run beside its recording: the first record that is not as it was, and records that a replay has no answer in."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pytest

from finclaw_cli.core.events.agent import AgentTurnStart, Emitted
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.transcript.compare import Comparison, Results
from finclaw_cli.transcript.declarations import declared_tools
from finclaw_cli.transcript.lines import Line, decode, encode
from finclaw_cli.transcript.reader import Damage
from finclaw_cli.transcript.recording import RunRecording, runs_of
from finclaw_cli.transcript.replay import events_of, within_turns

AT = datetime(2026, 1, 2, tzinfo=UTC)
Record = tuple[str, dict[str, Any]]
RESULT: Record = ("agent.result", {"status": "completed"})
TURN: Record = ("agent.turn_start", {"turn": 1, "model": "m"})
USER: Record = ("message", {"role": "user", "content": "One?"})


def delta(text: str) -> Record:
    return "agent.delta", {"turn": 1, "attempt": 1, "text": text}


def lines(records: Iterable[Record]) -> list[Line]:
    return [
        decode(encode(seq=seq, tag="1f3a9c02", at=AT, kind=kind, run_id="run_1", data=json.dumps(data)))
        for seq, (kind, data) in enumerate(records)
    ]


def compared(recorded: Iterable[Record], now: Iterable[Record]) -> str | None:
    comparison = Comparison(lines(recorded))
    for kind, data in now:
        comparison.append(kind, AT, "run_1", data)
    comparison.close()
    return str(comparison.difference) if comparison.difference else None


@pytest.mark.parametrize(
    ("recorded", "now", "difference"),
    [
        ([TURN, RESULT], [TURN, RESULT], None),
        ([TURN, RESULT], [USER, RESULT], "record 0, agent.turn_start.type"),
        ([RESULT], [RESULT, TURN], "after the last record, agent.turn_start"),
        ([TURN, USER, RESULT], [TURN], "record 1, message"),
        ([delta("a"), delta("b"), RESULT], [delta("ab"), RESULT], None),
        ([delta("a"), RESULT], [delta("b"), RESULT], "record 0, agent.delta.text"),
        ([RESULT], [delta("a"), RESULT], "after the last record, agent.delta.text"),
        ([TURN], [TURN, delta("a"), USER], None),
        ([TURN, ("agent.warning", {}), RESULT], [TURN, RESULT], None),
        ([TURN, ("budget.spent", {"number": 1})], [TURN, USER], None),
    ],
    ids=str,
)
def test_the_first_record_that_is_not_as_it_was_is_found(
    recorded: list[Record], now: list[Record], difference: str | None
) -> None:
    assert compared(recorded, now) == difference


@pytest.mark.parametrize(
    ("before", "after", "field"),
    [
        ({"a": [1, 2]}, {"a": [1, 3]}, "a[1]"),
        ({"a": [1]}, {"a": [1, 3]}, "a"),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": None}}, "a.c"),
        ({"a": 1}, {"a": 1.0}, "a"),  # which Python takes to be equal
        ({"a": [{"b": 1}]}, {"a": [{"b": True}]}, "a[0].b"),
    ],
)
def test_a_difference_is_named_as_deep_as_both_have_it(before: JsonObject, after: JsonObject, field: str) -> None:
    assert compared([("message", before), RESULT], [("message", after)]) == f"record 0, message.{field}"


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("budget.spent", {"estimated": True, "usage": 1}, {"estimated": True, "usage": 2}),
        ("agent.result", {"compaction": {"count": 1, "cost_usd": "1"}}, {"compaction": {"count": 1, "cost_usd": "2"}}),
    ],
)
def test_what_was_estimated_and_what_it_costs_is_not_compared(kind: str, before: JsonObject, after: JsonObject) -> None:
    assert compared([(kind, before)], [(kind, after)]) is None


ANNOUNCED: Record = ("agent.tool_call", {"turn": 1, "call_id": "c", "name": "t", "status": "announced"})
MOVE: Record = ("execution.state", {"state_from": "idle", "state_to": "streaming", "cause": None})


@pytest.mark.parametrize("now", [ANNOUNCED, MOVE], ids=["a call", "a move"])
def test_what_the_version_of_a_recording_did_not_emit_is_not_compared(now: Record) -> None:
    assert compared([("run", {}), RESULT], [now, RESULT]) is None
    assert compared([("run", {"events_version": 2}), RESULT], [now, RESULT]) is not None


USAGE: JsonObject = {"input": 1, "cache_write": 0}
TOTALLED: JsonObject = {**USAGE, "total": 1}


@pytest.mark.parametrize(
    ("before", "now"),
    [({"usage": USAGE}, {"usage": TOTALLED}), ({"compaction": {"usage": USAGE}}, {"compaction": {"usage": TOTALLED}})],
    ids=["of a run", "of summaries"],
)
def test_a_total_that_the_version_of_a_recording_did_not_have_is_no_difference(
    before: JsonObject, now: JsonObject
) -> None:
    assert compared([("run", {}), ("agent.result", before)], [("agent.result", now)]) is None


def ending(**facts: object) -> Record:
    return "agent.tool_call", {"turn": 1, "call_id": "c", "name": "t", "status": "completed", "result": "7", **facts}


def test_calls_that_end_otherwise_are_listed_and_others_passed_over() -> None:
    results = Results(lines([ending()]))
    for _, data in (ending(status="running"), ending(call_id="d"), ending(result="8")):
        results.append("agent.tool_call", AT, "run_1", data)
    results.append("agent.delta", AT, "run_1", {"text": "x"})
    results.close()
    (difference,) = results.differences
    assert (difference.field, difference.recorded, difference.now, results.compared) == ("result", "7", "8", 1)


DAMAGE = Damage(what="invalid", offset=0, raw=b"", reason="")


def test_a_recording_ends_where_it_is_damaged() -> None:
    assert list(runs_of([*lines([("session", {}), TURN]), DAMAGE, *lines([RESULT])])) == [DAMAGE]
    assert list(runs_of(lines([("session", {})]))) == []


def recording(*records: Record) -> RunRecording:
    (run,) = runs_of(lines(records))
    assert isinstance(run, RunRecording)
    return run


def test_the_runs_of_a_session_follow_one_another() -> None:
    first, second = lines([USER]), lines([TURN])
    second[0].run_id = "run_2"
    assert [run.run_id for run in runs_of([*first, *second]) if isinstance(run, RunRecording)] == ["run_1", "run_2"]


def test_the_inputs_of_a_run_are_those_of_its_first_record() -> None:
    begun = recording(("run", {"model": "m"}), ("run", {"model": "n"}))
    assert (begun.about, begun.start, recording(TURN).about) == ({"model": "m"}, None, {})


def test_the_window_of_a_model_is_what_was_known_of_it_first() -> None:
    status = {"turn": 1, "state": "safe", "occupied": 1, "ratio": 0.1, "source": "settings"}
    sizes = (("m", 8_000), ("n", 9_000), ("m", 4_000))
    windows = recording(
        *(("context.window_status", {**status, "model": name, "window": size}) for name, size in sizes)
    ).windows
    assert {name: event.window for name, event in windows.items()} == {"m": 8_000, "n": 9_000}


def test_the_calls_of_tools_that_only_read_are_known() -> None:
    intents = [("tool_intent", {"call_id": name, "read_only": reads}) for name, reads in (("a", True), ("b", False))]
    assert recording(*intents).read_only == {"a"}


def test_the_opening_of_a_run_is_what_was_added_before_a_model_was_asked() -> None:
    odd = ("message", {"role": "hologram"})
    answered = ("message", {"role": "assistant", "content": "Seven."})
    assert [each.text for each in recording(odd, answered, USER).opening] == ["Seven.", "One?"]
    assert recording(TURN, answered).opening == ()
    assert recording(TURN, ("request", {}), USER).opening == ()


def test_tools_that_are_declared_otherwise_than_finclaw_does_are_none() -> None:
    assert (declared_tools([{"name": 1}]), declared_tools("tools")) == ((), ())
    changed = recording(("tools", {"turn": 1, "offered": "all"}), ("tools", {"turn": "one"}))
    assert list(changed.tool_changes) == [1]


def test_damage_stays_among_the_events_of_some_turns() -> None:
    odd = ("agent.delta", {"turn": "one"})
    first, *rest = events_of([*lines([odd, TURN]), DAMAGE])
    assert isinstance(first, Damage)
    assert first.reason.startswith("record 0 is no agent.delta: ")
    kept = list(within_turns([first, *rest], 2, None))
    assert kept == [first, DAMAGE]


def test_only_the_events_of_the_turns_that_are_asked_for_are_kept() -> None:
    turns = [("agent.turn_start", {"turn": number, "model": "m"}) for number in (1, 2, 3)]
    kept = within_turns(events_of(lines(turns)), 2, 2)
    assert [
        item.event.turn for item in kept if isinstance(item, Emitted) and isinstance(item.event, AgentTurnStart)
    ] == [2]
