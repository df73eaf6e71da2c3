"""Positions as a user has them: a CSV of symbol, quantity and cost, or the same as arguments."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from pathlib import Path

from finclaw_analytics.numbers import bad_input
from finclaw_cli.sdk import Source, ToolContext
from finclaw_cli.sdk.files import Refused, read_file
from finclaw_cli.sdk.render import one_line, quoted
from finclaw_cli.sdk.tabular import (
    DELIMITERS,
    BadCell,
    DateStyle,
    FileProblem,
    Mark,
    MarkVotes,
    Row,
    decode,
    match_columns,
    missing_column,
    parse_amount,
    parse_date,
    split_rows,
)

CASH = "CASH"
"""The symbol of an amount of money, whose currency is in its own column."""
MOST = 500
_MOST_BYTES = 2_000_000
_LARGEST = Decimal(10) ** 15
_ENCODINGS = ("utf-8-sig", "utf-16", "cp949", "cp1252")
_PREAMBLE = 20
_NAMES: dict[str, tuple[str, ...]] = {
    "symbol": ("symbol", "ticker", "instrument", "security", "wertpapier", "종목코드", "종목"),
    "quantity": ("quantity", "qty", "shares", "units", "stück", "anzahl", "bestand", "수량", "보유수량"),
    "cost": (
        "cost", "cost basis", "total cost", "cost basis total", "book value", "einstandswert", "kaufwert", "매입금액",
    ),
    "price": (
        "average price", "avg price", "average cost", "avg cost", "cost per share", "purchase price", "price paid",
        "average cost basis", "einstandskurs", "kaufkurs", "매입단가", "평균단가",
    ),
    "currency": ("currency", "ccy", "währung", "통화"),
    "date": ("date", "purchase date", "trade date", "acquired", "date acquired", "kaufdatum", "매입일"),
}  # fmt: skip
_NUMERIC = ("quantity", "cost", "price")
_TOTALS = frozenset({"total", "totals", "gesamt", "summe", "합계"})
_ISO = DateStyle()


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """So many units of a symbol; negative where they are short. `line` is None where it is no row of a file."""

    symbol: str
    quantity: Decimal
    cost: Decimal | None = None
    """What all units cost together; of a short position, what its sale brought, negative."""
    currency: str | None = None
    """Of the cost, and of cash; by default that of the prices."""
    day: date | None = None
    """When it was bought."""
    line: int | None = None
    lot: str | None = None
    """The id of the purchase, where the books have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """All positions, and where they are from."""

    items: tuple[Position, ...]
    sources: tuple[Source, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Symbols whose quantities are not known, each with the reason."""
    warnings: tuple[str, ...] = ()


def given_positions(
    quantities: Mapping[str, Decimal], costs: Mapping[str, Decimal] | None, currency: str | None
) -> Positions:
    """The positions of arguments; cash is in the currency given.

    Raises:
        ToolError: BAD_INPUT: a number is not valid, or a cost is of no position.
    """
    costs = costs or {}
    if unknown := sorted(set(costs) - set(quantities)):
        raise bad_input(f"costs of {', '.join(map(quoted, unknown[:5]))}, which are not among the positions")
    try:
        items = tuple(
            _checked(_given(symbol.strip(), quantity, costs.get(symbol), currency))
            for symbol, quantity in quantities.items()
        )
    except BadCell as error:
        raise bad_input(str(error)) from None
    return Positions(items=_counted(items), sources=(Source(id="s1", kind="input", ref="the positions given"),))


def _given(symbol: str, quantity: Decimal, cost: Decimal | None, currency: str | None) -> Position:
    is_cash = symbol.upper() == CASH
    return Position(symbol=symbol, quantity=quantity, cost=cost, currency=currency if is_cash else None)


def read_positions(path: str, ctx: ToolContext) -> Positions:
    """The positions of a CSV file of the workspace.

    Raises:
        ToolError: BAD_INPUT: it cannot be read, or rows of it are no positions; the first are named.
    """
    try:
        content = read_file(ctx, path, _MOST_BYTES)
    except Refused as refused:
        raise bad_input(f"path {quoted(path)} cannot be used: {refused.reason}") from None
    return _positions(content, Path(path).name, Source(id="s1", kind="file", ref=Path(path).name, licence="user"))


def pasted_positions(text: str) -> Positions:
    """The positions of the text of such a file, as the user piped or pasted it.

    Raises:
        ToolError: BAD_INPUT: as above.
    """
    return _positions(
        text.encode(errors="replace"), "table", Source(id="s1", kind="input", ref="the table given", licence="user")
    )


def _positions(content: bytes, name: str, source: Source) -> Positions:
    try:
        items = _parsed(_table(content))
    except FileProblem as problem:
        raise bad_input(one_line(f"{name}: {problem}")) from None
    source = replace(source, sha256=hashlib.sha256(content).hexdigest(), rows=f"{len(items)} rows")
    return Positions(items=_counted(tuple(items)), sources=(source,))


def _counted(items: tuple[Position, ...]) -> tuple[Position, ...]:
    if not 1 <= len(items) <= MOST:
        raise bad_input(f"{len(items)} positions are not between 1 and {MOST}")
    return items


@dataclass(frozen=True, slots=True)
class _Table:
    """A header, where its columns are, and the rows under it."""

    header: Sequence[str]
    at: dict[str, int]
    rows: list[Row]


def _parsed(table: _Table) -> list[Position]:
    header, at, rows = table.header, table.at, table.rows
    votes = MarkVotes()
    for line, cells in rows:
        for name in _NUMERIC:
            votes.look(_cell(cells, at.get(name)), line)
    mark, _ = votes.decide()
    bad: list[str] = []
    found: list[Position] = []
    for line, cells in rows:
        if _cell(cells, at["symbol"]).casefold() in _TOTALS or not _cell(cells, at["symbol"]):
            continue
        try:
            if len(cells) > len(header):
                raise BadCell(f"{len(cells)} cells under {len(header)} columns")  # noqa: TRY301 - reported like others
            found.append(_checked(_position(cells, at, mark, line)))
        except BadCell as error:
            bad.append(f"line {line}: {error}")
    if bad:
        more = f" (and {len(bad) - 5} more)" if len(bad) > 5 else ""  # noqa: PLR2004 - as many as are shown
        raise FileProblem(f"nothing was counted, rows are no positions: {'; '.join(bad[:5])}{more}")
    return found


def _table(content: bytes) -> _Table:
    """The table, read with the encoding and the delimiter that find most columns; of equal ones the first.

    Raises:
        FileProblem: there is no column of symbols or of quantities.
    """
    best = _Table((), {}, [])
    for encoding in _ENCODINGS:
        try:
            text, _ = decode(content, (encoding,))
        except FileProblem:
            continue
        for delimiter in DELIMITERS:
            rows = list(split_rows(text.splitlines(keepends=True), delimiter))
            for number, (_, cells) in enumerate(rows[:_PREAMBLE]):
                at = match_columns(cells, _NAMES)
                if len(at) > len(best.at):
                    best = _Table(cells, at, rows[number + 1 :])
    missing = [name for name in ("symbol", "quantity") if name not in best.at]
    if missing:
        raise missing_column(" and no ".join(missing), best.header)
    return best


def _cell(cells: Sequence[str], at: int | None) -> str:
    return cells[at].strip() if at is not None and at < len(cells) else ""


def _position(cells: Sequence[str], at: dict[str, int], mark: Mark, line: int) -> Position:
    numbers = {name: parse_amount(_cell(cells, at.get(name)), mark) for name in _NUMERIC if _cell(cells, at.get(name))}
    quantity, cost, price = (numbers.get(name) for name in _NUMERIC)
    if quantity is None:
        raise BadCell("no quantity")
    if cost is None and price is not None:
        cost = price * quantity
    day = _cell(cells, at.get("date"))
    return Position(
        symbol=_cell(cells, at["symbol"]),
        quantity=quantity,
        cost=cost,
        currency=_cell(cells, at.get("currency")) or None,
        day=parse_date(day, _ISO) if day else None,
        line=line,
    )


def _checked(item: Position) -> Position:
    """The position, where its numbers are ones that can be valued.

    Raises:
        BadCell: they are not.
    """
    if not item.symbol or not item.symbol.isprintable() or len(item.symbol) > 32:  # noqa: PLR2004 - longer than any symbol
        raise BadCell(f"{quoted(item.symbol[:40])} is no symbol")
    for name, number in (("quantity", item.quantity), ("cost", item.cost)):
        if number is not None and (not number.is_finite() or abs(number) > _LARGEST):
            raise BadCell(f"{name} {number:g} of {item.symbol} is not a number up to 1e15")
    if item.symbol.upper() == CASH and item.currency is None:
        raise BadCell("CASH needs a currency")
    return item
