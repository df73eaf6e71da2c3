"""A batch in rounds whose process is killed: no batch is made twice, no answer is lost, and no tool runs twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.batch.round_kills import ITEMS, Kill, trial


@pytest.mark.parametrize(
    ("model", "kills"),
    [
        ("anthropic:m", [Kill(boundary="create:before"), Kill(boundary="create:after")]),
        ("openai-responses:m", [Kill(boundary="create:after"), Kill(boundary="results:half")]),
        ("openai-chat:m", [Kill(boundary="state")] * 4),  # no item is blamed for the process that waited
    ],
)
async def test_kills_double_nothing_and_lose_nothing(tmp_path: Path, model: str, kills: list[Kill]):
    home = tmp_path / "home"
    home.mkdir()
    ended = await trial(home, model, kills)
    assert (ended.kills, ended.doubled_batches, ended.lost, ended.doubled_tools) == (len(kills), 0, 0, 0)
    assert sum(ended.status.states.values()) == ITEMS
    assert ended.status.held_usd == 0
