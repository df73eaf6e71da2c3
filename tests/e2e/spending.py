"""Models with a price, and what is written down of what they cost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.e2e.dialects import Anthropic, Dialect
from tests.e2e.harness import Finclaw, Ran

# USD per million tokens.
INPUT, OUTPUT = Decimal(3), Decimal(15)
WIRE = Anthropic(used=(1_000, 500))
EACH_USD = Decimal("0.0105")
"""What a request costs that the server reports with 1,000 tokens of input and 500 of output."""


def price(home: Path, *models: str, more: str = "") -> None:
    """Say in the settings of a home what models cost."""
    tables = (
        f'[models."{model}"]\ninput_usd = {INPUT}\noutput_usd = {OUTPUT}\n'
        "cache_read_usd = 0.3\ncache_write_usd = 3.75\n"
        for model in models
    )
    (home / "config.toml").write_text("\n".join([more, *tables]))


def ask(finclaw: Finclaw, url: str, *more: str, wire: Dialect = WIRE, output: str = "ndjson") -> Ran:
    return finclaw(*asking(url, *more, wire=wire, output=output), env={wire.key: "sk-test-0123456789abcdef"})


def asking(url: str, *more: str, wire: Dialect = WIRE, output: str = "ndjson") -> tuple[str, ...]:
    base = url if isinstance(wire, Anthropic) else f"{url}/v1"
    return ("run", "-o", output, "-m", wire.model, "--base-url", base, *more, "How is ACME?")


def rows(home: Path, table: str = "requests") -> list[dict[str, Any]]:
    """The rows of the ledger as they lie in it, in the order of their keys."""
    with closing(sqlite3.connect(home / "ledger.db")) as connection:
        connection.row_factory = sqlite3.Row
        order = "run_id, number" if table == "requests" else "run_id, turn, call_id"
        return [dict(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY {order}")]


def costs(home: Path) -> Iterator[Decimal | None]:
    """What each request cost; None where that is unknown."""
    for row in rows(home):
        yield None if row["cost"] is None else Decimal(row["cost"]).scaleb(-12)
