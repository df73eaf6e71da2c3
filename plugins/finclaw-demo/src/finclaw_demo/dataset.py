"""The made-up prices, as finclaw-market takes them."""

from __future__ import annotations

from pathlib import Path

from finclaw_demo.companies import INSTRUMENTS
from finclaw_market.datasets import Dataset, DatasetFile

DATA = Path(__file__).with_name("data")


def dataset() -> Dataset:
    """Four instruments, two years of days."""
    return Dataset(
        name="finclaw-demo",
        kind="synthetic",
        licence="Apache-2.0",
        files=tuple(
            DatasetFile(
                path=DATA / item.file,
                symbol=item.symbol,
                name=item.name,
                exchange=item.exchange,
                currency=item.currency,
                tz=item.tz,
                adjustment="none",
            )
            for item in INSTRUMENTS
        ),
    )
