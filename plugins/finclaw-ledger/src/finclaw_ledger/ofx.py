"""OFX 1.x (SGML) and 2.x (XML) statements, without entities of a file's own or external parts.

Tags and their meaning: Open Financial Exchange Specification 2.3, 11.4 (bank statements), 11.4.4.1 (STMTTRN), 5.2
(CURRENCY, in which an amount is stated, and ORIGCURRENCY, from which it was converted). Why ofxtools is not used:
docs/decisions/0004-ofx-and-mt940.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell, FileProblem, Rejection, decode, parse_amount
from finclaw_ledger.comments import without_comments
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.dates import parse_day
from finclaw_ledger.entries import Balance, Entry, Kind, Statement
from finclaw_ledger.textfile import MAX_ROWS, RawFile
from finclaw_ledger.wording import cleaned, private

_TAG = re.compile(
    r"<(/?)([A-Za-z][A-Za-z0-9_.]{0,31})>(?:\s{0,100}<!\[CDATA\[(.{0,4000}?)\]\]>|([^<]{0,4000}))", re.DOTALL
)
# With the semicolon only: SGML files have "AT&T" as it is.
_ENTITY = re.compile(r"&#?[A-Za-z0-9]{1,10};")
_CHARSET = re.compile(rb"(?:CHARSET:|encoding=[\"'])([A-Za-z0-9_-]{1,20})")
_HEAD = 1_000
_KINDS: dict[str, Kind] = {"INT": "interest", "DIV": "dividend", "FEE": "fee", "SRVCHG": "fee", "XFER": "transfer"}
_STATEMENTS = {"STMTRS", "CCSTMTRS"}
_OTHER_STATEMENTS = {"INVSTMTRS", "LOANSTMTRS"}
_ONCE = {"TRNAMT", "DTPOSTED"}
_TWICE = "twice"
"""A key for the name of a field that a booking has twice; no tag is written in small letters."""
_PARTS = {"STMTTRN", "LEDGERBAL", "AVAILBAL"}


@dataclass(slots=True)
class _Account:
    number: str = ""
    currency: str = ""
    first: str = ""
    last: str = ""


@dataclass(slots=True)
class _Tag:
    line: int
    closing: bool
    name: str
    value: str


@dataclass(slots=True)
class _Reader:
    """The position in the file: the statement, and the fields of the innermost aggregate that matters."""

    given: str | None
    fallback: str | None
    found: Statement = field(default_factory=lambda: Statement(how="ofx"))
    account: _Account | None = None
    """Of the bank or card statement; None outside of one."""
    unread: set[str] = field(default_factory=set)
    """The kinds of other statements in the file."""
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
    """All bookings and balances of the bank and card statements in the file.

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
    for tag in _tags(without_comments(text)):
        _take(reader, tag)
    _end_file(reader)
    reader.found.entries.sort(key=lambda entry: entry.day)
    reader.found.notes.append(f"OFX, {used}")
    return reader.found


def _tags(text: str) -> Iterator[_Tag]:
    line, at = 1, 0
    for found in _TAG.finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        value = found[3] if found[4] is None else _ENTITY.sub(_character, found[4])
        yield _Tag(line, bool(found[1]), found[2].upper(), value.strip())


def _character(entity: re.Match[str]) -> str:
    from html import unescape

    return unescape(entity[0])


def _take(reader: _Reader, tag: _Tag) -> None:
    if tag.name in _STATEMENTS | _OTHER_STATEMENTS:
        _close(reader)
        _begin_or_end_statement(reader, tag)
    elif tag.name in _PARTS or tag.name == "BANKTRANLIST":
        # Some files do not close their aggregates, so the next one, too, ends the one before.
        _close(reader)
        if reader.account is not None and tag.name in _PARTS and not tag.closing:
            reader.inside, reader.fields, reader.line = tag.name, {}, tag.line
    elif tag.name == "OFX":
        reader.closed = tag.closing
    elif not tag.closing and (tag.value or tag.name == "CURRENCY"):
        _note(reader, tag.name, tag.value)


