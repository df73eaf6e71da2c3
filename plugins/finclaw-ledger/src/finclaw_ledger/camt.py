"""CAMT.053 statements of ISO 20022, versions 1 to 13; CAMT.052 and CAMT.054 are shown and not written.

Elements: ISO 20022 Message Definition Report, Bank-to-Customer Cash Management. CdtDbtInd is the direction of the
entry itself, also where RvslInd is true (2.91 there); of Sts only BOOK is final.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from decimal import Decimal

from finclaw_cli.sdk.render import plain_number, quoted
from finclaw_cli.sdk.tabular import BadCell, FileProblem, Rejection
from finclaw_cli.sdk.xml import Element, exact, read_xml
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.dates import parse_day
from finclaw_ledger.entries import Entry
from finclaw_ledger.numbers import plus
from finclaw_ledger.statement import Balance, Statement
from finclaw_ledger.textfile import MAX_ROWS, RawFile
from finclaw_ledger.wording import cleaned, private

_HEAD = 4_000
_MESSAGES = {"BkToCstmrStmt": "Stmt", "BkToCstmrAcctRpt": "Rpt", "BkToCstmrDbtCdtNtfctn": "Ntfctn"}
_INTERIM = {"Rpt": "an account report (CAMT.052)", "Ntfctn": "a notification (CAMT.054)"}
_NO_REFERENCE = {"", "NONREF", "NOTPROVIDED", "NOREF"}
_SHOWN = 3
_VERSION = re.compile(r"V[0-9]{2}$")


def looks_like_camt(raw: RawFile) -> bool:
    """Whether the first bytes are those of a CAMT message."""
    head = raw.content[:_HEAD].replace(b"\0", b"")
    return any(name.encode() in head for name in _MESSAGES)


def read_camt(raw: RawFile, *, account: str | None) -> Statement:
    """All final bookings of the file.

    Raises:
        FileProblem: it is no XML, or has no statement with an account.
    """
    found = Statement(how="camt")
    left: Counter[str] = Counter()
    parts = _parts(read_xml(raw.content))
    for name, part in parts:
        if name in _INTERIM:
            found.shown_only = f"it is {_INTERIM[name]}; the statement (CAMT.053) has its bookings again, import that"
        _read(found, left, part, account)
    if not parts:
        raise FileProblem("no statement in this CAMT file")
    if left:
        counts = ", ".join(f"{count} {status}" for status, count in sorted(left.items()))
        found.warnings.append(f"entries that are not booked are left out: {counts}")
    found.notes.append(f"CAMT, {len(parts)} {'statement' if len(parts) == 1 else 'statements'}")
    return found


def _parts(root: Element) -> list[tuple[str, Element]]:
    # Some files have the message without the element Document round it.
    messages = [one for path in ([], ["Document"], ["*", "Document"], ["*", "*"]) for one in root.all(*path, "*")]
    # The first versions have theirs in the name: BkToCstmrStmtV01.
    named = {id(one): (_MESSAGES.get(_VERSION.sub("", one.name)), one) for one in messages}
    return [(name, part) for name, one in named.values() if name for part in one.all(name)]


def _read(found: Statement, left: Counter[str], part: Element, account: str | None) -> None:
    key = account or cleaned(part.first("Acct", "Id", "IBAN") or part.first("Acct", "Id", "Othr", "Id"))
    if not key:
        raise FileProblem("the file does not say whose account it is; say --account NAME")
    booked: dict[str, Decimal] = {}
    rejected = len(found.rejected)
    for entry in part.all("Ntry"):
        status = entry.first("Sts", "Cd") or entry.first("Sts") or "BOOK"
        if status != "BOOK":
            left[status] += 1
            continue
        if len(found.entries) + len(found.rejected) >= MAX_ROWS:
            raise FileProblem(f"it has more than {MAX_ROWS:,} bookings; split it")
        try:
            one = _entry(entry, key)
        except BadCell as error:
            content = private(", ".join(f"{child.name} {quoted(child.text)}" for child in entry.children[:4]))
            found.rejected.append(Rejection(line=entry.line, content=content, reason=str(error)))
            continue
        found.entries.append(one)
        booked[one.currency] = plus(booked.get(one.currency, Decimal(0)), one.amount)
    _balances(found, part, key, booked, is_whole=len(found.rejected) == rejected)


def _signed(element: Element) -> Decimal:
    amount = exact(element.first("Amt"), "Amt")
    direction = element.first("CdtDbtInd")
    if direction not in {"CRDT", "DBIT"}:
        raise BadCell(f"CdtDbtInd {quoted(direction)} is neither CRDT nor DBIT")
    return amount.copy_negate() if direction == "DBIT" and amount else amount


def _currency(element: Element) -> str:
    return currency_of(next((one.attributes.get("Ccy", "") for one in element.all("Amt")), ""))


def _day(element: Element, *names: str) -> date:
    """The first of the dates of these names, as it is written; a time and a zone after it are left out."""
    found = next((text for name in names if (text := element.first(name, "*") or element.first(name))), "")
    return parse_day(found[:10])


def _entry(entry: Element, account: str) -> Entry:
    reference = cleaned(entry.first("AcctSvcrRef"))
    payee, memo = _payee_and_memo(entry)
    return Entry(
        line=entry.line,
        day=_day(entry, "BookgDt", "ValDt"),
        amount=_signed(entry),
        currency=_currency(entry),
        account=account,
        payee=payee,
        memo=memo,
        reference=None if reference in _NO_REFERENCE else reference,
    )


def _payee_and_memo(entry: Element) -> tuple[str, str]:
    details = list(entry.all("NtryDtls", "TxDtls"))
    side = "Dbtr" if entry.first("CdtDbtInd") == "CRDT" else "Cdtr"
    names = list(dict.fromkeys(name for one in details if (name := _party(one, side))))
    texts = [text for one in details for text in _texts(one)]
    own = entry.first("AddtlNtryInf")
    memo = " ".join(dict.fromkeys(texts)) or own
    if len(details) > 1:
        memo = f"{len(details)} payments: {memo}"
    return cleaned(", ".join(names[:_SHOWN])), cleaned(memo)


def _party(details: Element, side: str) -> str:
    return details.first("RltdPties", side, "Nm") or details.first("RltdPties", side, "Pty", "Nm")


def _texts(details: Element) -> list[str]:
    free = [one.text for one in details.all("RmtInf", "Ustrd")]
    structured = details.first("RmtInf", "Strd", "CdtrRefInf", "Ref")
    return [text for text in (*free, structured, details.first("AddtlTxInf")) if text]


def _balances(found: Statement, part: Element, key: str, booked: dict[str, Decimal], *, is_whole: bool) -> None:
    opened: dict[str, Balance] = {}
    closed: dict[str, Balance] = {}
    for one in part.all("Bal"):
        code = one.first("Tp", "CdOrPrtry", "Cd")
        if code not in {"OPBD", "PRCD", "CLBD"}:
            continue
        try:
            balance = Balance(
                line=one.line, account=key, currency=_currency(one), day=_day(one, "Dt"), amount=_signed(one)
            )
        except BadCell as error:
            found.warnings.append(f"line {one.line}: the balance is left out: {private(str(error))}")
        else:
            (closed if code == "CLBD" else opened)[balance.currency] = balance
    for currency, closing in closed.items():
        found.balances.append(closing)
        if currency in opened:
            _compare(found, opened[currency], closing, booked.get(currency, Decimal(0)) if is_whole else None)


def _compare(found: Statement, opening: Balance, closing: Balance, booked: Decimal | None) -> None:
    """Hold the closing balance against the opening one with what is booked; None where a row is rejected."""
    if booked is not None and plus(opening.amount, booked) != closing.amount:
        found.warnings.append(
            f"line {closing.line}: closing balance {plain_number(closing.amount)} is not the opening balance "
            f"with all bookings, {plain_number(plus(opening.amount, booked))}"
        )
    if opening.day <= closing.day:
        found.spans.append((closing.account, opening.day, closing.day))
