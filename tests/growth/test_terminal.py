"""What a terminal costs while an answer streams to it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from finclaw_cli.core.events.agent import AgentDelta, Emitted
from finclaw_cli.output.terminal import TerminalSink
from finclaw_cli.testing.growth import MOST, growth

NOW = datetime(2026, 11, 20, tzinfo=UTC)
ANSWERS = {
    "a block of code": ("```\n", "total = total + 1\n"),
    "a block of code with blank lines": ("```\n", "total = total + 1\n\n"),
    "one paragraph": ("", "word "),
    "a list": ("", "- an item\n\n"),
    "fences in one piece": ("```\n", "a\n\n```\n\n```\n"),
}


def fail(error: OSError) -> None:
    raise error


@pytest.mark.parametrize(("begins", "goes_on"), ANSWERS.values(), ids=ANSWERS)
def test_four_times_the_answer_takes_four_times_the_work(begins: str, goes_on: str) -> None:
    async def show(pieces: list[Emitted]) -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        sink = TerminalSink(null, fail, status=False)
        os.close(null)
        for piece in pieces:
            await sink.take(piece)
        sink._console.file.close()

    def prepare(count: int) -> Callable[[], object]:
        texts = [begins, *[goes_on] * count]
        pieces = [Emitted(NOW, "run_1", AgentDelta(turn=1, attempt=1, text=text)) for text in texts]
        return lambda: asyncio.run(show(pieces))

    assert growth(prepare, 500) < MOST
