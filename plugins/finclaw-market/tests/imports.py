from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

from finclaw_market.options import ImportReport
from finclaw_market.queries import bars_between
from finclaw_market.store import reading

Load = Callable[..., ImportReport]
GOOD = "Date,Open,High,Low,Close,Volume\n2024-01-02,10,12,9,11,100\n2024-01-03,11,13,10,12.50,200\n"


def reasons(report: ImportReport) -> list[tuple[int, str]]:
    return [(row.line, row.reason) for row in report.rejected]


def closes(home: Path, symbol: str = "ACME") -> dict[date, Decimal]:
    with reading(home) as connection:
        assert connection is not None
        return {bar.day: bar.close for bar in bars_between(connection, symbol, date.min, date.max)}
