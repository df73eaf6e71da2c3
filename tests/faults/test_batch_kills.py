"""A batch whose process is killed: nothing is done twice, nothing is lost, and what is unknown is named so."""

from __future__ import annotations

from pathlib import Path

from tests.batch.kills import trial


async def test_kills_double_nothing_and_lose_nothing(tmp_path: Path):
    home = tmp_path / "home"
    home.mkdir()
    ended = await trial(home, items=60, kills=3)
    assert (ended.kills, ended.doubles, ended.lost) == (3, 0, 0)
    assert sum(ended.status.states.values()) == 60
    assert ended.status.held_usd == 0
