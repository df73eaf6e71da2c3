"""OFX 1.x (SGML) and 2.x (XML) statements: a small reader of our own, without entities or external parts.

Tags and their meaning: Open Financial Exchange Specification 2.3, 11.4 (bank statements), 11.4.4.1 (STMTTRN).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell, FileProblem, Rejection, decode, parse_amount
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.dates import parse_day
from finclaw_ledger.entries import Balance, Entry, Kind, Statement
from finclaw_ledger.textfile import MAX_ROWS, RawFile
from finclaw_ledger.wording import cleaned

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9_.]{0,31})>([^<]{0,4000})")
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&nbsp;": " ", "&quot;": '"', "&apos;": "'", "&amp;": "&"}
_CHARSET = re.compile(rb"(?:CHARSET:|encoding=[\"'])([A-Za-z0-9_-]{1,20})")
_HEAD = 1_000
_KINDS: dict[str, Kind] = {"INT": "interest", "DIV": "dividend", "FEE": "fee", "SRVCHG": "fee", "XFER": "transfer"}
_STATEMENTS = {"STMTRS", "CCSTMTRS"}


@dataclass(slots=True)
class _Account:
    number: str = ""
    currency: str = ""
    first: str = ""
    last: str = ""


@dataclass(slots=True)
class _Reader:
    """Where in the file we are: the fields of the innermost aggregate that matters."""

    given: str | None
    fallback: str | None
    found: Statement = field(default_factory=lambda: Statement(how="ofx"))
    account: _Account = field(default_factory=_Account)
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
    for line, closing, name, value in _tags(text):
        _take(reader, line, closing, name, value)
    if not reader.found.entries and not reader.found.rejected and not reader.found.balances:
        raise FileProblem("no bank or card statement in this OFX file")
    reader.found.entries.sort(key=lambda entry: entry.day)
    reader.found.notes.append(f"OFX, {used}")
    return reader.found


def _tags(text: str) -> Iterator[tuple[int, bool, str, str]]:
    line, at = 1, 0
    for found in _TAG.finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        value = found[3].strip()
        # The ampersand last: what it frees is no entity.
        for entity, mark in _ENTITIES.items():
            value = value.replace(entity, mark)
        yield line, bool(found[1]), found[2].upper(), value


def _take(reader: _Reader, line: int, closing: bool, name: str, value: str) -> None:  # noqa: FBT001 - a tag's own slash
    if name in _STATEMENTS:
        _end_statement(reader) if closing else _begin_statement(reader)
    elif name in {"STMTTRN", "LEDGERBAL"}:
        if closing:
            _close(reader, name)
        else:
            reader.inside, reader.fields, reader.line = name, {}, line
    elif not closing and value:
        _note(reader, name, value)


def _note(reader: _Reader, name: str, value: str) -> None:
    if reader.inside:
        reader.fields.setdefault(name, value)
    elif name == "CURDEF":
        reader.account.currency = value
    elif name == "ACCTID":
        reader.account.number = reader.account.number or cleaned(value)
    elif name in {"DTSTART", "DTEND"}:
        setattr(reader.account, "first" if name == "DTSTART" else "last", value)


def _begin_statement(reader: _Reader) -> None:
    reader.account = _Account()


def _end_statement(reader: _Reader) -> None:
    try:
        span = _day(reader.account.first), _day(reader.account.last)
    except BadCell:
        return
    if span[0] <= span[1]:
        reader.found.spans.append((_key(reader), *span))


def _key(reader: _Reader) -> str:
    found = reader.given or reader.account.number
    if not found:
        raise FileProblem("the file does not say whose account it is; say --account NAME")
    return found


def _day(stamp: str) -> date:
    # YYYYMMDD, and perhaps a time with a zone in brackets: the date as the bank writes it.
    return parse_day(stamp[:8])


def _close(reader: _Reader, name: str) -> None:
    inside, fields = reader.inside, reader.fields
    reader.inside, reader.fields = "", {}
    if inside != name:
        return
    if len(reader.found.entries) > MAX_ROWS:
        raise FileProblem(f"it has more than {MAX_ROWS:,} bookings; split it")
    try:
        _closed(reader, name, fields)
    except BadCell as error:
        content = ", ".join(f"{key} {quoted(value)}" for key, value in list(fields.items())[:6])
        reader.found.rejected.append(Rejection(line=reader.line, content=content, reason=str(error)))


def _closed(reader: _Reader, name: str, fields: dict[str, str]) -> None:
    currency = currency_of(reader.account.currency) if reader.account.currency else reader.fallback
    if not currency:
        raise BadCell("no CURDEF; say --currency, e.g. EUR")
    key = "TRNAMT" if name == "STMTTRN" else "BALAMT"
    written = fields.get(key, "")
    amount = parse_amount(written, "," if "," in written and "." not in written else ".")
    if amount is None:
        raise BadCell(f"no {key}")
    if name == "LEDGERBAL":
        day = _day(fields.get("DTASOF", ""))
        balance = Balance(line=reader.line, account=_key(reader), currency=currency, day=day, amount=amount)
        reader.found.balances.append(balance)
        return
    reader.found.entries.append(
        Entry(
            line=reader.line,
            day=_day(fields.get("DTPOSTED", "")),
            amount=amount,
            currency=currency,
            account=_key(reader),
            payee=cleaned(fields.get("NAME", "")),
            memo=cleaned(fields.get("MEMO", "")),
            kind=_KINDS.get(fields.get("TRNTYPE", "").upper(), "payment"),
            reference=cleaned(fields.get("FITID", "")) or None,
        )
    )
