"""What all answers about instruments share: who it is, in which unit, from which file, how old."""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from finclaw_cli.sdk import Instrument, Source, ToolContext, no_data
from finclaw_market.bars import Bar, normal_symbol
from finclaw_market.problems import StoreProblem
from finclaw_market.queries import Listed, StoredSource, listed
from finclaw_market.sessions import today
from finclaw_market.store import reading

HOW_TO_IMPORT = "finclaw data import FILE --symbol SYMBOL --currency USD"
_CANDIDATES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """The last date that may be seen, and what to say where that is not what was asked for."""

    day: date
    warnings: tuple[str, ...] = ()


@contextmanager
def opened(home: Path) -> Iterator[sqlite3.Connection]:
    """The store, for a tool.

    Raises:
        ToolError: there is none, or it cannot be read.
    """
    try:
        with reading(home) as connection:
            if connection is None:
                raise no_data(f"no prices have been imported yet; the user can run: {HOW_TO_IMPORT}")
            yield connection
    except StoreProblem as error:
        raise no_data(str(error), code="NOT_CONFIGURED") from None


def cap_for(ctx: ToolContext, as_of: date | None, tz: str | None = None) -> Cap:
    """The last date that may be seen: the earliest of the run's, the call's and today's."""
    latest = min(ctx.as_of or date.max, today(tz))
    if as_of is None:
        return Cap(day=latest)
    if as_of > latest:
        return Cap(day=latest, warnings=(f"as_of {as_of} is not reached yet; answered as of {latest}",))
    return Cap(day=as_of)


def find(connection: sqlite3.Connection, symbol: str, cap: date) -> Listed:
    """The one instrument of that symbol; never a guess.

    Raises:
        ToolError: unknown, or meaning several; with candidates.
    """
    normal = normal_symbol(symbol)
    found = next(listed(connection, cap, normal), None) if normal else None
    if found is not None:
        return found
    everything = list(listed(connection, cap))
    near = ranked(everything, symbol, _CANDIDATES)
    shown = ", ".join(f"{item.symbol}{f' ({item.name})' if item.name else ''}" for item in near)
    same = [item for item in everything if normal and item.symbol.split(".")[0] == normal]
    if len(same) > 1:
        raise no_data(f"{symbol!r} may be {shown}; say which", code="AMBIGUOUS_SYMBOL")
    raise no_data(
        f"{symbol[:40]!r} is not in the price store up to {cap}; candidates: {shown or 'none'}", code="UNKNOWN_SYMBOL"
    )


def ranked(everything: Sequence[Listed], query: str, limit: int) -> list[Listed]:
    """The instruments that match a query by symbol or name, the best first."""
    wanted = query.strip().casefold()
    scored = [(score, item.symbol, item) for item in everything if (score := _score(item, wanted)) > 0]
    return [item for _, _, item in sorted(scored, key=lambda entry: (-entry[0], entry[1]))[:limit]]


def _score(item: Listed, wanted: str) -> float:
    symbol, name = item.symbol.casefold(), (item.name or "").casefold()
    if not wanted:
        return 0
    if symbol == wanted:
        return 6
    if symbol.split(".")[0] == wanted:
        return 5
    if symbol.startswith(wanted) or name == wanted:
        return 4
    if any(word.startswith(wanted) for word in name.split()):
        return 3
    if wanted in symbol or wanted in name:
        return 2
    likeness = max(difflib.SequenceMatcher(None, wanted, text).ratio() for text in (symbol, name))
    return likeness if likeness >= 0.7 else 0  # noqa: PLR2004 - one letter off in a short symbol


def instrument_of(item: Listed) -> Instrument:
    """The instrument as results name it."""
    return Instrument(symbol=item.symbol, name=item.name, exchange=item.exchange, currency=item.currency)


def price_unit(item: Listed) -> str:
    """The unit of a price: an index is counted in points, a share costs money."""
    if item.symbol.startswith("^"):
        return "index points"
    return f"{item.currency}/share" if item.currency else "unknown currency/share"


def unit_warnings(item: Listed) -> tuple[str, ...]:
    """What to say where the unit is not known."""
    if item.currency or item.symbol.startswith("^"):
        return ()
    return ("the import did not say the currency",)


def cite(sources: Sequence[StoredSource], bars: Sequence[Bar]) -> tuple[Source, ...]:
    """The files that bars came from, with the lines they stand in."""
    return tuple(_cited(number, source, bars) for number, source in enumerate(sources, 1))


def _cited(number: int, source: StoredSource, bars: Sequence[Bar]) -> Source:
    lines = [bar.line for bar in bars if bar.source_id == source.id]
    return Source(
        id=f"s{number}",
        kind=source.kind,
        ref=source.ref,
        sha256=source.sha256,
        rows=f"{min(lines)}..{max(lines)}",
        retrieved_at=source.retrieved_at,
        licence=source.licence,
    )


def mixed_warning(sources: Sequence[StoredSource]) -> tuple[str, ...]:
    """Say it where a series was put together from several files."""
    return (f"the series comes from {len(sources)} files",) if len(sources) > 1 else ()
