"""The instruments of the demo and what happens to them. All of it is made up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

FIRST = date(2024, 11, 1)
LAST = date(2026, 10, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """One instrument: who it is, how its price moves, and the events that price data really has."""

    symbol: str
    name: str
    file: str
    currency: str
    exchange: str | None = None
    tz: str = "America/New_York"
    seed: int
    start: Decimal
    tick: Decimal = Decimal("0.01")
    drift_ppm: int
    """What the price gains a day, in millionths."""
    market_percent: int
    """How much of the market's move it takes part in."""
    noise_ppm: int
    """How far it moves a day by itself, in millionths."""
    volume: int | None = None
    """Shares on an ordinary day; an index has none."""
    dividends: Mapping[date, Decimal] = field(default_factory=dict)
    splits: Mapping[date, int] = field(default_factory=dict)
    missing: frozenset[date] = frozenset()
    """Sessions that the file has no row for."""
    halted: frozenset[date] = frozenset()
    """Sessions without trading: the price stands still and the volume is zero."""


MARKET_SEED = 20_261_030
MARKET_NOISE_PPM = 7_000
INSTRUMENTS = (
    Instrument(
        symbol="ACME",
        name="Acme Corp (synthetic)",
        file="acme.csv",
        currency="USD",
        exchange="XNYS",
        seed=1,
        start=Decimal("84.20"),
        drift_ppm=450,
        market_percent=110,
        noise_ppm=9_000,
        volume=2_400_000,
        dividends={date(2025, 5, 15): Decimal("0.40"), date(2026, 5, 14): Decimal("0.45")},
        missing=frozenset({date(2026, 3, 18)}),
    ),
    Instrument(
        symbol="GLOBEX",
        name="Globex Industries (synthetic)",
        file="globex.csv",
        currency="USD",
        exchange="XNAS",
        seed=2,
        start=Decimal("236.00"),
        drift_ppm=600,
        market_percent=130,
        noise_ppm=13_000,
        volume=900_000,
        splits={date(2025, 9, 15): 2},
    ),
    Instrument(
        symbol="HANBIT",
        name="한빛전자 (synthetic)",
        file="hanbit.csv",
        currency="KRW",
        exchange="XKRX",
        tz="Asia/Seoul",
        seed=3,
        start=Decimal(71_300),
        tick=Decimal(100),
        drift_ppm=400,
        market_percent=70,
        noise_ppm=11_000,
        volume=5_200_000,
        halted=frozenset(date(2026, 6, day) for day in range(15, 20)),
    ),
    # The caret marks an index for finclaw-market, which is in points, not in money.
    Instrument(
        symbol="^SYNX",
        name="SYNX Market Index (synthetic)",
        file="synx.csv",
        currency="USD",
        seed=4,
        start=Decimal("3150.00"),
        drift_ppm=250,
        market_percent=100,
        noise_ppm=0,
    ),
)
