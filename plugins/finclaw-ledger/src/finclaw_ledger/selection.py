"""Some of the bookings, as a condition of SQL: counted, summed and cited without reading them one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any, Self

from finclaw_cli.sdk import no_data
from finclaw_ledger.books import Booking, Books, Held, Side
from finclaw_ledger.conditions import Condition, Value
from finclaw_ledger.numbers import plus, total

_SIDES: dict[str, Side] = {"own": "own", "expense": "expense", "income": "income", "other": "other"}
OUT = "amount < '.'"
"""The condition of money that left: a text with a minus sign comes before all digits."""
_SIZE = "CASE WHEN digits IS NULL THEN abs(CAST(amount AS REAL)) ELSE abs(units) END"
"""An amount without its sign: in units of its digits, or to about 15 digits where it has no such units."""
_MOST_DIGITS = 13
_FEW = 1_000
_ORDER = ("day", "rank", "account", "seq", "id")
_COLUMNS = (
    "day, account, amount, currency, payee, memo, category, kind, source_id, line, side, balance, symbol, quantity, "
    "price, fee, lot, lot_currency, id"
)


@dataclass(frozen=True, slots=True)
class Sum:
    """An exact sum of amounts, of how many bookings, and the largest of them without its sign.

    The largest is exact but for amounts of more than 13 digits, which SQLite has to about 15 digits.
    """

    amount: Decimal
    count: int
    largest: Decimal

    def with_(self, other: Sum) -> Sum:
        """Both sums as one."""
        return Sum(plus(self.amount, other.amount), self.count + other.count, max(self.largest, other.largest))


NOTHING = Sum(Decimal(0), 0, Decimal(0))


@dataclass(frozen=True, slots=True)
class Extent:
    """How many rows of a file, and the first and the last line of them."""

    file: int
    count: int
    first: int
    last: int


@dataclass(slots=True)
class Summary:
    """What many bookings come to."""

    sums: dict[tuple[str, Value], Sum] = field(default_factory=dict)
    """By currency and group."""
    extents: list[Extent] = field(default_factory=list)

    def add(self, group: tuple[str, Value], part: Sum) -> None:
        """Add a sum to that of a group."""
        before = self.sums.get(group)
        self.sums[group] = part if before is None else before.with_(part)

    def with_(self, other: Summary) -> Summary:
        """Both as one."""
        found = Summary(sums=dict(self.sums), extents=[*self.extents, *other.extents])
        for group, part in other.sums.items():
            found.add(group, part)
        return found

    @property
    def count(self) -> int:
        """Of how many bookings."""
        return sum(one.count for one in self.sums.values())


@dataclass(frozen=True, slots=True)
class Selection:
    """The bookings that all conditions hold for; conditions name columns of the view `seen`."""

    books: Books
    conditions: tuple[str, ...] = ("1",)
    values: tuple[Value, ...] = ()

    def where(self, condition: str, *values: Value) -> Self:
        """Those of them that a further condition holds for; it is the first to be tested, as it leaves fewer."""
        return replace(self, conditions=(condition, *self.conditions), values=(*values, *self.values))

    def fitting(self, condition: Condition) -> Self:
        """Those of them that a condition with its values holds for."""
        return self.where(condition.text, *condition.values)

    def looked_up(self) -> Self:
        """The same ones, by their numbers where they are few: their conditions are costly, and tested once then."""
        with self.rows("SELECT id", f"LIMIT {_FEW + 1}") as rows:
            numbers = [int(number) for (number,) in rows]
        if len(numbers) > _FEW:
            return self
        return replace(self, conditions=(f"id IN ({', '.join(map(str, numbers))})",), values=())

    def between(self, first: date, last: date) -> Self:
        """Those of the days from the first to the last."""
        return self.where("day BETWEEN ? AND ?", first.isoformat(), last.isoformat())

    def of(self, accounts: Iterable[str]) -> Self:
        """Those of some accounts."""
        wanted = set(accounts)
        if wanted.issuperset(self.books.names.values()):
            return self
        keys = [key for key, name in self.books.names.items() if name in wanted]
        return self.where(f"account IN ({', '.join('?' * len(keys))})", *keys)

    def count(self) -> int:
        """How many they are."""
        with self.rows("SELECT count(*)") as rows:
            return int(next(rows)[0])

    def last_day(self) -> date | None:
        """The newest day of them."""
        with self.rows("SELECT max(day)") as rows:
            found = next(rows)[0]
            return None if found is None else _day(found)

    def days_newest_first(self) -> Iterator[date]:
        """The days of them, the newest first."""
        with self.rows("SELECT DISTINCT day", "ORDER BY day DESC") as rows:
            for (day,) in rows:
                yield _day(day)

    def currencies(self) -> list[str]:
        """The currencies of their amounts, in order."""
        with self.rows("SELECT DISTINCT currency") as rows:
            return sorted(str(currency) for (currency,) in rows)

    def summary(self, key: str = "''") -> Summary:
        """Their exact sums by currency and the value of an expression of SQL, and the files that they are from."""
        return self.summaries(key, "1")[0]

    def summaries(self, key: str, condition: str) -> tuple[Summary, Summary]:
        """The summary of those that a condition holds for, and that of the others, in one pass."""
        columns = f"digits, source_id, sum(units), count(*), max({_SIZE}), min(line), max(line)"
        select = f"SELECT ({condition}) IS TRUE AS holds, currency, {key} AS k, {columns}"
        found = {True: Summary(), False: Summary()}
        with self.rows(select, "GROUP BY holds, currency, k, digits, source_id") as rows:
            for holds, currency, value, digits, file, units, count, size, first, last in rows:
                if digits is None:
                    mine = self.where(f"({condition}) IS TRUE IS ?", holds)
                    amount = _inexact(mine, key, (currency, value, file))
                else:
                    amount = _scaled(units, digits)
                found[bool(holds)].add((currency, value), Sum(amount, count, _sized(size, digits)))
                found[bool(holds)].extents.append(Extent(self.books.known_file(file), count, first, last))
        return found[True], found[False]

    def places(self, key: str, sizes: Collection[Decimal]) -> Iterator[tuple[str, Value, Decimal, str]]:
        """Where amounts of some sizes stand, the earliest first.

        Of each its currency, the value of an expression of SQL, its size, and `file:line`.
        """
        written = {number for size in sizes for number in _as_units(size)}
        sized = self.where(f"{_SIZE} IN ({', '.join('?' * len(written))})", *written)
        columns = f"SELECT currency, {key}, {_SIZE}, digits, source_id, line"
        with sized.rows(columns, "ORDER BY day, rank, seq, account") as rows:
            for currency, value, size, digits, file, line in rows:
                yield currency, value, _sized(size, digits), self.books.line_of(file, line)

    def bookings(self, limit: int | None = None, *, newest_first: bool = False) -> Iterator[Booking]:
        """Each of them, in the order of the books or the reverse."""
        order = ", ".join(f"{name} DESC" if newest_first else name for name in _ORDER)
        tail = f"ORDER BY {order}" + (f" LIMIT {int(limit)}" if limit is not None else "")
        chosen = self._newest(limit) if newest_first and limit else self
        with chosen.rows(f"SELECT {_COLUMNS}", tail) as rows:
            for row in rows:
                yield _booking(row, self.books)

    def _newest(self, count: int) -> Self:
        """Those of the newest days that have so many: an index has the days in order, and nothing else of the order."""
        with self.rows("SELECT day", f"ORDER BY day DESC LIMIT 1 OFFSET {count - 1}") as rows:
            found = next(rows, None)
        return self if found is None else self.where("day >= ?", found[0])

    @contextmanager
    def rows(self, select: str, tail: str = "") -> Iterator[Iterator[Sequence[Any]]]:
        """Ask for some columns of them; what in the block turns out to be no booking is an error of the books.

        Raises:
            ToolError: NOT_CONFIGURED: the books are damaged.
        """
        query = f"{select} FROM seen WHERE {' AND '.join(self.conditions)} {tail}"
        try:
            yield iter(self.books.connection.execute(query, self.values))
        except (ValueError, ArithmeticError, TypeError, LookupError):
            raise no_data(self.books.damaged, code="NOT_CONFIGURED") from None


def own_bookings(books: Books) -> Selection:
    """The bookings of the user's own accounts."""
    return Selection(books).where("side = 'own'")


