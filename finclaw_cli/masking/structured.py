"""Private data that the syntax around it gives away: addresses with passwords, payment messages, cheques."""

from __future__ import annotations

import re
from collections.abc import Iterator

from finclaw_cli.masking import checksums
from finclaw_cli.masking.reading import Found, Reading
from finclaw_cli.masking.values import is_reference

# `scheme://user:password@host`
_USER_INFO = re.compile(r"://[^\s/:@\"'<>\x01]{0,80}:([^\s/@\"'<>\x01]{1,128})@(?=[\w\[$.{])")
_STAND_INS = frozenset({"password", "pass", "passwd", "pwd", "secret", "pw"})
# Fields of SWIFT messages: `:59:/12345678`, `:57A://FW021000021`, `:97A::SAFE//12345678`.
_SWIFT = re.compile(
    r"(?<![A-Za-z0-9]):(?:25P?:(?:([A-Z0-9]{6,12})/)?|5[0-9][A-Z]?:/{1,2}(?:[CD]/)?|97[AB]::[A-Z]{4}//)([A-Z0-9-]{5,34})"
)
# Their names as the vocabulary has them.
_FIELDS = frozenset({b"00"} | {b"00" + bytes([letter]) for letter in range(ord("A"), ord("Z") + 1)})
_SWIFT_ACCOUNT = re.compile(r"(?<![A-Za-z0-9])/ACC/([0-9][0-9-]{4,33})")
_CLEARING = re.compile(r"//(FW|SC)([0-9]{6,9})(?![A-Za-z0-9])")
# The line under a cheque.
_MICR = re.compile(r"(?:⑆|\|:|:)([0-9]{9})(?:⑆|:\||:|\|:)\s{0,3}(?:([0-9-]{6,17})(?=\s?(?:⑈|\|\||[\"'<]|$|\s)))?")

# An account with letters: "account number U6004759", "a/c no. GB-1234567", "acct# X12-345678".
_TOKEN = re.compile(rb"(?<![A-Za-z0-9_-])[A-Za-z]{1,4}-?00[0-]{2,16}0(?![A-Za-z0-9_%]|[.,]0|-[A-Za-z0-9])")
_IN_VOCABULARY = re.compile(rb"(?<![A-Za-z0-9])[A-Za-z]{1,4}-?00[0-]{2,16}0(?![A-Za-z0-9])")
_NO_TOKEN = re.compile(
    r"(?:cik|isin|cusip|ein|lei|tx|txn|inv|ref|po|fy|cy|sku|case|ord|page|line|no|id|ext|q|h)[0-9-]|"
    r"(?:usd|krw|eur|gbp|jpy|cny|cad|aud|chf|hkd|sgd|inr|us|btc|eth)-?[0-9]+$"
)
_LABEL = re.compile(
    r"(?<![a-z])(?:(?:account|acct|acc|a/c)s?\.?|계좌)[\s_-]?(number|num|no|nr|id|ref|#|번호)?\.?(?:\([^()]{1,12}\))?"
    r"(?:[\"']?\s?[:=#,;|\t]|\s(?:is|was|ending|ends in)|[은는])?\s?[\"'*`(]{0,3}$"
)
_FEWEST, _FEWEST_BARE = 6, 7


def find_structured(reading: Reading) -> Iterator[Found]:
    """Everything that is private by the place it has in an address or a message."""
    view = reading.view
    has_slashes = b"//" in reading.vocabulary
    if "@" in view and has_slashes:
        yield from _addresses(reading)
    if not _FIELDS.isdisjoint(reading.words) and _has_any(view, ":/", ":25", ":97"):
        yield from _fields(reading)
    if b"/ACC/" in reading.vocabulary or (has_slashes and _has_any(view, "//FW", "//SC")):
        yield from _clearing(reading)
    if _has_any(view, "⑆", "⑈", "|:"):
        yield from _cheques(reading)
    if any(reading.has(stem) for stem in ("acc", "a/c", "계좌")):
        yield from _lettered(reading)


def _has_any(view: str, *parts: str) -> bool:
    return any(part in view for part in parts)


def _addresses(reading: Reading) -> Iterator[Found]:
    for found in _USER_INFO.finditer(reading.view):
        value = found.group(1)
        if value.lower() not in _STAND_INS and not is_reference(value):
            yield Found(*found.span(1), "password")


def _fields(reading: Reading) -> Iterator[Found]:
    for found in _SWIFT.finditer(reading.view):
        if found.group(1) and _is_aba(found.group(1)):
            yield Found(*found.span(1), "aba")
        if _has_digits(found.group(2)) and not found.group(2).startswith("FW"):
            yield Found(*found.span(2), "account")


def _clearing(reading: Reading) -> Iterator[Found]:
    view = reading.view
    for found in _SWIFT_ACCOUNT.finditer(view):
        yield Found(*found.span(1), "account")
    for found in _CLEARING.finditer(view):
        if found.group(1) == "FW" and _is_aba(found.group(2)):
            yield Found(*found.span(2), "aba")
        elif found.group(1) == "SC" and len(found.group(2)) == _FEWEST:
            yield Found(*found.span(2), "sort_code")


def _cheques(reading: Reading) -> Iterator[Found]:
    for found in _MICR.finditer(reading.view):
        if checksums.aba(found.group(1)):
            yield Found(*found.span(1), "aba")
            if found.group(2):
                yield Found(*found.span(2), "account")


def _lettered(reading: Reading) -> Iterator[Found]:
    if not _IN_VOCABULARY.search(reading.vocabulary):
        return
    low = reading.low
    for found in _TOKEN.finditer(reading.shape):
        start, end = found.span()
        label = _LABEL.search(low, max(0, start - 32), start)
        if not label or _NO_TOKEN.match(low[start:end]):
            continue
        digits = found.group().count(b"0")
        if digits >= (_FEWEST if label.group(1) else _FEWEST_BARE) and (
            label.group(1) or reading.view[start].isupper()
        ):
            yield Found(start, end, "account")


def _is_aba(digits: str) -> bool:
    return len(digits) == 9 and digits.isdecimal() and checksums.aba(digits)  # noqa: PLR2004


def _has_digits(value: str) -> bool:
    return sum(map(str.isdigit, value)) >= 5  # noqa: PLR2004 - fewer are a code
