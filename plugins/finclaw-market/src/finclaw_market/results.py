"""What all answers about instruments share: who it is, in which unit, from which file, how old."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from finclaw_cli.sdk import Instrument, Need, Source, ToolContext, no_data
from finclaw_cli.sdk.render import quoted
from finclaw_market.bars import Bar, normal_symbol
from finclaw_market.datasets import GROUP
from finclaw_market.prices import Found, Prices, all_prices
from finclaw_market.problems import StoreProblem, StoreUnusable
from finclaw_market.queries import Listed, StoredSource
from finclaw_market.sessions import today
from finclaw_market.store import FILE_NAME

IMPORT = "finclaw data import FILE --symbol SYMBOL --currency USD --adjustment none"
NOTHING_YET = f"no prices have been imported yet; the user can run: {IMPORT}"
PRICES_NEEDED = (
    Need(
        file=FILE_NAME,
        or_entry_points=GROUP,
        how=IMPORT,
    ),
)
_CANDIDATES = 5
_MAX_QUERY = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """The last visible date, and the warnings of the answer."""

    day: date
    warnings: tuple[str, ...] = ()


@contextmanager
def opened(home: Path, *, may_be_empty: bool = False) -> Iterator[Prices]:
    """All prices, for a tool.

    Raises:
        ToolError: there are none.
        StoreUnusable: NOT_CONFIGURED: the store cannot be read.
    """
    try:
        with all_prices(home) as prices:
            if prices.empty and not may_be_empty:
                raise no_data("; ".join((*prices.problems, NOTHING_YET)))
            yield prices
    except StoreProblem as error:
        raise StoreUnusable(str(no_data(str(error), code="NOT_CONFIGURED"))) from None


def cap_for(ctx: ToolContext, as_of: date | None, tz: str | None = None) -> Cap:
    """The last date that may be seen: the earliest of the run's, the call's and today's."""
    latest = min(ctx.as_of or date.max, today(tz))
    if as_of is None:
        return Cap(day=latest)
    if as_of > latest:
        return Cap(day=latest, warnings=(f"as_of {as_of} is not reached yet; answered as of {latest}",))
    return Cap(day=as_of)


def seen(prices: Prices, symbol: str, ctx: ToolContext, as_of: date | None) -> tuple[Found, Cap]:
    """The instrument of that symbol, and how much of it may be seen: what day it is depends on where it trades.

    Raises:
        ToolError: unknown, or meaning several; with candidates.
    """
    found = find(prices, symbol, cap_for(ctx, as_of).day, cap_for(ctx, None).day)
    cap = cap_for(ctx, as_of, found.item.tz)
    return found, replace(cap, warnings=(*cap.warnings, *prices.problems))


def checked_symbol(given: str) -> str:
    """The symbol in the form the store knows; before anything is searched for it.

    Raises:
        ToolError: it cannot be one.
    """
    symbol = normal_symbol(given) if len(given) <= _MAX_QUERY else None
    if symbol is None:
        why = "is not a symbol (letters, digits and .^=_- only, at most 32); find_symbol finds one by name"
        raise no_data(f"{quoted(given)} {why}", code="BAD_INPUT")
    return symbol


def checked_query(given: str) -> str:
    """What is looked for, where it is short enough to compare.

    Raises:
        ToolError: it is longer than any name.
    """
    if len(given) > _MAX_QUERY:
        raise no_data(f"query {quoted(given)} is longer than {_MAX_QUERY} characters", code="BAD_INPUT")
    return given


def find(prices: Prices, symbol: str, cap: date, latest: date) -> Found:
    """The one instrument of that checked symbol; never a guess.

    Args:
        prices: all there are.
        symbol: which one.
        cap: the last day that the call looks at.
        latest: the last day that the run may see; what is stored of later days only is not stored for it.

    Raises:
        ToolError: unknown, or meaning several; with candidates.
    """
    found = prices.one(symbol, cap)
    if found is not None:
        return found
    everything = prices.everything(cap)
    alike = ranked(everything, symbol, _CANDIDATES) or (everything if len(everything) <= _CANDIDATES else [])
    near = [entry.item for entry in alike]
    shown = ", ".join(f"{item.symbol}{f' ({item.name})' if item.name else ''}" for item in near)
    same = [entry for entry in everything if entry.item.symbol.split(".")[0] == symbol]
    if len(same) > 1:
        raise no_data(f"{symbol!r} may be {shown}; say which", code="AMBIGUOUS_SYMBOL")
    later = prices.one(symbol, latest)
    if later is not None:
        raise no_data(f"{symbol!r} has bars from {later.item.first} on, but none up to {cap}", code="UNKNOWN_SYMBOL")
    missing = (
        f"{symbol!r} is not in the price store up to {cap}; candidates: {shown or 'none'}; to bring it in: "
        f"finclaw data import FILE --symbol {symbol} --currency USD --adjustment none"
    )
    raise no_data("; ".join((missing, *prices.problems)), code="UNKNOWN_SYMBOL")


def ranked(everything: Sequence[Found], query: str, limit: int) -> list[Found]:
    """The instruments that match a query by symbol or name, the best first."""
    wanted = query.strip().casefold()
    scored = [(score, entry.item.symbol, entry) for entry in everything if (score := _score(entry.item, wanted)) > 0]
    return [entry for _, _, entry in sorted(scored, key=lambda entry: (-entry[0], entry[1]))[:limit]]


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
        # Data of a package has no time of retrieval.
        retrieved_at=source.retrieved_at if source.kind in {"file", "service"} else None,
        licence=source.licence,
    )


def mixed_warning(sources: Sequence[StoredSource]) -> tuple[str, ...]:
    """Say it where a series was put together from several files or fetches."""
    what = "sources" if any(source.kind == "service" for source in sources) else "files"
    return (f"the series comes from {len(sources)} {what}",) if len(sources) > 1 else ()
