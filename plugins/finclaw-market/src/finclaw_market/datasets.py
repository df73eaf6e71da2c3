"""What another distribution declares to bring read-only prices along.

    [project.entry-points."finclaw_market.datasets"]
    my-prices = "my_package.dataset:DATASET"

The value is a `Dataset`, or a function without parameters that returns one.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from finclaw_market.bars import Adjustment

GROUP = "finclaw_market.datasets"
DatasetKind = Literal["synthetic", "package"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetFile:
    """One price file, and the options that `finclaw data import` would need for it."""

    path: Path
    symbol: str | None = None
    """None where the file has a column for it."""
    name: str | None = None
    exchange: str | None = None
    currency: str | None = None
    tz: str | None = None
    adjustment: Adjustment | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Files that come with a package; all of them are good, or none is used."""

    name: str
    files: tuple[DatasetFile, ...]
    licence: str
    kind: DatasetKind
    """`synthetic` for made-up prices, `package` for real ones. Results say it of their sources."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packaged:
    """The prices of one package, or why they cannot be used."""

    name: str
    store: sqlite3.Connection | None = None
    problem: str | None = None
