"""Flex queries of Interactive Brokers (XML): trades, and movements of cash.

Sections and attributes: Interactive Brokers, Flex Queries Reference, "Trades", "Cash Transactions", "Cash Report".
Everything else in a file is counted by section and named. Why ibflex is not used: docs/decisions/0004-ofx-and-mt940.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal

from finclaw_cli.sdk.render import plain_number, quoted
from finclaw_cli.sdk.tabular import BadCell, FileProblem, Rejection
from finclaw_cli.sdk.xml import Element, exact, read_xml
from finclaw_ledger.currencies import currency_of
from finclaw_ledger.dates import parse_day
from finclaw_ledger.entries import Entry, Kind
from finclaw_ledger.numbers import plus
from finclaw_ledger.statement import Balance, Statement
from finclaw_ledger.textfile import MAX_ROWS, RawFile
from finclaw_ledger.wording import cleaned, private

_HEAD = 4_000
_CENT = Decimal("0.01")
_CASH: dict[str, Kind] = {
    "dividends": "dividend", "payment in lieu of dividends": "dividend", "withholding tax": "tax",
    "broker interest paid": "interest", "broker interest received": "interest", "bond interest paid": "interest",
    "bond interest received": "interest", "other fees": "fee", "advisor fees": "fee", "commission adjustments": "fee",
    "other income": "payment", "871(m) withholding": "tax", "price adjustments": "payment",
}  # fmt: skip
_MOVED = {"deposits/withdrawals", "deposits & withdrawals"}
_READ = {"Trades", "CashTransactions", "CashReport"}
_CHANGES = {
    "of CorporateActions", "of Transfers", "of OptionEAE", "of TransactionTaxes", "of SalesTaxes", "of GrantActivities"
}  # fmt: skip
_NO_BOOKINGS = {"AccountInformation", "SecuritiesInfo", "ConversionRates", "Trade", "Orders", "SymbolSummary", "Lots"}


def looks_like_flex(raw: RawFile) -> bool:
    """Whether the first bytes are those of a Flex query's answer."""
    head = raw.content[:_HEAD]
    return b"<FlexQueryResponse" in head or b"<FlexStatement" in head


def read_flex(raw: RawFile, *, account: str | None) -> Statement:
    """All trades and movements of cash of the file.

    Raises:
        FileProblem: it is no XML, or has no statement with an account.
    """
    root = read_xml(raw.content)
    paths = (["FlexQueryResponse", "FlexStatements", "FlexStatement"], ["FlexStatements", "FlexStatement"])
    statements = [one for path in (*paths, ["FlexStatement"]) for one in root.all(*path)]
    if not statements:
        raise FileProblem("no FlexStatement in this file of Interactive Brokers")
    found = Statement(how="ibkr-flex")
    left: Counter[str] = Counter()
    for one in statements:
        key = account or cleaned(one.attributes.get("accountId", ""))
        if not key:
            raise FileProblem("the file does not say whose account it is; say --account NAME")
        _read(found, left, one, key)
        _period(found, one, key)
    if left:
        counts = ", ".join(f"{count} {name}" for name, count in sorted(left.items()))
        changes = "; holdings and cash may differ by them" if left.keys() & _CHANGES else ""
        found.warnings.append(f"not imported: {counts}{changes}")
    found.notes.append(f"Interactive Brokers Flex query, {len(statements)} statement{'s' * (len(statements) != 1)}")
    return found


def _read(found: Statement, left: Counter[str], statement: Element, key: str) -> None:
    for section in statement.children:
        if section.name == "Trades":
            rows = _of_detail(section, "Trade", {"EXECUTION", "ORDER"}, left)
            _book(found, rows, key, _trade)
            found.warnings += [f"line {row.line}: {odd}" for row in rows if (odd := _odd(row.attributes))]
        elif section.name == "CashTransactions":
            rows = _of_detail(section, "CashTransaction", {"DETAIL", "TRANSACTION"}, left)
            _book(found, rows, key, _cash)
        elif section.name not in _READ | _NO_BOOKINGS:
            for child in section.children:
                left[f"of {section.name}"] += child.name != "Summary"


def _of_detail(section: Element, name: str, levels: set[str], left: Counter[str]) -> list[Element]:
    """The rows of one level of detail; the same money is in the rows of the other levels again."""
    rows = [child for child in section.children if child.name == name]
    present = {row.attributes.get("levelOfDetail", "").upper() for row in rows}
    # A file that has executions and orders has each trade twice.
    wanted = next(({level} for level in sorted(levels) if level in present), {""})
    kept = [row for row in rows if row.attributes.get("levelOfDetail", "").upper() in wanted | {""}]
    if not kept and rows:
        left[f"{name} of level {' and '.join(sorted(present))}"] += len(rows)
    return kept


def _book(found: Statement, rows: list[Element], key: str, read: Callable[[Element, str], Iterator[Entry]]) -> None:
    for row in rows:
        if len(found.entries) + len(found.rejected) >= MAX_ROWS:
            raise FileProblem(f"it has more than {MAX_ROWS:,} bookings; split it")
        try:
            found.entries.extend(list(read(row, key)))
        except BadCell as error:
            shown = ", ".join(f"{name} {quoted(value)}" for name, value in _shown(row.attributes))
            found.rejected.append(Rejection(line=row.line, content=private(shown), reason=str(error)))


def _shown(attributes: Mapping[str, str]) -> list[tuple[str, str]]:
    wanted = ("tradeDate", "dateTime", "type", "buySell", "symbol", "quantity", "amount", "currency")
    return [(name, attributes[name]) for name in wanted if attributes.get(name)]


