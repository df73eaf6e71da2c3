"""Whose number a company has: the SEC's CIK, or a code of Korea's OpenDART.

The store has one number for each company. CIKs have up to ten digits; OpenDART's codes of eight digits are added to
10,000,000,000, so that they are never taken for one.
"""

from __future__ import annotations

import re

_DART = 10_000_000_000
_WRITTEN = re.compile(r"(?:CIK)?\s*(\d{1,10})|DART\s*(\d{8})", re.IGNORECASE)
_STOCK_CODE = re.compile(r"\d{6}")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")


def of_dart(code: str) -> int:
    """The number in the store of a company's code at OpenDART, eight digits."""
    return _DART + int(code)


def is_dart(number: int) -> bool:
    """Whether a company is one of OpenDART's."""
    return number >= _DART


def dart_code(number: int) -> str:
    """A company's code at OpenDART."""
    return f"{number - _DART:08d}"


def number_text(number: int) -> str:
    """The number with the register that it is from: `CIK0001234567`, `DART00126380`."""
    return f"DART{dart_code(number)}" if is_dart(number) else f"CIK{number:010d}"


def number_in(given: str) -> int | None:
    """The number that an identifier is, or None where it is a ticker or a name."""
    found = _WRITTEN.fullmatch(given.strip())
    if found is None or not given.isascii():
        return None
    return of_dart(found[2]) if found[2] else int(found[1])


def may_be_korean(given: str) -> bool:
    """Whether an identifier may be meant for OpenDART: its code, a stock code of six digits, or a Korean name."""
    text, number = given.strip(), number_in(given)
    return (number is not None and is_dart(number)) or bool(_STOCK_CODE.fullmatch(text) or _HANGUL.search(text))


def zone(number: int) -> str:
    """The time zone of the register: filing dates are its days."""
    return "Asia/Seoul" if is_dart(number) else "America/New_York"


def filing_url(number: int, accession: str, document: str | None = None) -> str | None:
    """Where a filing can be read; None for one that is known by its content only."""
    if accession.startswith("file-"):
        return None
    if is_dart(number):
        return f"https://dart.fss.or.kr/dsaf001/main.do?rcpNo={accession}"
    folder = f"https://www.sec.gov/Archives/edgar/data/{number}/{accession.replace('-', '')}"
    return f"{folder}/{document or ''}"
