"""What it costs to open a long session for going on: `python -m tests.benchmarks.sessions`.

The yardstick reads the same file with json.loads and looks at nothing; both in this process, on 100,000 records of
which a twelfth are messages, as in a session of some thousand turns.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.core.messages import Message, TextBlock, ToolResultBlock, ToolUseBlock
from finclaw_cli.transcript.history import open_history
from finclaw_cli.transcript.messages import message_data
from finclaw_cli.transcript.summary import summary_of
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.benchmarks.measure import compare

RECORDS = 100_000
AT = datetime(2026, 1, 2, tzinfo=UTC)


def long_session(path: Path) -> None:
    """Turns of a question, a call, its result and an answer, with the events around them."""
    writer = TranscriptWriter.create(path)
    writer.append("session", AT, "run_1", {"format": 1})
    for turn in range(RECORDS // 48):
        call = f"call_{turn}"
        talk = (
            Message("user", f"How did ticker {turn} do?"),
            Message("assistant", (TextBlock("Let me look."), ToolUseBlock(call, "price", {"symbol": f"T{turn}"}))),
            Message("tool", (ToolResultBlock(call, json.dumps({"close": "42.10", "n": list(range(60))})),)),
            Message("assistant", (TextBlock("It went up. " * 20),)),
        )
        for message in talk:
            writer.append("message", AT, "run_1", message_data(message))
        for place in range(44):
            data: JsonObject = {"turn": turn, "attempt": 1, "text": f"some words {place}", "kind": "text"}
            writer.append("agent.delta", AT, "run_1", data)
    writer.close()


def timed(work: Callable[[], object]) -> Callable[[], float]:
    def once() -> float:
        began = time.process_time()
        work()
        return time.process_time() - began

    return once


def parse(path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            json.loads(line)


@contextmanager
def cases() -> Iterator[Mapping[str, Callable[[], float]]]:
    """CPU seconds of what is done with one long session, first those of json alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.jsonl"
        long_session(path)
        yield {
            "json.loads of each line": timed(lambda: parse(path)),
            "open for going on": timed(lambda: open_history(path)),
            "its line in the list, a thousand times": timed(lambda: [summary_of(path) for _ in range(1_000)]),
        }


def main() -> None:
    with cases() as found:
        print(f"{RECORDS:,} records")
        compare(found, rounds=5)


if __name__ == "__main__":
    main()
