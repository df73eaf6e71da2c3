"""OpenDART's answers: the list of companies, a company's periodic reports, and their statements.

A statement has no dates: the period is in the name of the report, `사업보고서 (2023.12)`. In interim reports,
amounts of the income statement are those of three months, with the sum since the begin of the year beside them; those
of the cash flow statement are sums since the begin of the year.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from finclaw_cli.sdk.tabular import FileProblem
from finclaw_cli.sdk.xml import Element, read_xml
from finclaw_filings.facts_file import Concept, Row
from finclaw_filings.profile_file import Filed, Listing
from finclaw_filings.registers import of_dart
from finclaw_filings.sec_json import date_from, mapping_from, text_from

MAX_XML_BYTES = 200_000_000
_REPORT = re.compile(r"(\[[^\[\]]{1,20}\])?\s{0,3}(사업보고서|반기보고서|분기보고서)\s{0,3}\((\d{4})\.(\d{2})\)")
_RECEIPT, _CORP, _STOCK = re.compile(r"\d{14}"), re.compile(r"\d{8}"), re.compile(r"[0-9A-Z]{6}")
_ACCOUNT = re.compile(r"(ifrs-full|ifrs|dart)_([A-Za-z][A-Za-z0-9]{0,250})")
_AMOUNT = re.compile(r"-?\d{1,30}(?:\.\d{1,10})?")
_MONTHS = {"11013": 3, "11012": 6, "11014": 9, "11011": 12}
_NAMES = {"11013": "Q1", "11012": "Q2", "11014": "Q3", "11011": "FY"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A periodic report: what the list has of it, and the code of its kind by the company's fiscal year."""

    filed: Filed
    code: str

    @property
    def end(self) -> date:
        return date.fromisoformat(self.filed.period or "")


def company_list(content: bytes) -> tuple[list[Listing], int]:
    """The listed companies in the zip `corpCode.xml`, and how many companies without a stock code there are.

    Raises:
        FileProblem: it is no such zip.
    """
    listed: list[Listing] = []
    others = 0

    def take(element: Element) -> bool:
        nonlocal others
        if element.name != "list":
            return False
        code, stock = element.first("corp_code"), element.first("stock_code")
        name = text_from(element.first("corp_name"))
        if _CORP.fullmatch(code) and _STOCK.fullmatch(stock) and name:
            listed.append(Listing(ticker=stock, cik=of_dart(code), name=name, exchange=None))
        else:
            others += 1
        return True

    read_xml(_unzipped(content), take)
    if not listed:
        raise FileProblem("no listed company in it")
    return listed, others


def _unzipped(content: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            (member,) = archive.infolist()
            with archive.open(member) as stream:
                unpacked = stream.read(MAX_XML_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError) as error:
        raise FileProblem(f"not a zip of one file ({type(error).__name__})") from None
    if len(unpacked) > MAX_XML_BYTES:
        raise FileProblem(f"larger than {MAX_XML_BYTES} bytes")
    return unpacked


def periodic_reports(rows: object, year_end_month: int) -> Iterator[Report]:
    """The annual, half-year and quarterly reports in the `list` of an answer of `list.json`."""
    for item in rows if isinstance(rows, list) else []:
        row = mapping_from(item)
        receipt, day = str(row.get("rcept_no", "")), str(row.get("rcept_dt", ""))
        named = _REPORT.search(str(row.get("report_nm", "")))
        filed = date_from(f"{day[:4]}-{day[4:6]}-{day[6:]}")
        if named is None or filed is None or not _RECEIPT.fullmatch(receipt) or not 1 <= int(named[4]) <= 12:  # noqa: PLR2004
            continue
        year, month = int(named[3]), int(named[4])
        months = (month - year_end_month) % 12 or 12
        code = next((code for code, length in _MONTHS.items() if length == months), None)
        if code is not None and year > 0:
            end = date(year, month, monthrange(year, month)[1]).isoformat()
            form = f"{named[2]}/A" if named[1] else named[2]
            yield Report(filed=Filed(accession=receipt, form=form, filed=filed, period=end, document=None), code=code)


def statement_values(rows: object, reports: Mapping[str, Report]) -> tuple[list[Concept], int]:
    """The values of a statement by account, each with the report that it is from, and how many were left out.

    Left out are accounts without a standard code, empty amounts, and the statement of changes in equity.
    """
    found: dict[tuple[str, str, str], dict[Row, None]] = {}
    labels: dict[tuple[str, str, str], str | None] = {}
    left_out = 0
    for item in rows if isinstance(rows, list) else []:
        row = mapping_from(item)
        report = reports.get(str(row.get("rcept_no", "")))
        account = _ACCOUNT.fullmatch(str(row.get("account_id", "")).strip())
        values = list(_rows(row, report)) if report is not None else []
        currency = str(row.get("currency", "")).strip()
        if account is None or not values or not re.fullmatch(r"[A-Z]{3}", currency):
            left_out += 1
            continue
        taxonomy = "dart" if account[1] == "dart" else "ifrs-full"
        unit = f"{currency}/shares" if "PerShare" in account[2] else currency
        key = (taxonomy, account[2], unit)
        found.setdefault(key, {}).update(dict.fromkeys(values))
        labels.setdefault(key, text_from(row.get("account_nm")))
    concepts = [
        Concept(taxonomy=key[0], tag=key[1], unit=key[2], label=labels[key], rows=list(values))
        for key, values in found.items()
    ]
    return concepts, left_out


def _rows(row: Mapping[str, object], report: Report) -> Iterator[Row]:
    """What one account has for the period of its report."""
    statement, months = row.get("sj_div"), _MONTHS[report.code]
    now, summed = _amount(row.get("thstrm_amount")), _amount(row.get("thstrm_add_amount"))
    if statement == "BS" and now is not None:
        yield _value(report, None, now)
    elif statement in {"IS", "CIS"}:
        if now is not None:
            yield _value(report, 12 if months == 12 else 3, now)  # noqa: PLR2004 - a year
        if summed is not None and months not in {3, 12}:
            yield _value(report, months, summed)
    elif statement == "CF" and now is not None:
        yield _value(report, months, now)


def _value(report: Report, months: int | None, value: str) -> Row:
    end = report.end
    start = None
    if months is not None:
        begin = end.year * 12 + end.month - months
        start = date(begin // 12, begin % 12 + 1, 1).isoformat()
    filed = report.filed
    return start, end.isoformat(), value, filed.accession, end.year, _NAMES[report.code], filed.form, filed.filed


def _amount(value: object) -> str | None:
    text = str(value if value is not None else "").replace(",", "").strip()
    return text if _AMOUNT.fullmatch(text) else None
