"""Exit codes: part of the contract, in one table from which the reference's is made."""

from __future__ import annotations

from typing import Final

OK: Final = 0
UNEXPECTED: Final = 1
USAGE: Final = 2
CREDENTIALS: Final = 3
PROVIDER: Final = 4
LIMIT: Final = 5
BUDGET: Final = 7
NEEDS_HUMAN: Final = 8
CUT_OFF: Final = 9
REPLAY: Final = 10
BUSY: Final = 11
INVALID_ANSWER: Final = 12
ITEMS_FAILED: Final = 13
TIMEOUT: Final = 124
SIGNAL_BASE: Final = 128
PIPE_CLOSED: Final = 141

MEANINGS: Final[dict[int, tuple[str, str]]] = {
    OK: ("completed", "completed"),
    UNEXPECTED: ("unexpected failure: a bug, or an output that cannot be written", "error"),
    USAGE: ("usage: a bad option, file, setting, policy or model name, or a plugin clash", "error"),
    CREDENTIALS: ("no or refused credentials; quota or billing", "error"),
    PROVIDER: ("the provider failed, after retries and failover", "error"),
    LIMIT: ("limit: turns, tool calls or context", "max_turns or error"),
    BUDGET: ("limit: money", "budget"),
    NEEDS_HUMAN: (
        "needs a human: a tool was not run for want of approval, or an outcome is unknown",
        "completed or error",
    ),
    CUT_OFF: ("the model refused, was filtered, or was cut off", "completed, with that stop reason"),
    REPLAY: ("replay differs, or the transcript is damaged", "error"),
    BUSY: ("session busy, lane full, or waited too long", "error"),
    INVALID_ANSWER: (
        "the answer is not valid against the schema, or has a number without a source; a result is not as expected",
        "error",
    ),
    ITEMS_FAILED: ("items of a batch failed, or were cancelled", "that of each item"),
    TIMEOUT: ("limit: time", "timeout"),
    129: ("SIGHUP: flushed, then the signal is raised again", "aborted"),
    130: ("SIGINT: the same", "aborted"),
    PIPE_CLOSED: ("the reader of stdout went away", "aborted"),
    143: ("SIGTERM: the same", "aborted"),
}
