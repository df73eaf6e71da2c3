"""What it costs to stream a recorded session again: `python -m tests.benchmarks.replay [TURNS]`.

Whole processes on a long session, less the same on a short one; into a file. The yardstick reads the same records with
json.loads, and prints with json.dumps those that are shown.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from finclaw_cli.core.events.agent import (
    AgentDelta,
    AgentResult,
    AgentToolCall,
    AgentTurnComplete,
    AgentTurnStart,
    Event,
)
from finclaw_cli.core.events.budget import BudgetSpent
from finclaw_cli.core.events.internal import ExecutionState
from finclaw_cli.core.events.lines import payload_json
from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message
from finclaw_cli.core.usage import Usage
from finclaw_cli.transcript.messages import message_data
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.benchmarks.measure import compare, cpu_seconds, scratch_home

TURNS = 1_500
DELTAS = 40
AT = datetime(2026, 1, 2, 3, 4, 5, 678_000, UTC)
USAGE = Usage(input=1_200, output=80, cache_read=9_000)
YARDSTICK = """
import json, sys
for line in open(sys.argv[1], "rb"):
    record = json.loads(line)
    if record["type"].startswith("agent."):
        sys.stdout.write(json.dumps(record) + "\\n")
"""


def turn(number: int) -> Iterator[Event]:
    """What a turn with one call of a tool tells."""
    call = f"call_{number}"
    yield AgentTurnStart(turn=number, model="local:m")
    for place in range(DELTAS):
        yield AgentDelta(turn=number, attempt=1, text=f"some words {place} ")
    yield BudgetSpent(
        number=number, turn=number, attempt=1, purpose="turn", model="local:m", status="complete", usage=USAGE,
        estimated=False, cost_usd=Decimal("0.0042"), uncached_usd=Decimal("0.0063"), price_source="settings",
    )  # fmt: skip
    yield ExecutionState(state_from="streaming", state_to="executing")
    yield AgentToolCall(turn=number, call_id=call, name="price", status="requested", input={"symbol": f"T{number}"})
    yield AgentToolCall(turn=number, call_id=call, name="price", status="running")
    yield AgentToolCall(
        turn=number, call_id=call, name="price", status="completed", result='{"close": "42.10"}' * 20, is_error=False,
        duration_ms=12, truncated=False, redacted=False,
    )  # fmt: skip
    said: JsonObject = {"role": "assistant", "content": [{"type": "text", "text": "some words " * DELTAS}]}
    yield AgentTurnComplete(
        turn=number, attempt=1, model="local:m", message=said, stop_reason="tool_use", usage=USAGE,
        cost_usd=Decimal("0.0042"), duration_ms=900,
    )  # fmt: skip


def result(turns: int) -> AgentResult:
    return AgentResult(
        status="completed", exit_code=0, session_id="s", model="local:m", scripted=False, text="Done.", output=None,
        stop_reason="end_turn", turns=turns, usage=USAGE, cost_usd=Decimal(1), tool_calls={"completed": turns},
        denied=(), unknown=(), duration_ms=1_000, error=None,
    )  # fmt: skip


def session(path: Path, turns: int) -> Path:
    """A session of so many turns."""
    with closing(TranscriptWriter.create(path)) as writer:
        writer.append("session", AT, "run_1", {"format": 1})
        writer.append("message", AT, "run_1", message_data(Message("user", "How did they do?")))
        at = AT
        for number in range(1, turns + 1):
            for event in turn(number):
                at += timedelta(milliseconds=7)
                writer.append(event.type, at, "run_1", payload_json(event))
        last = result(turns)
        writer.append(last.type, at, "run_1", payload_json(last))
    return path


@contextmanager
def cases(turns: int = TURNS) -> Iterator[Mapping[str, Callable[[], float]]]:
    """CPU seconds of a long session's records, first those of json alone."""
    with tempfile.TemporaryDirectory() as name, (Path(name) / "out").open("wb") as sink:
        folder = Path(name)
        env = scratch_home(folder)
        long, short = session(folder / "long.jsonl", turns), session(folder / "short.jsonl", 1)

        def more(command: list[str], *options: str) -> float:
            def of(path: Path) -> float:
                sink.truncate(0)
                return cpu_seconds([sys.executable, *command, str(path), *options], env, sink.fileno())

            return of(long) - of(short)

        replay = ["-m", "finclaw_cli", "replay"]
        yield {
            "json.loads and json.dumps": lambda: more(["-c", YARDSTICK]),
            "replay -o ndjson": lambda: more(replay, "-o", "ndjson"),
            "replay -o text": lambda: more(replay, "-o", "text", "--stream"),
        }


def main(turns: int) -> None:
    with cases(turns) as found:
        print(f"{turns:,} turns of {sum(1 for _ in turn(1))} events")
        compare(found, rounds=5)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS)
