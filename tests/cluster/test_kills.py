"""Workers die, stand still, and lose their database: nothing is paid twice, and no item is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from finclaw_cli.batch.runner import AHEAD
from finclaw_cli.cluster.address import DatabaseAddress
from tests.batch.model_server import ModelServer
from tests.cluster.kills import CONCURRENCY, Trial
from tests.cluster.postgres import PostgresServer

ITEMS = 40
UNDER_WAY = CONCURRENCY + CONCURRENCY // AHEAD
"""How many requests a worker may have under way, which are made again."""


@pytest.mark.parametrize("events", [(2, 0, 0), (0, 1, 0), (1, 0, 2)], ids=["kills", "stops", "restarts"])
async def test_nothing_is_paid_twice_and_nothing_is_lost(
    tmp_path: Path,
    postgres: PostgresServer,
    address: DatabaseAddress,
    server: ModelServer,
    events: tuple[int, int, int],
) -> None:
    kills, stops, restarts = events
    ended = await Trial(tmp_path, address, server, ITEMS).run(kills, stops, postgres.restart, restarts)
    assert (ended.doubles, ended.lost) == (0, 0)
    assert ended.status.states["ok"] + ended.status.states["unknown"] == ITEMS
    assert ended.status.held_usd == 0
    assert ended.requests <= 2 * ITEMS + (kills + stops) * UNDER_WAY