def extents_of(items: Iterable[Booking | Held]) -> list[Extent]:
    """The files that single rows are from."""
    return merged(Extent(item.file, 1, item.line, item.line) for item in items)


def merged(extents: Iterable[Extent]) -> list[Extent]:
    """One extent for each file."""
    found: dict[int, Extent] = {}
    for one in extents:
        before = found.get(one.file, one)
        count = one.count + (before.count if one.file in found else 0)
        found[one.file] = Extent(one.file, count, min(before.first, one.first), max(before.last, one.last))
    return list(found.values())


def _booking(row: Sequence[Any], books: Books) -> Booking:
    day, key, amount, currency, payee, memo, category, kind, source, line, side, *rest = row
    balance, symbol, quantity, price, fee, lot, lot_currency, number = rest
    return Booking(
        id=int(str(number)),
        day=_day(day),
        account=books.names[str(key)],
        amount=_finite(amount),
        currency=str(currency),
        payee=str(payee),
        memo=str(memo),
        category=None if category is None else str(category),
        kind=str(kind),
        file=books.known_file(source),
        line=int(str(line)),
        side=_SIDES[str(side)],
        balance=_maybe(balance),
        symbol=None if symbol is None else str(symbol),
        quantity=_maybe(quantity),
        price=_maybe(price),
        fee=_maybe(fee),
        lot=None if lot is None else (_finite(lot), str(lot_currency)),
    )


def _inexact(items: Selection, key: str, of: tuple[str, Value, int]) -> Decimal:
    """The sum of the amounts of a currency, group and file that have too many digits for SQLite."""
    currency, value, file = of
    mine = items.where(f"digits IS NULL AND currency = ? AND {key} IS ? AND source_id = ?", currency, value, file)
    with mine.rows("SELECT amount") as rows:
        return total(_finite(amount) for (amount,) in rows)


def _scaled(units: int, digits: int) -> Decimal:
    return Decimal(units).scaleb(-digits)


def _sized(size: float, digits: int | None) -> Decimal:
    return Decimal(size) if digits is None else _scaled(int(size), digits)


def _as_units(size: Decimal) -> Iterator[float]:
    """What `_SIZE` can be of an amount of a size: it depends on the digits that the amount is written with."""
    yield float(size)
    for digits in range(_MOST_DIGITS):
        units = size.scaleb(digits)
        if units == units.to_integral_value() and units < 10**_MOST_DIGITS:
            yield int(units)


def _finite(value: object) -> Decimal:
    number = Decimal(str(value))
    if not number.is_finite():
        raise ValueError(value)
    return number


def _maybe(value: object) -> Decimal | None:
    return None if value is None else _finite(value)


# Years of bookings fall on few days, and reading a date costs more than finding it.
@lru_cache(maxsize=4_096)
def _day(value: object) -> date:
    return date.fromisoformat(str(value))
