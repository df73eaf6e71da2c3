"""Twenty thousand deltas over the wire: each is told and kept, and nothing is held but what the message needs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.harness import Finclaw, Ran
from tests.wire.server import Reply, anthropic_sse, openai_sse, threaded

FEW, MANY = 100, 20_000
# The string of each piece, a place in the lists of its parts, and the answer's own lines.
MOST_BYTES_A_DELTA = 300


def words(deltas: int) -> list[str]:
    return [f"{number:07} " for number in range(deltas)]


def anthropic(said: Iterable[str]) -> Reply:
    deltas = ({"type": "text_delta", "text": text} for text in said)
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"usage": {"input_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ]
    return Reply(body=anthropic_sse(events))


def chat(said: Iterable[str]) -> Reply:
    choices = [{"index": 0, "delta": {"content": text}} for text in said]
    return Reply(
        body=openai_sse({"choices": [choice]} for choice in [*choices, {"delta": {}, "finish_reason": "stop"}])
    )


def thinking(said: Iterable[str]) -> Reply:
    choices = [{"index": 0, "delta": {"reasoning_content": text}} for text in said]
    last = {"index": 0, "delta": {"content": "So."}, "finish_reason": "stop"}
    return Reply(body=openai_sse({"choices": [choice]} for choice in [*choices, last]))


WIRES = {
    "anthropic": (anthropic, "anthropic:m", "", "agent.delta"),
    "chat": (chat, "openai-compatible:m", "/v1", "agent.delta"),
    "thinking": (thinking, "openai-compatible:m", "/v1", "agent.reasoning"),
}
each_wire = pytest.mark.parametrize("wire", WIRES)


def stream(finclaw: Finclaw, wire: str, deltas: int, *more: str) -> tuple[bytes, int]:
    """What a run writes, and its peak in bytes."""
    reply: Callable[[Iterable[str]], Reply]
    reply, model, path, _ = WIRES[wire]
    written, peak = bytearray(), 0
    with threaded(reply(words(deltas))) as server:
        process = finclaw.start_cold("run", *more, "-m", model, "--base-url", server.url + path, "x")
        assert process.stdout is not None
        while piece := os.read(process.stdout.fileno(), 65_536):
            written += piece
            peak = max(peak, peak_of(process.pid))
        assert process.wait() == 0
    return bytes(written), peak


def peak_of(pid: int) -> int:
    """The peak of a process so far, in bytes; 0 where it has ended.

    What `wait4` reports has the memory in it that the process which started it had at that moment.
    """
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


@each_wire
def test_every_delta_is_a_line(finclaw: Finclaw, wire: str) -> None:
    stdout, _ = stream(finclaw, wire, MANY, "-o", "ndjson")
    assert [line["text"] for line in Ran(0, stdout, "").of(WIRES[wire][3])][:MANY] == words(MANY)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak as Linux reports it")
@each_wire
def test_memory_stays_flat(finclaw: Finclaw, wire: str) -> None:
    stream(finclaw, wire, FEW, "-o", "ndjson")  # the first run may compile modules, and look at plugins
    _, few = stream(finclaw, wire, FEW, "-o", "ndjson")
    _, many = stream(finclaw, wire, MANY, "-o", "ndjson")
    assert 20_000_000 < few < many
    assert many - few < MANY * MOST_BYTES_A_DELTA


def test_a_transcript_has_the_very_deltas_that_were_told(finclaw: Finclaw) -> None:
    stdout, _ = stream(finclaw, "anthropic", MANY, "-o", "ndjson")
    session = Ran(0, stdout, "").result["session_id"]
    assert finclaw("replay", session, "-o", "ndjson").stdout == stdout


def test_text_out_is_the_words_alone(finclaw: Finclaw) -> None:
    stdout, _ = stream(finclaw, "anthropic", MANY, "--stream")
    assert stdout.decode() == "".join(words(MANY)) + "\n"
