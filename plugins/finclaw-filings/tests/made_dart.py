"""Synthetic answers of OpenDART, with the fields of its guide."""

from __future__ import annotations

import io
import zipfile
from typing import Any
from urllib.parse import parse_qs, urlsplit

KEY = "k" * 40
CODE, STOCK = "00126380", "005930"
ANNUAL, HALF, FIRST = "20240312000736", "20240814003284", "20240516001421"
NO_DATA = {"status": "013", "message": "조회된 데이타가 없습니다."}


def corp_codes(*rows: tuple[str, str, str]) -> bytes:
    """The zip of the company list: code, name, stock code of each."""
    entries = "".join(
        f"<list><corp_code>{code}</corp_code><corp_name>{name}</corp_name><corp_eng_name>x</corp_eng_name>"
        f"<stock_code>{stock}</stock_code><modify_date>20240101</modify_date></list>"
        for code, name, stock in rows
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("CORPCODE.xml", f'<?xml version="1.0" encoding="UTF-8"?>\n<result>{entries}</result>')
    return stream.getvalue()


def line(account: str, now: str, statement: str = "IS", *, summed: str = "", receipt: str = ANNUAL) -> dict[str, str]:
    return {
        "rcept_no": receipt, "corp_code": CODE, "sj_div": statement, "account_id": account, "account_nm": account[-9:],
        "thstrm_amount": now, "thstrm_add_amount": summed, "currency": "KRW",
    }  # fmt: skip


def listed(receipt: str, name: str) -> dict[str, str]:
    return {"rcept_no": receipt, "rcept_dt": receipt[:8], "report_nm": name, "corp_code": CODE}


class Answers(dict[str, object]):
    """What OpenDART answers by path and query; `statements` by business year, report code and basis."""

    def __init__(self) -> None:
        super().__init__()
        self.companies: bytes = corp_codes((CODE, "삼성전자", STOCK), ("00000001", "비상장", " "))
        self.company: dict[str, Any] = {
            "status": "000", "message": "정상", "corp_name": "삼성전자(주)", "stock_code": STOCK, "corp_cls": "Y",
            "acc_mt": "12",
        }  # fmt: skip
        self.reports = [
            listed(ANNUAL, "사업보고서 (2023.12)"),
            listed(FIRST, "분기보고서 (2024.03)"),
            listed(HALF, "[기재정정]반기보고서 (2024.06)"),
            listed("20240101000001", "주요사항보고서(자기주식취득결정)"),
        ]
        self.statements: dict[tuple[str, str, str], list[dict[str, str]]] = {
            ("2023", "11011", "CFS"): [
                line("ifrs-full_Revenue", "258,935,494,000,000"),
                line("ifrs-full_ProfitLoss", "15,487,100,000,000"),
                line("dart_OperatingIncomeLoss", "6,566,976,000,000", "CIS"),
                line("ifrs_BasicEarningsLossPerShare", "2,131"),
                line("ifrs-full_Assets", "455,905,980,000,000", "BS"),
                line("-표준계정코드 미사용-", "7", "BS"),
                line("ifrs-full_Equity", "9", "SCE"),
            ],
            ("2024", "11013", "CFS"): [
                line("ifrs-full_Revenue", "71,915,601,000,000", receipt=FIRST),
                line("ifrs-full_CashFlowsFromUsedInOperatingActivities", "11", "CF", receipt=FIRST),
            ],
            ("2024", "11012", "CFS"): [
                line("ifrs-full_Revenue", "74,068,302,000,000", summed="145,983,903,000,000", receipt=HALF),
                line("ifrs-full_CashFlowsFromUsedInOperatingActivities", "30", "CF", receipt=HALF),
            ],
        }

    def get(self, path: str, default: object = None) -> object:  # type: ignore[override]
        parts = urlsplit(path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if asked.get("crtfc_key") != KEY:
            return {"status": "010", "message": "등록되지 않은 키입니다."}
        if parts.path == "/api/corpCode.xml":
            return self.companies
        if parts.path == "/api/company.json":
            return self.company if asked["corp_code"] == CODE else NO_DATA
        if parts.path == "/api/list.json":
            return {"status": "000", "message": "정상", "total_page": 1, "list": self.reports}
        rows = self.statements.get((asked["bsns_year"], asked["reprt_code"], asked["fs_div"]))
        return {"status": "000", "message": "정상", "list": rows} if rows else NO_DATA