def _begin_or_end_statement(reader: _Reader, tag: _Tag) -> None:
    if tag.closing and reader.account is not None:
        _end_statement(reader, reader.account)
    # Outside of a bank or card statement nothing is read: bookings there are of another account.
    reader.account = _Account() if tag.name in _STATEMENTS and not tag.closing else None
    if tag.name in _OTHER_STATEMENTS:
        reader.unread.add(tag.name)


def _note(reader: _Reader, name: str, value: str) -> None:
    if reader.inside:
        if reader.fields.setdefault(name, value) != value and name in _ONCE:
            reader.fields[_TWICE] = name
    elif reader.account is None:
        return
    elif name == "CURDEF":
        reader.account.currency = value
    elif name == "ACCTID":
        reader.account.number = reader.account.number or cleaned(value)
    elif name in {"DTSTART", "DTEND"}:
        setattr(reader.account, "first" if name == "DTSTART" else "last", value)


def _end_file(reader: _Reader) -> None:
    found = reader.found
    if reader.inside == "STMTTRN":
        _reject(reader, reader.fields, "it is not closed by </STMTTRN>; is the file cut off?")
    other = f"its {' and '.join(sorted(reader.unread))} statements are not read; use a CSV instead"
    if not found.entries and not found.rejected and not found.balances:
        raise FileProblem("no bank or card statement in this OFX file" + (f"; {other}" if reader.unread else ""))
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
    if account is None or inside not in {"STMTTRN", "LEDGERBAL"}:
        return
    if len(reader.found.entries) + len(reader.found.rejected) >= MAX_ROWS:
        raise FileProblem(f"it has more than {MAX_ROWS:,} bookings; split it")
    try:
        if inside == "STMTTRN":
            reader.found.entries.append(_entry(reader, account, fields))
        else:
            reader.found.balances.append(_balance(reader, account, fields))
    except BadCell as error:
        if inside == "STMTTRN":
            _reject(reader, fields, str(error))
        else:
            # Some banks state a balance without a date in each file; their bookings are complete.
            reader.found.warnings.append(f"line {reader.line}: the balance is left out: {private(str(error))}")


def _reject(reader: _Reader, fields: dict[str, str], reason: str) -> None:
    content = ", ".join(f"{key} {quoted(value)}" for key, value in list(fields.items())[:6])
    reader.found.rejected.append(Rejection(line=reader.line, content=content, reason=reason))


def _currency(reader: _Reader, account: _Account, stated: str = "") -> str:
    code = stated or account.currency
    currency = currency_of(code) if code else reader.fallback
    if not currency:
        raise BadCell("no CURDEF; say --currency, e.g. EUR")
    return currency


def _amount(fields: dict[str, str], key: str) -> Decimal:
    written = fields.get(key, "")
    amount = parse_amount(written, "," if "," in written and "." not in written else ".")
    if amount is None:
        raise BadCell(f"no {key}")
    return amount


def _balance(reader: _Reader, account: _Account, fields: dict[str, str]) -> Balance:
    return Balance(
        line=reader.line,
        account=_key(reader, account),
        currency=_currency(reader, account),
        day=_day(fields.get("DTASOF", "")),
        amount=_amount(fields, "BALAMT"),
    )


def _entry(reader: _Reader, account: _Account, fields: dict[str, str]) -> Entry:
    if _TWICE in fields:
        raise BadCell(f"it has {fields[_TWICE]} twice, with different values")
    stated = (fields.get("CURSYM") or fields["CURRENCY"]) if "CURRENCY" in fields else ""
    return Entry(
        line=reader.line,
        day=_day(fields.get("DTPOSTED", "")),
        amount=_amount(fields, "TRNAMT"),
        currency=_currency(reader, account, stated),
        account=_key(reader, account),
        payee=cleaned(fields.get("NAME", "")),
        memo=cleaned(fields.get("MEMO", "")),
        kind=_KINDS.get(fields.get("TRNTYPE", "").upper(), "payment"),
        reference=cleaned(fields.get("FITID", "")) or None,
    )
