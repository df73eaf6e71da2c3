"""`realised_gains`: what each sale gained, from which lots, by year and currency."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from finclaw_analytics.numbers import bad_input
from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_cli.sdk.render import quoted
from finclaw_ledger.books import Booking
from finclaw_ledger.lots import Position, positions
from finclaw_ledger.results import BOOKS_NEEDED
from finclaw_portfolio.amounts import currency_code, number
from finclaw_portfolio.gain_rows import Sold, by_year, open_lots, sale_row
from finclaw_portfolio.lot_orders import CONVENTION, LotMethod, Named, order_of
from finclaw_portfolio.prices import Converter, base_currency, market_context, numbered
from finclaw_portfolio.splits import METHOD as SPLITS
from finclaw_portfolio.splits import Settled, settled_by_store
from finclaw_portfolio.trades import Trades, ask_trades

_METHOD = (
    "gain = proceeds less the fee of the sale - cost with the fees of purchase; base amounts at the exchange rates of "
    "the days of purchase and of sale; days = from the day of purchase to that of the sale; splits change quantities "
    "only"
)
_LIMITS = (
    "wash sales are not computed",
    "no rule of a tax law is applied: no allowance, no holding period, no pooling of accounts",
)
_MOST = 100
_MOST_NAMED = 20
_UNITS = {
    **dict.fromkeys(("proceeds", "fee", "cost", "gain"), "currency of the row"),
    "base_gain": "base currency",
    "days": "calendar days",
}
_EXAMPLE = {"method": "fifo", "currency": "EUR", "start": "2024-01-01", "end": "2024-12-31"}


@tool(
    group="data",
    sensitive=True,
    read_only=True,
    idempotent=True,
    timeout=60,
    needs=BOOKS_NEEDED,
    examples=(_EXAMPLE,),
)
async def realised_gains(
    ctx: ToolContext,
    *,
    method: LotMethod = "fifo",
    lots: dict[str, list[str]] | None = None,
    path: str | None = None,
    account: str | None = None,
    currency: str | None = None,
    start: date | None = None,
    end: date | None = None,
) -> FinanceResult:
    """What sales of the user's securities gained, by sale, lot and year. Wash sales are not computed.

    Args:
        ctx: given by finclaw.
        method: which lots are sold.
        lots: for specific, by sale its lots, as {"trades.csv:9": ["trades.csv:2=5", "trades.csv:4"]}.
        path: CSV of the workspace with date, kind, symbol, quantity, price and fee; by default the user's books.
        account: of the books; by default all.
        currency: also to give gains in.
        start: of the sales.
        end: of the sales.
    """
    base = currency_code(currency)
    if (lots is not None) != (method == "specific"):
        raise bad_input("lots are for the method specific, which needs them")
    asked = _Asked(method=method, lots=lots or {}, base=base, days=(start or date.min, end or date.max))
    market = market_context(ctx)
    return await ask_trades(ctx, (path, account, base), lambda trades: _answer(trades, asked, market))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    method: LotMethod
    lots: dict[str, list[str]]
    base: str | None
    days: tuple[date, date]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """The sales of the days that were asked for, and what they are from."""

    rows: Settled
    converter: Converter
    named: Named
    ids: dict[int, str]
    held: list[Position]
    sales: list[Sold]

    @property
    def base(self) -> str | None:
        return self.converter.base or None


def _answer(trades: Trades, asked: _Asked, ctx: ToolContext) -> FinanceResult:
    last = min(asked.days[1], trades.cap)
    items = [item for item in trades.items if item.day <= last]
    if not items:
        raise no_data(f"there are no trades up to {last}")
    found = _found(items, asked, (trades, last), ctx)
    return FinanceResult(
        data={
            "lots_by": asked.method,
            "currency": found.base,
            "sales": [sale_row(one, found.ids, found.base) for one in found.sales[:_MOST]],
            "by_year": by_year(found.sales, found.base),
            "open_lots": open_lots(found.held, found.ids)[:_MOST],
            "limits": list(_LIMITS),
        },
        as_of=max(item.day for item in items).isoformat(),
        units=_UNITS,
        method=Method(
            name="realised_gains", convention=f"{CONVENTION[asked.method]}; {_METHOD}; {SPLITS}", n=len(found.sales)
        ),
        sources=numbered([*trades.cite(items), *found.converter.sources]),
        warnings=(*trades.warnings(items), *_warnings(found)),
        truncated=len(found.sales) > _MOST,
    )


def _found(items: list[Booking], asked: _Asked, known: tuple[Trades, date], ctx: ToolContext) -> _Found:
    """Match sales with lots.

    Raises:
        ToolError: BAD_INPUT: lots are named for what is no sale.
    """
    trades, last = known
    rows = settled_by_store(items, ctx, last)
    converter = Converter(base=base_currency(asked.base, {}, [item.currency for item in items]) or "", ctx=ctx)
    ids = _ids(rows.items, trades.place)
    named = Named(asked.lots, ids)
    order = order_of(asked.method, named)
    held = positions(rows.items, order)
    # The same lots in the same order, with each amount at the rate of its own day.
    based = positions(rows.items, order, _cash(converter)) if converter.base else held
    sales = list(_sold(held, based, ids, rows, converter))
    if unknown := sorted(asked.lots.keys() - {one.id for one in sales}):
        shown = ", ".join(one.id for one in sales[:10]) or "none"
        raise bad_input(f"{quoted(unknown[0])} is no sale; there are: {shown}")
    inside = [one for one in sales if one.sale.sold.day >= asked.days[0]]
    inside.sort(key=lambda one: one.sale.sold.day)
    return _Found(rows=rows, converter=converter, named=named, ids=ids, held=held, sales=inside)


def _cash(converter: Converter) -> Callable[[Booking], Fraction]:
    return lambda item: Fraction(item.amount) * (converter.rate(item.currency, item.day) or 0)


def _ids(items: Iterable[Booking], place: Callable[[Booking], str]) -> dict[int, str]:
    """The place of each trade; where two files have the same name, the later ones have a number as well."""
    found: dict[int, str] = {}
    counts: dict[str, int] = {}
    for item in items:
        if item.kind in {"buy", "sell"}:
            name = place(item)
            counts[name] = counts.get(name, 0) + 1
            found[id(item)] = name if counts[name] == 1 else f"{name}#{counts[name]}"
    return found


def _sold(
    held: Sequence[Position], based: Sequence[Position], ids: dict[int, str], rows: Settled, converter: Converter
) -> Iterable[Sold]:
    for one, other in zip(held, based, strict=True):
        has_base = bool(converter.base) and one.currency not in converter.missing
        for sale, same in zip(one.sales, other.sales, strict=True):
            reason = rows.unknown.get(one.symbol)
            if sale.unknown:
                reason = f"{number(sale.unknown)} more sold than bought: purchases before the first row, or sold short"
            yield Sold(id=ids[id(sale.sold)], sale=sale, based=same, reason=reason, has_base=has_base)


def _warnings(found: _Found) -> tuple[str, ...]:
    without = [f"{one.id}: no gain of {one.sale.sold.symbol}: {one.reason}" for one in found.sales if one.reason]
    others = list(found.named.others)
    oldest = f"without named lots, so the oldest were taken: {', '.join(others[:_MOST_NAMED])}"
    every = [
        *without[:_MOST_NAMED],
        *([oldest] if others else []),
        *found.rows.notes,
        *found.converter.warnings,
    ]
    return tuple(dict.fromkeys(every))
