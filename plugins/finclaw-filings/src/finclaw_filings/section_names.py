"""The names of the items of reports, by the SEC's forms 10-K, 10-Q, 20-F and 40-F."""

from __future__ import annotations

import re

_10K = {
    "1": "business", "1A": "risk_factors", "1B": "unresolved_staff_comments", "1C": "cybersecurity",
    "2": "properties", "3": "legal_proceedings", "4": "mine_safety", "4A": "executive_officers",
    "5": "market_for_equity", "6": "selected_data", "7": "mda", "7A": "market_risk", "8": "financial_statements",
    "9": "accountant_changes", "9A": "controls", "9B": "other_information", "9C": "foreign_inspections",
    "10": "directors", "11": "executive_compensation", "12": "ownership", "13": "related_transactions",
    "14": "accountant_fees", "15": "exhibits", "16": "summary",
}  # fmt: skip
# Part II of a quarterly report counts from 1 again.
_10Q = (
    {"1": "financial_statements", "2": "mda", "3": "market_risk", "4": "controls"},
    {"1": "legal_proceedings", "1A": "risk_factors", "2": "equity_sales", "3": "defaults", "4": "mine_safety",
     "5": "other_information", "6": "exhibits"},
)  # fmt: skip
_20F = {
    "1": "directors", "2": "offer_statistics", "3": "key_information", "3D": "risk_factors", "4": "business",
    "4A": "unresolved_staff_comments", "5": "mda", "6": "management", "7": "ownership", "8": "financial_information",
    "9": "offer_and_listing", "10": "additional_information", "11": "market_risk", "12": "other_securities",
    "13": "defaults", "14": "modified_rights", "15": "controls", "16": "governance", "16A": "audit_committee",
    "16B": "code_of_ethics", "16C": "accountant_fees", "16D": "audit_committee_exemptions", "16E": "equity_sales",
    "16F": "accountant_changes", "16G": "governance", "16H": "mine_safety", "16I": "foreign_inspections",
    "16J": "insider_trading_policies", "16K": "cybersecurity", "17": "financial_statements_17",
    "18": "financial_statements", "19": "exhibits",
}  # fmt: skip
# A 40-F has no numbers: what General Instruction B asks for stands under titles, or in exhibits.
_40F = (
    ("annual information form", "annual_information_form"), ("management.s discussion", "mda"),
    ("(?:audited )?(?:annual |consolidated )*financial statements", "financial_statements"),
    ("(?:disclosure )?controls and procedures", "controls"),
    ("management.s (?:annual )?report on internal control", "internal_control"),
    ("(?:identification of the )?audit committee(?! financial)", "audit_committee"),
    ("audit committee financial expert", "audit_committee_expert"),
    ("code of (?:business )?(?:ethics|conduct)", "code_of_ethics"),
    ("principal accountant(?:ing)? fees", "accountant_fees"), ("off.balance sheet", "off_balance_sheet"),
    ("(?:tabular )?(?:disclosure of )?contractual obligations", "contractual_obligations"),
    ("mine safety", "mine_safety"), ("undertakings?$", "undertakings"), ("exhibit index", "exhibits"),
)  # fmt: skip
_40F_TITLES = [(re.compile(title, re.IGNORECASE), name) for title, name in _40F]
_PART_ONE_OF_10Q = re.compile(
    r"financial statements|management.s discussion|quantitative|controls and proc", re.IGNORECASE
)
_14_IN_OTHER_YEARS = (("exhibit", "exhibits"), ("controls", "controls"))


def name_of_item(form: str, item: str, part: int, title: str) -> str:
    """The name of an item; `item_2_02` where the form has none for it.

    Args:
        form: in capitals.
        item: its number and letter, `7A`.
        part: of a quarterly report, from 0.
        title: what stands behind the number; item 14 of a 10-K was another one until 2003.
    """
    if form.startswith("10-Q"):
        table = _10Q[part]
    elif form.startswith("20-F"):
        table = _20F
    else:
        table = _10K if form.startswith("10-K") else {}
    if table is _10K and item == "14":
        other = next((name for word, name in _14_IN_OTHER_YEARS if title.casefold().startswith(word)), None)
        return other or table[item]
    return table.get(item) or f"item_{item.lower().replace('.', '_')}"


def part_of_10q(item: str, title: str, part: int) -> int:
    """Which part of a quarterly report an item is in: by its title, else as the one before."""
    if item in {"1A", "5", "6"}:
        return 1
    return 0 if _PART_ONE_OF_10Q.search(title) else (1 if title else part)


def name_of_40f_title(line: str) -> str | None:
    """The name of what a title of a 40-F begins with; None where it is no such title."""
    return next((name for title, name in _40F_TITLES if title.match(line)), None)
