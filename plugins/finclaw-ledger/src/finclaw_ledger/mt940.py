"""SWIFT MT940 statements; interim reports (MT942) are shown and not written.

Why the library mt-940 is not used: docs/decisions/0004-ofx-and-mt940.md.

Fields: SWIFT Standards MT940 Customer Statement Message: :25: account, :60F:/:60M: opening balance, :61: statement
line, :86: information to the account owner, :62F:/:62M: closing balance. German banks structure :86: by ?20 to ?33
(DFÜ-Abkommen, annex 3). Real files differ from the standard: blanks for the booking date, in or before the transaction
type, or no type at all; amounts without a comma; value dates of 30 February; several :86: after one :61:; text of :86:
in lines that begin with a clock time, as `:20:15`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import pairwise

from finclaw_cli.sdk.render import bounded, plain_number
from finclaw_cli.sdk.tabular import BadCell, FileProblem, Rejection, decode, parse_amount
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.dates import parse_day
from finclaw_ledger.entries import Entry
from finclaw_ledger.numbers import plus
from finclaw_ledger.statement import Balance, Statement
from finclaw_ledger.textfile import MAX_ROWS, RawFile
from finclaw_ledger.wording import cleaned, private

# Only the fields of the format: other digits between colons are text of :86:.
_FIELD = re.compile(r":((?:13|2[0158]|34|6[0-5]|86|90)[A-Z]?):(.*)")
# At the beginning of a line: 12:20:25 in a CSV file is a time of day.
_ACCOUNT = re.compile(rb"(?:\A|[\r\n])\W{0,3}:25P?:")
_REFERENCE = re.compile(rb"(?:\A|[\r\n])\W{0,3}:20:")
_PART_ONLY = re.compile(rb"(?:\A|[\r\n]):(?:60[FM]|61):")
_CLOCK = re.compile(r"[0-5][0-9](?![0-9])")
_HEADS = {"20", "21", "25", "28"}
_AFTER_HEADS = ("13", "20", "21", "25", "28", "34", "60")
"""What follows a field of the head of a statement; bookings and balances do not."""
_INTERIM = "it is an interim report (MT942); the statement of the day (MT940) has its bookings again, import that"
_END = re.compile(r"-\s*$|-\}|\}|\{[1-5]:")
_BALANCE = re.compile(r"([CD])([0-9]{6})([A-Z]{3})([0-9]{1,15},[0-9]{0,4})")
_LINE = re.compile(
    r"([0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))([0-9]{4}|[ ]{4})?"  # value date, booking date
    r"(R?[CD]|E[CD])[A-Z]?[ ]?([0-9]{1,15}(?:,[0-9]{0,4})?)(?![0-9.,])"  # mark, third letter of the currency, amount
    r"[ ]?(?:[A-Z][A-Z0-9 ]{3}|(?=//|\n)|$)(.*)",  # transaction type, references and further details
    re.DOTALL,
)
_PART = re.compile(r"\?([0-9]{2})")
_HEAD = 2_000


@dataclass(slots=True)
class _Reader:
    given: str | None
    found: Statement = field(default_factory=lambda: Statement(how="mt940"))
    account: str = ""
    currency: str = ""
    running: Decimal | None = None
    opened: date | None = None
    opening_line: int = 0
    """The line of an opening balance whose closing balance has not been read yet."""
    closed: dict[tuple[str, str], Balance] = field(default_factory=dict)
    """The last closing balance of each account and currency."""
    begun: dict[tuple[str, str, date, Decimal], int] = field(default_factory=dict)
    """The line of each opening balance by account, currency, day and amount."""


def looks_like_mt940(raw: RawFile) -> bool:
    """Whether the first bytes are those of an MT940 file."""
    head = raw.content[:_HEAD]
    return bool(_REFERENCE.search(head) and _ACCOUNT.search(head)) or bool(_PART_ONLY.search(head))


def read_mt940(raw: RawFile, *, account: str | None, encoding: str | None) -> Statement:
    """All bookings of the file, each with the balance after it.

    Raises:
        FileProblem: no statement is in it.
    """
    text, used = decode(raw.content, [encoding] if encoding else ["utf-8", "cp1252"])
    reader = _Reader(given=account)
    for line, tag, value, information in _with_information(_fields(text)):
        if tag == "61":
            _book(reader, line, value, information)
        else:
            _take(reader, line, tag, value)
    _begin_statement(reader)
    if not reader.found.entries and not reader.found.rejected and not reader.found.balances:
        raise FileProblem("; ".join(["no statement in this MT940 file", *reader.found.warnings[:1]]))
    reader.found.notes.append(f"MT940, {used}")
    return reader.found


def _with_information(fields: Iterable[tuple[int, str, str]]) -> Iterator[tuple[int, str, str, str]]:
    """The fields other than :86:, each :61: with the text of all :86: that follow it."""
    before: tuple[int, str, str] | None = None
    information: list[str] = []
    for field_ in fields:
        if field_[1] == "86":
            information.append(field_[2])
            continue
        if before is not None:
            yield *before, "\n".join(information)
        before, information = field_, []
    if before is not None:
        yield *before, "\n".join(information)


def _fields(text: str) -> Iterator[tuple[int, str, str]]:
    """The fields with the line each begins in; lines without a tag go on with the field before."""
    begun: tuple[int, str, list[str]] | None = None
    lines = text.splitlines()
    marked = [(at, found) for at, line in enumerate(lines) if (found := _FIELD.match(line))]
    following = {at: later[1] for (at, _), (_, later) in pairwise(marked)}
    fields = dict(marked)
    for at, line in enumerate(lines):
        found = fields.get(at)
        if found and begun and begun[1] == "86" and _is_clock(found, following.get(at, "")):
            found = None
        if found or _END.match(line):
            if begun:
                yield begun[0], begun[1], "\n".join(begun[2])
            begun = (at + 1, found[1], [found[2]]) if found else None
        elif begun:
            begun[2].append(line)
    if begun:
        yield begun[0], begun[1], "\n".join(begun[2])


def _is_clock(found: re.Match[str], following: str) -> bool:
    """Whether what looks like a field of the head is a time of day: it is not followed by the rest of a head."""
    return found[1] in _HEADS and _CLOCK.match(found[2]) is not None and not following.startswith(_AFTER_HEADS)


def _take(reader: _Reader, line: int, tag: str, value: str) -> None:
    if tag == "20":
        _begin_statement(reader)
    elif tag in {"25", "25P"}:
        _begin_statement(reader)
        reader.account = reader.given or cleaned(value.partition("\n")[0])
    elif tag[:2] == "34" and not reader.currency:
        # The floor limit; only interim reports have one, and they have no opening balance.
        reader.currency = value[:3] if value[:3].isalpha() else ""
        reader.found.shown_only = _INTERIM
    elif tag[:2] in {"60", "62"}:
        try:
            day, currency, amount = _balance(value)
        except BadCell as error:
            reader.found.warnings.append(f"line {line}: {error}")
            reader.opening_line = 0
            return
        if tag[:2] == "60":
            _open(reader, line, day, currency, amount)
        elif reader.currency and currency != reader.currency:
            reader.opening_line = 0
            reader.found.warnings.append(
                f"line {line}: the closing balance is in {currency}, the opening balance in {reader.currency}"
            )
        else:
            _close(reader, line, day, amount)


def _begin_statement(reader: _Reader) -> None:
    """Forget the account and balance of the statement before, which must not count for what follows."""
    if reader.opening_line:
        reader.found.warnings.append(
            f"line {reader.opening_line}: no closing balance follows this opening balance; is the file cut off?"
        )
    reader.account, reader.currency = reader.given or "", ""
    reader.running, reader.opened, reader.opening_line = None, None, 0


def _open(reader: _Reader, line: int, day: date, currency: str, amount: Decimal) -> None:
    """Begin with a balance, which is that with which the statement of the account before it has ended."""
    reader.currency, reader.running, reader.opened, reader.opening_line = currency, amount, day, line
    before = reader.closed.get((reader.account, currency))
    stated = f"line {line}: opening balance {plain_number(amount)}"
    if before is not None and before.day <= day and before.amount != amount:
        reader.found.warnings.append(
            f"{stated} is not the closing balance before it, {plain_number(before.amount)} (line {before.line}): "
            "is a statement missing?"
        )
    first = reader.begun.setdefault((reader.account, currency, day, amount), line)
    if first != line and before is not None and before.amount != amount:
        reader.found.warnings.append(f"{stated} is that of line {first}: is the statement in the file twice?")


def _close(reader: _Reader, line: int, day: date, amount: Decimal) -> None:
    reader.opening_line = 0
    if reader.running is not None and reader.running != amount:
        reader.found.warnings.append(
            f"line {line}: closing balance {plain_number(amount)} is not the opening balance with all bookings, "
            f"{plain_number(reader.running)}"
        )
    if reader.account and reader.currency:
        balance = Balance(line=line, account=reader.account, currency=reader.currency, day=day, amount=amount)
        reader.found.balances.append(balance)
        reader.closed[reader.account, reader.currency] = balance
    if reader.opened is not None and reader.account and reader.opened <= day:
        reader.found.spans.append((reader.account, reader.opened, day))


def _balance(value: str) -> tuple[date, str, Decimal]:
    found = _BALANCE.match(value)
    if found is None:
        raise BadCell("not a balance such as C260131EUR90,00")
    amount = parse_amount(found[4].rstrip(","), ",") or Decimal(0)
    currency = currency_of(found[3])
    return parse_day(f"20{found[2]}"), currency, amount.copy_negate() if found[1] == "D" and amount else amount


def _book(reader: _Reader, line: int, value: str, information: str) -> None:
    if len(reader.found.entries) + len(reader.found.rejected) >= MAX_ROWS:
        raise FileProblem(f"it has more than {MAX_ROWS:,} bookings; split it")
    try:
        reader.found.entries.append(_entry(reader, line, value, information))
    except BadCell as error:
        content = private(bounded(value, 120))
        reader.found.rejected.append(Rejection(line=line, content=content, reason=str(error)))


def _entry(reader: _Reader, line: int, value: str, information: str) -> Entry:
    found = _LINE.match(value)
    if found is None:
        raise BadCell("not a statement line")
    if not reader.account or not reader.currency:
        raise BadCell("no account (:25:) and opening balance (:60F:) before it: is this a part of a statement?")
    amount = parse_amount(found[4].rstrip(","), ",") or Decimal(0)
    # RC takes a credit back, RD a debit.
    if amount and found[3] in {"D", "RC", "ED"}:
        amount = amount.copy_negate()
    payee, memo = _payee_and_memo(information)
    if reader.running is not None:
        reader.running = plus(reader.running, amount)
    return Entry(
        line=line,
        day=_booked(found[1], (found[2] or "").strip()),
        amount=amount,
        currency=reader.currency,
        account=reader.account,
        payee=payee,
        memo=memo or cleaned(found[5].partition("\n")[2]),
        balance=reader.running,
    )


def _booked(value_day: str, month_day: str) -> date:
    """The booking date: its month and day in the year that puts its month next to that of the value date.

    The value date itself need not exist: where interest is counted in months of 30 days, there is a 30 February.
    """
    if not month_day:
        return parse_day(f"20{value_day}")
    year, ahead = int(f"20{value_day[:2]}"), int(month_day[:2]) - int(value_day[2:4])
    nearest = min((0, -1, 1), key=lambda step: abs(12 * step + ahead))
    return parse_day(f"{year + nearest}{month_day}")


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
