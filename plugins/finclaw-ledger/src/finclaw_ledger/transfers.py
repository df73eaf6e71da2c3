"""Money that moved between the user's own accounts is neither spent nor earned.

Two bookings are a pair where the same amount left one account and came into another within three days. A pair counts as
a transfer where something besides the amount shows it: the file names one of them a transfer, deposit or withdrawal, a
word or the name of the other account stands in its text, both have the same text, or neither has one. Other pairs, as
of a salary and a rent of the same size, are proposed only. The user's verdict on a pair comes before all of that.

The pairs are kept in the books, and found anew for the amounts of each import. They depend on the bookings alone, not
on the order in which files are imported.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import groupby

from finclaw_ledger.conditions import Condition, Value

CONVENTION = (
    "transfers between own accounts are left out: same amount out of one and into another within 3 days, and named so, "
    "with the same text or without any; and what the file names transfer, deposit or withdrawal"
)
RULES = 1
"""The version of the rules; books whose pairs were found by other rules have them found anew."""
MOVES = frozenset({"transfer", "deposit", "withdrawal"})
_MAY_BE = ("payment", *sorted(MOVES))
_AWAY = tuple(timedelta(days=days) for days in (0, 1, -1, 2, -2, 3, -3))
_NAMED = re.compile(
    r"transfer|xfer|umbuchung|übertrag|virement|bonifico|overboeking|traspaso|own account|savings|top.?up|"
    r"card payment|payment thank you|autopay|계좌\s*이체|내\s*계좌|본인\s*계좌|저축",
    re.IGNORECASE,
)
_NOT_ONE = re.compile(
    r"salary|payroll|wages?\b|gehalt|lohn\b|\brent\b|\bmiete\b|dividend|interest|refund|pension|salaire|loyer|"
    r"급여|월급|월세|이자|배당|연금|환불",
    re.IGNORECASE,
)
# The amounts of the bookings that a file has, or has given a category.
_TOUCHED = """
SELECT currency, abs(CAST(amount AS REAL)) FROM entries WHERE source_id = ? OR category_source = ?
"""
_ONE_AMOUNT = "SELECT ?, ?"
_HAS_SEVERAL = "SELECT (SELECT min(account) FROM entries) IS NOT (SELECT max(account) FROM entries)"
_HAS_OTHERS = "SELECT EXISTS (SELECT 1 FROM entries WHERE source_id <> ?)"
_SIZE = "abs(CAST(e.amount AS REAL))"
_MAY_BE_SIDE = f"e.kind IN ({', '.join(repr(kind) for kind in _MAY_BE)}) AND e.units IS NOT 0"
_SIZES = "CREATE TEMP TABLE sizes (currency TEXT, size REAL, PRIMARY KEY (currency, size)) WITHOUT ROWID"
# Without a booking out of one account and one into another, no two of a size can be a pair; most sizes never come in.
_FILL = """
WITH came (currency, size) AS MATERIALIZED (
    SELECT DISTINCT e.currency, {size} FROM entries e WHERE e.amount > '.' AND {may_be_side} {among}
)
INSERT INTO sizes SELECT e.currency, {size} AS size FROM entries e
WHERE (e.currency, {size}) IN came AND {may_be_side} {among}
GROUP BY e.currency, size HAVING min(e.amount) < '.' AND max(e.amount) > '.' AND min(e.account) <> max(e.account)
"""
_SAME_SIZE = f"""
SELECT e.id, e.identity, e.account, e.day, e.amount, e.currency, e.kind, e.payee, e.memo, e.category
FROM entries e CROSS JOIN sizes s ON e.currency = s.currency AND {_SIZE} = s.size
WHERE {_MAY_BE_SIDE} ORDER BY e.currency, s.size, e.day, e.identity
"""  # noqa: S608 - constants
_FORGET = f"""
DELETE FROM transfers WHERE id IN (
    SELECT e.id FROM transfers t JOIN entries e ON e.id = t.id WHERE (e.currency, {_SIZE}) IN ({{amounts}})
)
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class _Side:
    """A booking that may be half of a transfer."""

    id: int
    identity: str
    account: str
    day: date
    amount: Decimal
    currency: str
    text: str
    is_named: bool
    may_be_one: bool


_Pair = tuple[_Side, _Side]
"""What went out and what came in."""


def is_no_transfer(cap: date) -> Condition:
    """The condition that a booking is not one side of a transfer of which both sides are seen."""
    side = "SELECT 1 FROM transfers t WHERE t.id = seen.id AND t.grounds <> 'proposed' AND t.later <= ?"
    return Condition(f"NOT EXISTS ({side})", (cap.isoformat(),))


def pair_amount(connection: sqlite3.Connection, currency: str, size: float) -> None:
    """Find the pairs of bookings of one currency and size anew; the caller holds the transaction."""
    _pair_among(connection, _ONE_AMOUNT, (currency, size))


def _pair_among(connection: sqlite3.Connection, amounts: str, values: tuple[Value, ...]) -> None:
    """Find the pairs of the currencies and sizes that a query has anew."""
    connection.execute(_FORGET.format(amounts=amounts), values)
    _pair(connection, f"AND (e.currency, {_SIZE}) IN ({amounts})", values)


