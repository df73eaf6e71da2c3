"""What it costs to keep a record: `python -m tests.benchmarks.append [RECORDS]`.

The yardstick makes the same line with json.dumps and writes it. The records of the end are appended to a session that
has grown by as many in each round: they cost what the first ones did, or something grows with the session.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from finclaw_cli.core.json_text import JsonObject
from finclaw_cli.transcript.writer import TranscriptWriter
from tests.benchmarks.measure import compare

RECORDS = 1_000_000
BATCH = 20_000
AT = datetime(2026, 1, 2, 3, 4, 5, 678_000, UTC)
DATA: JsonObject = {"turn": 7, "attempt": 1, "text": "some words ", "kind": "text"}


def plain(path: Path) -> float:
    """CPU seconds of records that are json.dumps and a write."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    began = time.process_time()
    for number in range(BATCH):
        record = {"v": 1, "seq": number, "s": "1f3a9c02", "ts": AT.isoformat(), "type": "agent.delta", "data": DATA}
        os.write(fd, json.dumps(record).encode() + b"\n")
    took = time.process_time() - began
    os.close(fd)
    return took


def append(writer: TranscriptWriter, count: int = BATCH) -> float:
    """CPU seconds of records of ours."""
    began = time.process_time()
    for _ in range(count):
        writer.append("agent.delta", AT, "run_1", DATA)
    return time.process_time() - began


def fresh(folder: Path) -> float:
    """The same in a session of its own."""
    path = folder / "fresh.jsonl"
    path.unlink(missing_ok=True)
    with closing(TranscriptWriter.create(path)) as writer:
        return append(writer)


@contextmanager
def cases(records: int = RECORDS) -> Iterator[Mapping[str, Callable[[], float]]]:
    """CPU seconds of a batch: of json and a write, in a short session, and in one that has as many records."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with closing(TranscriptWriter.create(folder / "long.jsonl")) as writer:
            append(writer, records)
            yield {
                "json.dumps and a write": lambda: plain(folder / "plain.jsonl"),
                "the first records": lambda: fresh(folder),
                f"records after {records:,}": lambda: append(writer),
            }


def main(records: int) -> None:
    print(f"{BATCH:,} records")
    with cases(records) as found:
        compare(found)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS)
