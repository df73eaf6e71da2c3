"""A home whose ledger holds some requests and calls of tools."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from finclaw_cli.core.usage import Usage
from finclaw_cli.usage.entries import Entry, ToolEntry
from finclaw_cli.usage.store import Ledger
from tests.e2e.harness import Finclaw
from tests.unit.test_ledger import ONE as ANY

AT = datetime(2026, 11, 2, 4, 30, tzinfo=UTC)  # still the 1st in New York
ONE = replace(
    ANY,
    at=AT,
    usage=Usage(input=1_000, output=200, cache_read=3_000, cache_write=40),
    uncached_usd=Decimal("0.020000"),
    price_source="test",
)
OTHER = replace(
    ONE,
    at=AT + timedelta(days=2),
    run_id="run_200",
    session_id="trade",
    model="gpt",
    provider="openai",
    cost_usd=Decimal(1),
)
BARE = replace(ONE, turn=2, model="llama", provider="local", cost_usd=None, uncached_usd=None)
CALL = ToolEntry(
    at=AT, run_id="run_1", session_id="talk", turn=1, call_id="c1", agent_id="main",
    tool="get_quote", status="completed", duration_ms=1_500,
)  # fmt: skip
NEW_YORK = {"TZ": "America/New_York"}


def spent(own: Finclaw, *entries: Entry) -> None:
    with closing(Ledger(own.home / "ledger.db")) as ledger:
        ledger.record(*entries)


@pytest.fixture
def home(own: Finclaw) -> Finclaw:
    spent(own, ONE, OTHER, BARE, CALL, replace(CALL, call_id="c2", tool="pay", status="denied", duration_ms=None))
    return own


def told(own: Finclaw, *options: str, **env: str) -> Any:
    ran = own("cost", "--json", *options, env=env)
    assert ran.code == 0, ran.stderr
    return json.loads(ran.stdout)