def _day_text(given: Mapping[str, str], *names: str) -> str:
    """The first date of these attributes: `20260131`, `2026-01-31`, and a time after `;`, `,` or a blank."""
    text = next((given[name] for name in names if given.get(name)), "")
    return text.replace(",", ";").replace(" ", ";").partition(";")[0]


def _number(given: Mapping[str, str], name: str) -> Decimal:
    return exact(given[name].replace(",", ""), name) if given.get(name) else Decimal(0)


def _trade(row: Element, key: str) -> Iterator[Entry]:
    given = row.attributes
    currency, quantity = currency_of(given.get("currency", "")), _number(given, "quantity")
    if not quantity:
        raise BadCell("a trade without a quantity")
    if "proceeds" not in given and "netCash" not in given:
        raise BadCell("neither netCash nor proceeds: add these fields to the Flex query")
    reference = cleaned(given.get("transactionID") or given.get("tradeID", "")) or None
    base = Entry(
        line=row.line, day=parse_day(_day_text(given, "tradeDate", "dateTime", "reportDate")), amount=Decimal(0),
        currency=currency, account=key, payee=cleaned(given.get("description", "")), reference=reference,
    )  # fmt: skip
    paid = _number(given, "ibCommission")
    paid_in = currency_of(given["ibCommissionCurrency"]) if given.get("ibCommissionCurrency") else currency
    is_exchange = given.get("assetCategory") == "CASH"
    is_apart = bool(paid) and (is_exchange or paid_in != currency)
    if is_exchange:
        yield from _exchange(given, base, quantity)
    else:
        yield replace(
            base, amount=_paid(given, Decimal(0) if is_apart else paid), kind="buy" if quantity > 0 else "sell",
            symbol=cleaned(given.get("symbol", "")).upper() or None, quantity=abs(quantity),
            price=_number(given, "tradePrice") or None, fee=None if is_apart else abs(paid),
        )  # fmt: skip
    if is_apart:
        yield replace(base, amount=paid, currency=paid_in, kind="fee", reference=_part(reference, "fee"))


def _part(reference: str | None, part: str) -> str | None:
    return f"{reference} {part}" if reference else None


def _paid(given: Mapping[str, str], commission: Decimal) -> Decimal:
    """What a trade did to the cash: stated, or the proceeds with taxes and the commission."""
    if given.get("netCash"):
        return _number(given, "netCash")
    return plus(plus(_number(given, "proceeds"), _number(given, "taxes")), commission)


def _odd(given: Mapping[str, str]) -> str:
    """What is odd about the stated cash of a trade; of contracts for difference and futures it is the commission."""
    is_whole = bool(given.get("netCash") and given.get("proceeds"))
    is_one_currency = given.get("ibCommissionCurrency", given.get("currency")) == given.get("currency")
    if not is_whole or not is_one_currency or given.get("assetCategory") in {"CASH", "CFD", "FUT"}:
        return ""
    try:
        stated = _number(given, "netCash")
        parts = _paid({**given, "netCash": ""}, _number(given, "ibCommission"))
    except BadCell:
        return ""
    if abs(stated - parts) <= _CENT:
        return ""
    shown = f"the proceeds with taxes and commission, {plain_number(parts)}"
    return f"netCash {plain_number(stated)} is not {shown}; taken as stated"


def _exchange(given: Mapping[str, str], base: Entry, quantity: Decimal) -> Iterator[Entry]:
    """The two movements of an exchange of currencies; 100 `EUR.USD` are 100 EUR bought for USD."""
    bought = currency_of(given.get("symbol", "").partition(".")[0])
    for currency, amount in ((bought, quantity), (base.currency, _number(given, "proceeds"))):
        yield replace(
            base, amount=amount, currency=currency, kind="transfer", reference=_part(base.reference, currency)
        )


def _cash(row: Element, key: str) -> Iterator[Entry]:
    given = row.attributes
    amount = exact(given.get("amount", "").replace(",", ""), "amount")
    word = given.get("type", "").casefold()
    if word in _MOVED:
        kind: Kind = "deposit" if amount >= 0 else "withdrawal"
    elif word in _CASH:
        kind = _CASH[word]
    else:
        raise BadCell(f"type {quoted(given.get('type', ''))} of a cash transaction is not known")
    yield Entry(
        line=row.line,
        day=parse_day(_day_text(given, "dateTime", "reportDate", "settleDate")),
        amount=amount,
        currency=currency_of(given.get("currency", "")),
        account=key,
        payee=cleaned(given.get("description", "")),
        kind=kind,
        symbol=cleaned(given.get("symbol", "")).upper() or None,
        reference=cleaned(given.get("transactionID", "")) or None,
    )


def _period(found: Statement, statement: Element, key: str) -> None:
    try:
        first, last = (parse_day(_day_text(statement.attributes, name)) for name in ("fromDate", "toDate"))
    except BadCell:
        return
    if first <= last:
        found.spans.append((key, first, last))
    for row in statement.all("CashReport", "CashReportCurrency"):
        code, stated = row.attributes.get("currency", ""), row.attributes.get("endingCash", "")
        if code == "BASE_SUMMARY" or not stated:
            continue
        try:
            balance = Balance(
                line=row.line, account=key, currency=currency_of(code), day=last, amount=exact(stated, "endingCash")
            )
        except BadCell as error:
            found.warnings.append(f"line {row.line}: the balance is left out: {private(str(error))}")
            continue
        found.balances.append(balance)
