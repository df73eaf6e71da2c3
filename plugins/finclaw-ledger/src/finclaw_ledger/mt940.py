"""SWIFT MT940 statements: a small reader of our own.

Fields: SWIFT Standards MT940 Customer Statement Message: :25: account, :60F:/:60M: opening balance, :61: statement
line, :86: information to the account owner, :62F:/:62M: closing balance. German banks structure :86: by ?20 to ?33
(DFÜ-Abkommen, annex 3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk.render import bounded, plain_number
from finclaw_cli.sdk.tabular import BadCell, FileProblem, Rejection, decode, parse_amount
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.dates import parse_day
from finclaw_ledger.entries import Balance, Entry, Statement
from finclaw_ledger.numbers import plus
from finclaw_ledger.textfile import MAX_ROWS, RawFile
from finclaw_ledger.wording import cleaned, private

_FIELD = re.compile(r":([0-9]{2}[A-Z]?):(.*)")
_BALANCE = re.compile(r"([CD])([0-9]{6})([A-Z]{3})([0-9]{1,15},[0-9]{0,4})")
_LINE = re.compile(
    r"([0-9]{6})([0-9]{4})?(R?[CD]|E[CD])([A-Z])?([0-9]{1,15},[0-9]{0,4})[A-Z][A-Z0-9]{3}(.*)", re.DOTALL
)
_PART = re.compile(r"\?([0-9]{2})")
_HEAD = 2_000
_HALF_YEAR = 183


@dataclass(slots=True)
class _Reader:
    given: str | None
    found: Statement = field(default_factory=lambda: Statement(how="mt940"))
    account: str = ""
    currency: str = ""
    running: Decimal | None = None
    opened: date | None = None


def looks_like_mt940(raw: RawFile) -> bool:
    """Whether the first bytes are those of an MT940 file."""
    head = raw.content[:_HEAD]
    return b":20:" in head and b":25:" in head


def read_mt940(raw: RawFile, *, account: str | None, encoding: str | None) -> Statement:
    """All bookings of the file, each with the balance after it.

    Raises:
        FileProblem: no statement is in it.
    """
    text, used = decode(raw.content, [encoding] if encoding else ["utf-8", "cp1252"])
    reader = _Reader(given=account)
    pending: tuple[int, str] | None = None
    for line, tag, value in _fields(text):
        if pending is not None:
            _book(reader, *pending, value if tag == "86" else "")
            pending = None
        if tag == "61":
            pending = line, value
        else:
            _take(reader, line, tag, value)
    if pending is not None:
        _book(reader, *pending, "")
    if not reader.found.entries and not reader.found.rejected and not reader.found.balances:
        raise FileProblem("no statement in this MT940 file")
    reader.found.notes.append(f"MT940, {used}")
    reader.found.entries.sort(key=lambda entry: entry.day)
    return reader.found


def _fields(text: str) -> Iterator[tuple[int, str, str]]:
    """The fields with the line each begins in; lines without a tag go on with the field before."""
    begun: tuple[int, str, list[str]] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        found = _FIELD.match(line)
        if found or line.startswith(("-", "{", "}")):
            if begun:
                yield begun[0], begun[1], "\n".join(begun[2])
            begun = (number, found[1], [found[2]]) if found else None
        elif begun:
            begun[2].append(line)
    if begun:
        yield begun[0], begun[1], "\n".join(begun[2])


def _take(reader: _Reader, line: int, tag: str, value: str) -> None:
    if tag == "25":
        reader.account = reader.given or cleaned(value)
        reader.running, reader.opened = None, None
    elif tag in {"60F", "60M", "62F", "62M"}:
        try:
            day, currency, amount = _balance(value)
        except BadCell as error:
            reader.found.warnings.append(f"line {line}: {error}")
            return
        if tag[:2] == "60":
            reader.currency, reader.running, reader.opened = currency, amount, day
        else:
            _close(reader, line, day, amount)


def _close(reader: _Reader, line: int, day: date, amount: Decimal) -> None:
    if reader.running is not None and reader.running != amount:
        reader.found.warnings.append(
            f"line {line}: closing balance {plain_number(amount)} is not the opening balance with all bookings, "
            f"{plain_number(reader.running)}"
        )
    if reader.account and reader.currency:
        balance = Balance(line=line, account=reader.account, currency=reader.currency, day=day, amount=amount)
        reader.found.balances.append(balance)
    if reader.opened is not None and reader.account and reader.opened <= day:
        reader.found.spans.append((reader.account, reader.opened, day))


def _balance(value: str) -> tuple[date, str, Decimal]:
    found = _BALANCE.match(value)
    if found is None:
        raise BadCell("not a balance")
    amount = parse_amount(found[4].rstrip(","), ",") or Decimal(0)
    currency = currency_of(found[3])
    return parse_day(f"20{found[2]}"), currency, amount.copy_negate() if found[1] == "D" and amount else amount


def _book(reader: _Reader, line: int, value: str, information: str) -> None:
    if len(reader.found.entries) > MAX_ROWS:
        raise FileProblem(f"it has more than {MAX_ROWS:,} bookings; split it")
    try:
        reader.found.entries.append(_entry(reader, line, value, information))
    except BadCell as error:
        content = private(bounded(value, 120))
        reader.found.rejected.append(Rejection(line=line, content=content, reason=str(error)))


def _entry(reader: _Reader, line: int, value: str, information: str) -> Entry:
    found = _LINE.match(value)
    if found is None or not reader.account or not reader.currency:
        raise BadCell("not a statement line" if found is None else "a booking before its account and opening balance")
    amount = parse_amount(found[5].rstrip(","), ",") or Decimal(0)
    # RC takes a credit back, RD a debit.
    if found[3] in {"D", "RC", "ED"}:
        amount = amount.copy_negate()
    payee, memo = _payee_and_memo(information)
    if reader.running is not None:
        reader.running = plus(reader.running, amount)
    return Entry(
        line=line,
        day=_booked(parse_day(f"20{found[1]}"), found[2]),
        amount=amount,
        currency=reader.currency,
        account=reader.account,
        payee=payee,
        memo=memo or cleaned(found[6].partition("\n")[2]),
        balance=reader.running,
    )


def _booked(value_day: date, month_day: str | None) -> date:
    """The booking date: its month and day, in the year that lies next to the value date."""
    if month_day is None:
        return value_day
    days = [
        parse_day(f"{value_day.year + step}{month_day}")
        for step in (-1, 0, 1)
        if _exists(value_day.year + step, month_day)
    ]
    near = [day for day in days if abs((day - value_day).days) <= _HALF_YEAR]
    return near[0] if near else value_day


def _exists(year: int, month_day: str) -> bool:
    try:
        parse_day(f"{year}{month_day}")
    except BadCell:
        return False
    return True


def _payee_and_memo(information: str) -> tuple[str, str]:
    """Payee and memo of a field :86:."""
    joined = information.replace("\n", "")
    parts = _PART.split(joined)
    if len(parts) < 3:  # noqa: PLR2004 - one code and its text
        return "", cleaned(information)
    by_code = list(zip(parts[1::2], parts[2::2], strict=True))
    payee = "".join(text for code, text in by_code if code in {"32", "33"})
    memo = "".join(text for code, text in by_code if "20" <= code <= "29" or "60" <= code <= "63")
    kind = next((text for code, text in by_code if code == "00"), "")
    return cleaned(payee), cleaned(memo or kind)
