"""From the rows of a CSV file to bookings: what decides how cells are read is settled once, before any row is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import pairwise

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import (
    BadCell,
    FileProblem,
    Mark,
    MarkVotes,
    OrderVotes,
    check_written_currency,
    column_key,
    parse_amount,
    read_rows,
)
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.dates import parse_day
from finclaw_ledger.debit_credit import DebitCredit, Pair
from finclaw_ledger.entries import KINDS, TRADES, Entry, Kind, Statement
from finclaw_ledger.header import Layout
from finclaw_ledger.names import shown_name
from finclaw_ledger.numbers import EXACT
from finclaw_ledger.profile import Profile
from finclaw_ledger.trades import Trade, settled
from finclaw_ledger.wording import cleaned, private

_MONEY = ("amount", "debit", "credit", "balance", "quantity", "price", "fee")
_OF_MONEY = tuple(role for role in _MONEY if role != "quantity")
_NAMED = {"$": "USD", "€": "EUR", "£": "GBP", "₩": "KRW", "원": "KRW"}
"""Signs that stand for a code in the column of currencies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The user's options, which take precedence over the profile."""

    account: str | None = None
    currency: str | None = None
    decimal: Mark | None = None
    date_format: str | None = None
    encoding: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How each cell of one file is read."""

    layout: Layout
    mark: Mark
    order: str
    account: str | None
    currency: str | None
    debit_credit: DebitCredit

    def number(self, cells: list[str], role: str) -> Decimal | None:
        """The number of a role.

        Raises:
            BadCell: it is none.
        """
        try:
            return parse_amount(self.layout.cell(cells, role), self.mark)
        except BadCell as error:
            raise BadCell(f"{role}: {error}") from None


def read_csv(layout: Layout, given: Given) -> Statement:
    """All bookings of a file, from the oldest to the newest.

    Raises:
        FileProblem: nothing decides how amounts or dates are read, or the account or the currency is not known.
    """
    rows, skipped = _without_trailers(layout)
    reading, notes = _decide(layout, given)
    found = Statement(how=layout.profile.name, notes=notes)
    if skipped:
        found.notes.append(f"lines left out as no bookings: {', '.join(map(str, skipped[:20]))}")
    read = partial(_entry, reading, warnings=found.warnings)
    found.entries = oldest_first(list(read_rows(rows, read, found.rejected, shown=private)))
    return found


def oldest_first(entries: list[Entry]) -> list[Entry]:
    """Bookings in the order in which they happened: a file that begins with the newest is turned round."""
    pairs = list(pairwise(entries))
    falling = sum(later.day < earlier.day for earlier, later in pairs)
    rising = sum(later.day > earlier.day for earlier, later in pairs)
    return sorted(reversed(entries) if falling > rising else entries, key=lambda entry: entry.day)


def _without_trailers(layout: Layout) -> tuple[list[tuple[int, list[str]]], list[int]]:
    words = tuple(word.casefold() for word in layout.profile.trailer)
    rows, skipped = [], []
    for line, cells in layout.rows:
        filled = [cell.strip().casefold() for cell in cells if cell.strip()]
        # A booking has a date and an amount; a trailer has words where the date would be, or is one sentence.
        is_trailer = len(filled) == 1 or (bool(words) and filled[0].startswith(words))
        if is_trailer and not (layout.cell(cells, "date") or filled[0])[:1].isdigit():
            skipped.append(line)
        else:
            rows.append((line, cells))
    return rows, skipped


def _decide(layout: Layout, given: Given) -> tuple[Reading, list[str]]:
    profile = layout.profile
    mark, why_mark = _mark(layout, given)
    order, why_order = _order(layout, given)
    account = given.account or profile.account
    if account is None and "account" not in layout.at:
        raise FileProblem("the file does not say whose account it is; say --account NAME")
    currency = given.currency or profile.currency
    if currency is None and "currency" not in layout.at:
        raise FileProblem("the file has no currency column; say --currency, e.g. EUR")
    debit_credit = DebitCredit(_pairs(layout, mark))
    notes = [
        *layout_notes(layout),
        *debit_credit.notes,
        f"decimal mark {mark!r} ({why_mark}); dates {order} ({why_order})",
    ]
    reading = Reading(
        layout=layout, mark=mark, order=order, account=account, currency=currency, debit_credit=debit_credit
    )
    return reading, notes


def _pairs(layout: Layout, mark: Mark) -> Iterator[Pair]:
    """The amounts of two columns, of the rows that have them."""
    for _, cells in layout.rows:
        with suppress(BadCell):
            yield parse_amount(layout.cell(cells, "debit"), mark), parse_amount(layout.cell(cells, "credit"), mark)


def layout_notes(layout: Layout) -> list[str]:
    """Where the header stands and what its columns are taken for."""
    roles = ", ".join(f"{role} = {_column(layout.header[index])}" for role, index in layout.at.items())
    rest = [_column(name) for index, name in enumerate(layout.header) if name and index not in layout.at.values()]
    return [
        f"header in line {layout.header_line}, {layout.encoding}, separated by {layout.delimiter!r}",
        f"columns: {roles}" + (f"; not read: {', '.join(rest)}" if rest else ""),
    ]


def _column(name: str) -> str:
    # A file without a header can have bookings where its names would be.
    return quoted(shown_name(name))


def _mark(layout: Layout, given: Given) -> tuple[Mark, str]:
    if given.decimal:
        return given.decimal, "as given"
    if layout.profile.decimal:
        return layout.profile.decimal, f"profile {layout.profile.name}"
    votes = MarkVotes()
    for line, cells in layout.rows:
        for role in _MONEY:
            votes.look(layout.cell(cells, role), line)
    return votes.decide()


def _order(layout: Layout, given: Given) -> tuple[str, str]:
    if given.date_format:
        return given.date_format, "as given"
    if layout.profile.date_format:
        return layout.profile.date_format, f"profile {layout.profile.name}"
    votes = OrderVotes()
    for line, cells in layout.rows:
        votes.look(layout.cell(cells, "date"), line)
    order, why = votes.decide()
    return order or "YMD", why


def _entry(reading: Reading, cells: list[str], line: int, warnings: list[str]) -> Entry:
    layout = reading.layout
    if len(cells) < max(layout.at.values()) + 1 or len(cells) > len(layout.header) + 1:
        raise BadCell(f"{len(cells)} cells where the header has {len(layout.header)}")
    day = parse_day(layout.cell(cells, "date"), reading.order)
    kind = _kind(layout, cells)
    payee, memo = cleaned(layout.cell(cells, "payee")), cleaned(layout.cell(cells, "memo"))
    category, kind = _category(layout, cells, f"{payee} {memo}", kind)
    trade = _trade(reading, cells, kind) if layout.profile.has_trades() else Trade(cash=_amount(reading, cells))
    if trade.note:
        warnings.append(f"line {line}: {trade.note}")
    return Entry(
        line=line,
        day=day,
        amount=trade.cash,
        currency=_currency(reading, cells),
        account=cleaned(layout.cell(cells, "account")) or reading.account or _no_account(),
        payee=payee,
        memo=memo,
        category=category,
        kind=kind,
        balance=reading.number(cells, "balance"),
        symbol=trade.symbol,
        quantity=trade.quantity,
        price=trade.price,
        fee=trade.fee,
    )


def _no_account() -> str:
    raise BadCell("no account in this row; say --account NAME")


def _amount(reading: Reading, cells: list[str]) -> Decimal:
    layout = reading.layout
    amount = reading.number(cells, "amount")
    if "amount" not in layout.at:
        return reading.debit_credit.amount(reading.number(cells, "debit"), reading.number(cells, "credit"))
    if amount is None:
        raise BadCell("no amount")
    if layout.profile.debit_words and "direction" in layout.at:
        return abs(amount).copy_negate() if _is_out(layout.profile, layout.cell(cells, "direction")) else abs(amount)
    return EXACT.minus(amount) if layout.profile.sign == "money-out-positive" else amount


def _is_out(profile: Profile, word: str) -> bool:
    """Whether the word of a row means money out."""
    is_out, is_in = (
        word.casefold() in map(str.casefold, words) for words in (profile.debit_words, profile.credit_words)
    )
    if profile.credit_words and not (is_out or is_in):
        known = ", ".join([*profile.debit_words, *profile.credit_words])
        raise BadCell(f"direction {quoted(word)} is none of {known}")
    return is_out


def _currency(reading: Reading, cells: list[str]) -> str:
    found = reading.layout.cell(cells, "currency") or (reading.currency or "")
    if not found:
        raise BadCell("no currency")
    found = _NAMED.get(found) or currency_of(found)
    for role in _OF_MONEY:
        check_written_currency(reading.layout.cell(cells, role), found)
    return found


def _kind(layout: Layout, cells: list[str]) -> Kind:
    word = layout.cell(cells, "kind")
    if not word:
        return "payment"
    key = column_key(word)
    for kind, words in layout.profile.kinds.items():
        if key in {column_key(one) for one in words}:
            return kind
    if key in KINDS:
        return next(kind for kind in KINDS if kind == key)
    if layout.profile.has_trades():
        raise BadCell(f"kind {quoted(word)} is none of {', '.join(KINDS)}; say it in a profile's [kinds]")
    return "payment"


def _category(layout: Layout, cells: list[str], text: str, kind: Kind) -> tuple[str | None, Kind]:
    own = cleaned(layout.cell(cells, "category"))
    lowered = text.casefold()
    for rule in layout.profile.category:
        if rule.match.casefold() in lowered:
            return rule.name, rule.kind or kind
    return own or None, kind


def _trade(reading: Reading, cells: list[str], kind: Kind) -> Trade:
    symbol = cleaned(reading.layout.cell(cells, "symbol")).upper()
    numbers = {role: reading.number(cells, role) for role in ("quantity", "price", "fee", "amount")}
    if kind in TRADES and not symbol:
        raise BadCell(f"a {kind} without a symbol")
    return settled(kind, symbol or None, numbers)
