"""The table of models, with a legend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from finclaw_cli.catalog.windows import ASSUMED
from finclaw_cli.core.record import record
from finclaw_cli.listings.models import ModelRow
from finclaw_cli.output.console import echo_prose, echo_table

UNKNOWN = "-"
PRICES = {
    "input": "input_usd",
    "output": "output_usd",
    "cache read": "cache_read_usd",
    "cache write": "cache_write_usd",
    "cache write 1h": "cache_write_1h_usd",
}
LEGEND = (
    "INPUT, OUTPUT, READ and WRITE (of the cache; WRITE 1H: for an hour) are USD per million tokens.\n"
    "+  more for large requests: `--json` has the tiers.   ~  assumed.   -  not known."
)
ELSEWHERE = "\nA model of any compatible server: finclaw run -m NAME --base-url http://localhost:11434/v1 …"


@record
class Column:
    """A column: its title, and the cell of a model."""

    head: str
    cell: Callable[[ModelRow], str]


def price_cell(row: ModelRow, name: str) -> str:
    """A price: `3`, `3+` with tiers, `as input` where there is none for the cache."""
    price = _plain(getattr(row, name))
    if row.input_usd is None:
        return UNKNOWN
    if price is None:
        return "as write" if name == "cache_write_1h_usd" and row.cache_write_usd is not None else "as input"
    is_more = any(getattr(tier.rates, name) != getattr(row, name) for tier in row.tiers)
    return f"{price}+" if is_more else price


def window_cell(row: ModelRow) -> str:
    """A context window in tokens, `~` where it is assumed."""
    if row.window is None:
        return UNKNOWN
    return f"~{row.window:,}" if row.window_source == ASSUMED else f"{row.window:,}"


def max_output_cell(row: ModelRow) -> str:
    """The most tokens of one answer, where the settings have it."""
    return UNKNOWN if row.max_output is None else f"{row.max_output:,}"


def _plain(price: Decimal | None) -> str | None:
    return None if price is None else format(price, "f")


def _price(name: str) -> Callable[[ModelRow], str]:
    return lambda row: price_cell(row, name)


COLUMNS: tuple[Column, ...] = (
    Column("MODEL", lambda row: row.model),
    Column("PROVIDER", lambda row: row.provider),
    Column("KEY", lambda row: row.key),
    Column("WINDOW", window_cell),
    Column("WINDOW FROM", lambda row: row.window_source),
    Column("MAX OUTPUT", max_output_cell),
    Column("INPUT", _price("input_usd")),
    Column("OUTPUT", _price("output_usd")),
    Column("READ", _price("cache_read_usd")),
    Column("WRITE", _price("cache_write_usd")),
    Column("WRITE 1H", _price("cache_write_1h_usd")),
    Column("PRICES FROM", lambda row: row.price_source or UNKNOWN),
    Column("NOTE", lambda row: row.note),
)
# The columns that are left out where a line has no room, the first one first.
LEFT_OUT = (
    "PROVIDER", "WINDOW FROM", "WRITE 1H", "MAX OUTPUT", "NOTE", "KEY", "PRICES FROM", "WRITE", "READ", "WINDOW",
    "OUTPUT",
)  # fmt: skip


def print_models(rows: Sequence[ModelRow]) -> None:
    """Print the table and its legend."""
    cells = [[column.cell(row) for column in COLUMNS] for row in rows]
    echo_table([column.head for column in COLUMNS], cells, drop=LEFT_OUT)
    echo_prose(f"\n{LEGEND}")
    echo_prose(ELSEWHERE)
