"""Which charset a filing that is not UTF-8 is read in: one of the web's that it names, else Windows' for the West."""

from __future__ import annotations

import pytest

from finclaw_filings.filing_file import saved_filing


def text_of(charset: str, words: bytes) -> str:
    page = b'<html><meta http-equiv="Content-Type" content="text/html; charset=%s"><p>%s</p></html>'
    return saved_filing(page % (charset.encode(), words), "page.htm").text


@pytest.mark.parametrize("charset", ["euc-kr", "EUC_KR", "ks_c_5601-1987"])
def test_a_charset_that_is_named_is_used(charset: str) -> None:
    assert "매출" in text_of(charset, "매출".encode("euc-kr"))


@pytest.mark.parametrize("charset", ["punycode", "idna", "utf-7", "unicode_escape", "undefined", "zip", "nonsense"])
def test_a_charset_that_is_not_for_text_of_the_web_is_none(charset: str) -> None:
    assert "Caf\xe9 a-b" in text_of(charset, b"Caf\xe9 a-b")
