"""OFX 1.x (SGML) and 2.x (XML) statements, without entities of a file's own or external parts.

Tags and their meaning: Open Financial Exchange Specification 2.3, 11.4 (bank statements), 11.4.4.1 (STMTTRN), 5.2
(CURRENCY, in which an amount is stated, and ORIGCURRENCY, from which it was converted), 13.9 (investments, see
`ofx_invest`). Why ofxtools is not used: docs/decisions/0004-ofx-and-mt940.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell, FileProblem, Rejection, decode, parse_amount
from finclaw_cli.sdk.xml import exact
from finclaw_ledger.comments import without_comments
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.dates import parse_day
from finclaw_ledger.entries import Entry, Kind
from finclaw_ledger.ofx_invest import POSITIONS, SECURITY, TRANSACTIONS, Investments, Place, entries_of
from finclaw_ledger.ofx_tags import Tag, tags_of
from finclaw_ledger.packed import Entries
from finclaw_ledger.statement import Balance, Statement
from finclaw_ledger.textfile import MAX_ROWS, RawFile
from finclaw_ledger.wording import cleaned, private

_CHARSET = re.compile(rb"(?:CHARSET:|encoding=[\"'])([A-Za-z0-9_-]{1,20})")
_HEAD = 1_000
_KINDS: dict[str, Kind] = {"INT": "interest", "DIV": "dividend", "FEE": "fee", "SRVCHG": "fee", "XFER": "transfer"}
_STATEMENTS = {"STMTRS", "CCSTMTRS", "INVSTMTRS"}
_OTHER_STATEMENTS = {"LOANSTMTRS"}
_ONCE = {"TRNAMT", "DTPOSTED"}
_TWICE = "twice"
"""A key for the name of a field that a booking has twice; no tag is written in small letters."""
_LISTS = {"BANKTRANLIST", "INVTRANLIST"}
_PARTS = {"STMTTRN", "LEDGERBAL", "AVAILBAL", "INVBAL", SECURITY} | TRANSACTIONS | POSITIONS
_BOOKINGS = {"STMTTRN"} | TRANSACTIONS


@dataclass(slots=True)
class _Account:
    number: str = ""
    currency: str = ""
    first: str = ""
    last: str = ""
    as_of: str = ""
    in_list: bool = False
    """Whether the tags are those of the list of bookings, whose period is that of the statement."""


@dataclass(slots=True)
class _Reader:
    """The position in the file: the statement, and the fields of the innermost aggregate that matters."""

    given: str | None
    fallback: str | None
    found: Statement = field(default_factory=lambda: Statement(how="ofx"))
    investments: Investments = field(default_factory=Investments)
    account: _Account | None = None
    """Of the statement; None outside of one."""
    unread: set[str] = field(default_factory=set)
    """The kinds of other statements in the file."""
    answer: dict[str, str] = field(default_factory=dict)
    """Code and message of the server's last answer that is not a success."""
    closed: bool = False
    """Whether `</OFX>` was read."""
    inside: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    line: int = 0


def looks_like_ofx(raw: RawFile) -> bool:
    """Whether the first bytes are those of an OFX file."""
    head = raw.content[:_HEAD].upper()
    return b"OFXHEADER" in head or b"<OFX>" in head


def read_ofx(raw: RawFile, *, account: str | None, currency: str | None, encoding: str | None) -> Statement:
    """All bookings and balances of the statements of banks, cards and brokers in the file.

    Raises:
        FileProblem: it is no OFX, or has a document type of its own.
    """
    head = raw.content[:_HEAD]
    if b"<!DOCTYPE" in raw.content or b"<!ENTITY" in raw.content:
        raise FileProblem("it declares entities of its own, which no bank does; not read")
    named = _CHARSET.search(head)
    guess = "cp1252" if named is None or named[1] in {b"1252", b"NONE"} else named[1].decode("ascii")
    text, used = decode(raw.content, [encoding] if encoding else ["utf-8", guess, "cp1252"])
    reader = _Reader(given=account, fallback=currency)
    for tag in tags_of(without_comments(text)):
        _take(reader, tag)
    _end_file(reader)
    reader.found.entries = Entries(map(reader.investments.named, reader.found.entries))
    reader.found.warnings += reader.investments.notes()
    reader.found.notes.append(f"OFX, {used}")
    return reader.found


