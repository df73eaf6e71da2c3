"""`realised_gains`: what each sale gained, from which lots, by year and currency."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from finclaw_analytics.numbers import bad_input
from finclaw_cli.sdk import FinanceResult, Method, ToolContext, no_data, tool
from finclaw_cli.sdk.render import quoted
from finclaw_ledger.books import Booking
from finclaw_ledger.lots import Lot, Position, Sale, positions
from finclaw_ledger.results import BOOKS_NEEDED
from finclaw_portfolio.amounts import currency_code, money, number
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


@dataclass(slots=True, kw_only=True)
class _Year:
    """The sales of one year and currency."""

    sales: int = 0
    proceeds: Fraction = Fraction(0)
    cost: Fraction = Fraction(0)
    gain: Fraction = Fraction(0)
    base: Fraction | None = Fraction(0)
    left_out: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sold:
    """A sale, and the same in the base currency."""

    id: str
    sale: Sale
    based: Sale
    reason: str | None
    """Why there is no gain."""
    has_base: bool

    @property
    def gain(self) -> Fraction | None:
        return None if self.reason else self.sale.gain

    @property
    def base(self) -> Fraction | None:
        return None if self.reason or not self.has_base else self.based.gain


def _answer(trades: Trades, asked: _Asked, ctx: ToolContext) -> FinanceResult:
    last = min(asked.days[1], trades.cap)
    items = [item for item in trades.items if item.day <= last]
    if not items:
        raise no_data(f"there are no trades up to {last}")
    rows = settled_by_store(items, ctx, last)
    code = base_currency(asked.base, {}, [item.currency for item in items])
    converter = Converter(base=code or "", ctx=ctx)
    ids = _ids(rows.items, trades.place)
    named = Named(asked.lots, ids)
    order = order_of(asked.method, named)
    held = positions(rows.items, order)
    # The same lots in the same order, with each amount at the rate of its own day.
    based = positions(rows.items, order, _cash(converter) if code else lambda _: Fraction(0))
    if unknown := [name for name in asked.lots if name not in _sale_ids(held, ids)]:
        shown = ", ".join(_sale_ids(held, ids)[:10]) or "none"
        raise bad_input(f"{quoted(unknown[0])} is no sale; there are: {shown}")
    every = [one for one in _sold(held, based, ids, rows, converter) if one.sale.sold.day >= asked.days[0]]
    every.sort(key=lambda one: one.sale.sold.day)
    return FinanceResult(
        data={
            "lots_by": asked.method,
            "currency": code,
            "sales": [_row(one, ids, code) for one in every[:_MOST]],
            "by_year": _by_year(every, code),
            "open_lots": _open_lots(held, ids)[:_MOST],
            "limits": list(_LIMITS),
        },
        as_of=min(last, max(item.day for item in items)).isoformat(),
        units=_UNITS,
        method=Method(
            name="realised_gains", convention=f"{CONVENTION[asked.method]}; {_METHOD}; {SPLITS}", n=len(every)
        ),
        sources=numbered([*trades.cite(items), *converter.sources]),
        warnings=_warnings(trades, every, (rows, converter, named)),
        truncated=len(every) > _MOST,
    )


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


def _sale_ids(held: Sequence[Position], ids: dict[int, str]) -> list[str]:
    return [ids[id(sale.sold)] for one in held for sale in one.sales]


def _sold(
    held: Sequence[Position], based: Sequence[Position], ids: dict[int, str], rows: Settled, converter: Converter
) -> Iterable[_Sold]:
    for one, other in zip(held, based, strict=True):
        has_base = bool(converter.base) and one.currency not in converter.missing
        for sale, same in zip(one.sales, other.sales, strict=True):
            reason = rows.unknown.get(one.symbol)
            if sale.unknown:
                reason = f"{number(sale.unknown)} more sold than bought: purchases before the first row, or sold short"
            yield _Sold(id=ids[id(sale.sold)], sale=sale, based=same, reason=reason, has_base=has_base)


def _row(one: _Sold, ids: dict[int, str], base: str | None) -> dict[str, object]:
    sold, sale = one.sale.sold, one.sale
    row: dict[str, object] = {
        "sale": one.id,
        "date": sold.day,
        "account": sold.account,
        "symbol": sold.symbol,
        "quantity": number(sale.units),
        "currency": sold.currency,
        "proceeds": money(sale.proceeds, sold.currency),
        "fee": None if sold.fee is None else money(Fraction(sold.fee), sold.currency),
        "cost": None if one.reason else money(sale.cost, sold.currency),
        "gain": money(one.gain, sold.currency),
        "base_gain": None if base is None else money(one.base, base),
        "lots": [_lot(lot, ids, sold) for lot in sale.lots],
        "reason": one.reason,
    }
    return {name: value for name, value in row.items() if name == "gain" or value is not None}


def _lot(lot: Lot, ids: dict[int, str], sold: Booking | None = None) -> dict[str, object]:
    bought = lot.bought
    row: dict[str, object] = {
        "lot": ids[id(bought)],
        "bought": bought.day,
        "quantity": number(lot.units),
        "cost": money(lot.cost, bought.currency),
    }
    return {**row, "days": (sold.day - bought.day).days} if sold is not None else row


def _open_lots(held: Sequence[Position], ids: dict[int, str]) -> list[dict[str, object]]:
    return [
        {"symbol": one.symbol, "account": lot.bought.account, **_lot(lot, ids), "currency": one.currency}
        for one in held
        for lot in one.lots
    ]


def _by_year(every: Sequence[_Sold], base: str | None) -> list[dict[str, object]]:
    years: dict[tuple[int, str], _Year] = {}
    for one in every:
        year = years.setdefault((one.sale.sold.day.year, one.sale.sold.currency), _Year())
        year.sales += 1
        if one.gain is None:
            year.left_out.append(one.id)
            continue
        year.proceeds += one.sale.proceeds
        year.cost += one.sale.cost
        year.gain += one.gain
        year.base = None if year.base is None or one.base is None else year.base + one.base
    return [
        {
            "year": number_,
            "currency": code,
            "sales": year.sales,
            "proceeds": money(year.proceeds, code),
            "cost": money(year.cost, code),
            "gain": money(year.gain, code),
            "base_gain": None if base is None else money(year.base, base),
            "incomplete": year.left_out,
        }
        for (number_, code), year in sorted(years.items())
    ]


def _warnings(trades: Trades, every: Sequence[_Sold], used: tuple[Settled, Converter, Named]) -> tuple[str, ...]:
    rows, converter, named = used
    without = [f"{one.id}: no gain of {one.sale.sold.symbol}: {one.reason}" for one in every if one.reason]
    oldest = f"without named lots, so the oldest were taken: {', '.join(list(named.others)[:20])}"
    return tuple(
        dict.fromkeys(
            [
                *trades.warnings(rows.items),
                *without[:20],
                *([oldest] if named.others else []),
                *rows.notes,
                *converter.warnings,
            ]
        )
    )