def _pair(connection: sqlite3.Connection, among: str, values: tuple[Value, ...]) -> None:
    if not connection.execute(_HAS_SEVERAL).fetchone()[0]:
        return
    connection.execute(_SIZES)
    connection.execute(_FILL.format(size=_SIZE, may_be_side=_MAY_BE_SIDE, among=among), values * 2)
    verdicts = {(out, into): bool(yes) for out, into, yes in connection.execute("SELECT * FROM transfer_verdicts")}
    names = dict(connection.execute("SELECT key, name FROM accounts").fetchall())
    found = [_side(row, names) for row in connection.execute(_SAME_SIZE)]
    for _, group in groupby(found, key=lambda one: (one.currency, abs(one.amount))):
        rows = [
            (mine.id, other.id, max(mine.day, other.day).isoformat(), grounds)
            for grounds, (left, right) in _paired(list(group), verdicts)
            for mine, other in ((left, right), (right, left))
        ]
        connection.executemany("INSERT INTO transfers VALUES (?, ?, ?, ?)", rows)
    connection.execute("DROP TABLE sizes")


def is_out_of_date(connection: sqlite3.Connection) -> bool:
    """Whether the pairs were found by other rules, as by those of an earlier version of this plugin."""
    found = connection.execute("SELECT rules FROM pairing").fetchone()
    return found is None or found[0] != RULES


def pair_all(connection: sqlite3.Connection) -> None:
    """Find all pairs anew, by the rules of this version; the caller holds the transaction."""
    connection.execute("DELETE FROM transfers")
    _pair(connection, "", ())
    connection.execute("DELETE FROM pairing")
    connection.execute("INSERT INTO pairing VALUES (?)", (RULES,))


def pair_touched(connection: sqlite3.Connection, source: int) -> None:
    """Find the pairs anew for the amounts that a file has; the caller holds the transaction."""
    if is_out_of_date(connection) or not connection.execute(_HAS_OTHERS, (source,)).fetchone()[0]:
        pair_all(connection)
    else:
        _pair_among(connection, _TOUCHED, (source, source))


def _side(row: tuple[object, ...], names: dict[str, str]) -> _Side:
    number, identity, account, day, amount, currency, kind, payee, memo, category = row
    text = " ".join(f"{payee} {memo}".split()).casefold()
    others = [name.casefold() for key, name in names.items() if key != account]
    return _Side(
        id=int(str(number)),
        identity=str(identity),
        account=str(account),
        day=date.fromisoformat(str(day)),
        amount=Decimal(str(amount)),
        currency=str(currency),
        text=text,
        is_named=kind in MOVES
        or _NAMED.search(f"{text} {category or ''}") is not None
        or any(_has_words(text, name) for name in others),
        may_be_one=_NOT_ONE.search(f"{text} {category or ''}") is None,
    )


def _has_words(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _paired(sides: list[_Side], verdicts: dict[tuple[str, str], bool]) -> Iterator[tuple[str, _Pair]]:
    """The pairs among bookings of one size, each side used once, with what shows that they are transfers."""
    left = {one.id: one for one in sides}
    by_identity = {one.identity: one for one in sides}

    def take(grounds: str, pairs: Iterable[_Pair]) -> Iterator[tuple[str, _Pair]]:
        for pair in pairs:
            for side in pair:
                del left[side.id]
            yield grounds, pair

    accepted = [pair for pair, yes in verdicts.items() if yes and set(pair) <= by_identity.keys()]
    yield from take("accepted", [(by_identity[out], by_identity[into]) for out, into in accepted])
    rejected = {pair for pair, yes in verdicts.items() if not yes}
    for grounds, goes_out, comes_in, common in _GROUNDS:
        outgoing = [one for one in left.values() if one.amount < 0 and goes_out(one)]
        incoming = [one for one in left.values() if one.amount > 0 and comes_in(one)]
        yield from take(grounds, list(_nearest(outgoing, incoming, common, rejected)))


def _nearest(
    outgoing: list[_Side], incoming: list[_Side], common: _Common, rejected: set[tuple[str, str]]
) -> Iterator[_Pair]:
    """Pairs of different accounts with something in common, each side used once, the nearest days first."""
    waiting: dict[Hashable, deque[_Side]] = defaultdict(deque)
    for side in incoming:
        waiting[side.day, common(side)].append(side)
    for away in _AWAY:
        left = []
        for out in outgoing:
            near = waiting.get((out.day + away, common(out)), deque())
            into = next((one for one in near if _may_pair(out, one, rejected)), None)
            if into is None:
                left.append(out)
            else:
                near.remove(into)
                yield out, into
        outgoing = left


def _may_pair(out: _Side, into: _Side, rejected: set[tuple[str, str]]) -> bool:
    return out.account != into.account and (out.identity, into.identity) not in rejected


_Is = Callable[[_Side], bool]
_Common = Callable[[_Side], Hashable]


def _is_named(side: _Side) -> bool:
    return side.is_named


def _may_be_one(side: _Side) -> bool:
    return side.may_be_one


def _any(_side: _Side) -> bool:
    return True


def _nothing(_side: _Side) -> Hashable:
    return None


# Each kind of grounds with the bookings that may be a side, and what both sides have in common; the surest first.
_GROUNDS: tuple[tuple[str, _Is, _Is, _Common], ...] = (
    ("named", _is_named, _is_named, _nothing),
    ("named", _is_named, _may_be_one, _nothing),
    ("named", _may_be_one, _is_named, _nothing),
    ("same text", _may_be_one, _may_be_one, lambda side: side.text),
    ("proposed", _any, _any, _nothing),
)