def _take(reader: _Reader, tag: Tag) -> None:
    if tag.name in _STATEMENTS | _OTHER_STATEMENTS:
        _close(reader)
        _begin_or_end_statement(reader, tag)
    elif tag.name in _PARTS | _LISTS:
        # Some files do not close their aggregates, so the next one, too, ends the one before.
        _close(reader)
        if reader.account is not None and tag.name in _LISTS:
            reader.account.in_list = not tag.closing
        elif tag.name in _PARTS and not tag.closing and (reader.account is not None or tag.name == SECURITY):
            reader.inside, reader.fields, reader.line = tag.name, {}, tag.line
    elif tag.name == "TICKER" and reader.inside == SECURITY:
        reader.fields["TICKER"] = tag.value
    elif tag.name == "OFX":
        reader.closed = tag.closing
    elif not tag.closing and (tag.value or tag.name == "CURRENCY"):
        _note(reader, tag.name, tag.value)


def _begin_or_end_statement(reader: _Reader, tag: Tag) -> None:
    if tag.closing and reader.account is not None:
        _end_statement(reader, reader.account)
    # Outside of a statement nothing is read: bookings there are of another account.
    reader.account = _Account() if tag.name in _STATEMENTS and not tag.closing else None
    if tag.name in _OTHER_STATEMENTS:
        reader.unread.add(tag.name)


def _note(reader: _Reader, name: str, value: str) -> None:
    if reader.inside:
        if reader.fields.setdefault(name, value) != value and name in _ONCE:
            reader.fields[_TWICE] = name
    elif name in {"CODE", "MESSAGE"}:
        if value != "0" or "CODE" not in reader.answer:
            reader.answer[name] = value
    elif reader.account is not None:
        _note_of_account(reader.account, name, value)


def _note_of_account(account: _Account, name: str, value: str) -> None:
    if name == "CURDEF":
        account.currency = value
    elif name == "ACCTID":
        account.number = account.number or cleaned(value)
    elif name == "DTASOF":
        account.as_of = account.as_of or value
    elif name in {"DTSTART", "DTEND"} and account.in_list:
        setattr(account, "first" if name == "DTSTART" else "last", value)


def _end_file(reader: _Reader) -> None:
    found = reader.found
    if reader.inside in _BOOKINGS:
        _reject(reader, reader.fields, f"it is not closed by </{reader.inside}>; is the file cut off?")
    other = f"its {' and '.join(sorted(reader.unread))} statements are not read; use a CSV instead"
    if not found.entries and not found.rejected and not found.balances and not found.spans:
        rest = [other] if reader.unread else reader.investments.notes()
        if reader.answer.get("CODE", "0") != "0":
            rest.append(f"the bank has answered {' '.join(map(quoted, reader.answer.values()))}")
        raise FileProblem("; ".join(["no bookings and no balance of an account in this OFX file", *rest]))
    if not reader.closed:
        found.warnings.append("it does not end with </OFX>; is the file cut off?")
    if reader.unread:
        found.warnings.append(other)


def _end_statement(reader: _Reader, account: _Account) -> None:
    try:
        span = _day(account.first), _day(account.last)
    except BadCell:
        return
    if span[0] <= span[1]:
        reader.found.spans.append((_key(reader, account), *span))


def _key(reader: _Reader, account: _Account) -> str:
    found = reader.given or account.number
    if not found:
        raise FileProblem("the file does not say whose account it is; say --account NAME")
    return found


def _day(stamp: str) -> date:
    # YYYYMMDD, and perhaps a time with a zone in brackets: the date as the bank writes it.
    return parse_day(stamp[:8])


def _close(reader: _Reader) -> None:
    """Take the booking or balance whose fields have been read."""
    inside, fields, account = reader.inside, reader.fields, reader.account
    reader.inside, reader.fields = "", {}
    if inside == SECURITY:
        reader.investments.security(fields)
    elif inside in POSITIONS:
        reader.investments.position(fields)
    elif account is not None and inside in _BOOKINGS:
        _book(reader, account, inside, fields)
    elif account is not None and (inside == "LEDGERBAL" or (inside == "INVBAL" and fields.get("AVAILCASH"))):
        try:
            reader.found.balances.append(_balance(reader, account, inside, fields))
        except BadCell as error:
            # Some banks state a balance without a date in each file; their bookings are complete.
            reader.found.warnings.append(f"line {reader.line}: the balance is left out: {private(str(error))}")


def _book(reader: _Reader, account: _Account, inside: str, fields: dict[str, str]) -> None:
    if len(reader.found.entries) + len(reader.found.rejected) >= MAX_ROWS:
        raise FileProblem(f"it has more than {MAX_ROWS:,} bookings; split it")
    try:
        if inside == "STMTTRN":
            reader.found.entries.append(_entry(reader, account, fields))
            return
        place = Place(
            line=reader.line,
            day=_day(fields.get("DTTRADE", "")),
            account=_key(reader, account),
            currency=_currency(reader, account, _stated(fields)),
        )
        reader.found.entries.extend(entries_of(inside, fields, place, _amount, reader.investments))
    except BadCell as error:
        _reject(reader, fields, str(error))


def _reject(reader: _Reader, fields: dict[str, str], reason: str) -> None:
    content = ", ".join(f"{key} {quoted(value)}" for key, value in list(fields.items())[:6])
    reader.found.rejected.append(Rejection(line=reader.line, content=content, reason=reason))


def _currency(reader: _Reader, account: _Account, stated: str = "") -> str:
    code = stated or account.currency
    currency = currency_of(code) if code else reader.fallback
    if not currency:
        raise BadCell("no CURDEF; say --currency, e.g. EUR")
    return currency


def _amount(fields: Mapping[str, str], key: str) -> Decimal:
    written = fields.get(key, "")
    if "," not in written and written.strip():
        with suppress(BadCell):
            # Units and prices of funds may have more decimal places than money.
            return exact(written, key)
    amount = parse_amount(written, "," if "," in written and "." not in written else ".")
    if amount is None:
        raise BadCell(f"no {key}")
    return amount


def _balance(reader: _Reader, account: _Account, inside: str, fields: dict[str, str]) -> Balance:
    is_cash = inside == "INVBAL"
    return Balance(
        line=reader.line,
        account=_key(reader, account),
        currency=_currency(reader, account),
        day=_day(account.as_of if is_cash else fields.get("DTASOF", "")),
        amount=_amount(fields, "AVAILCASH" if is_cash else "BALAMT"),
    )


def _stated(fields: Mapping[str, str]) -> str:
    """The currency of the amount itself, where it is not that of the statement."""
    return (fields.get("CURSYM") or fields["CURRENCY"]) if "CURRENCY" in fields else ""


def _entry(reader: _Reader, account: _Account, fields: dict[str, str]) -> Entry:
    if _TWICE in fields:
        raise BadCell(f"it has {fields[_TWICE]} twice, with different values")
    return Entry(
        line=reader.line,
        day=_day(fields.get("DTPOSTED", "")),
        amount=_amount(fields, "TRNAMT"),
        currency=_currency(reader, account, _stated(fields)),
        account=_key(reader, account),
        payee=cleaned(fields.get("NAME", "")),
        memo=cleaned(fields.get("MEMO", "")),
        kind=_KINDS.get(fields.get("TRNTYPE", "").upper(), "payment"),
        reference=cleaned(fields.get("FITID", "")) or None,
    )
