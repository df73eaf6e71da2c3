"""The public construction rules of private numbers, written here on their own: the set must not lean on the engine."""

from __future__ import annotations

import re
from datetime import date

RANDOM_SINCE = date(2020, 10, 5)  # from this day Korean registration numbers are random in their last six digits
AS_OF = date(2026, 1, 1)
ADVERTISED_SSN = {"078051120", "219099999", "457555462", "123456789"}
ISSUERS = re.compile(r"4|5[1-5]|2[2-7]|3[0-8]|6(?:011|2|4[4-9]|5)|9[0-9]")  # 9: Korean cards for use at home


def digits_of(text: str) -> str:
    """Only the decimal digits of a text."""
    return "".join(c for c in text if c.isdecimal())


def luhn_digit(body: str) -> str:
    """The check digit that completes `body`."""
    total = 0
    for place, char in enumerate(reversed(body)):
        doubled = int(char) * (2 if place % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return str(-total % 10)


def card_ok(text: str) -> bool:
    """A payment card: a known beginning, 13 to 19 digits, the Luhn rule."""
    number = digits_of(text)
    return bool(ISSUERS.match(number)) and 13 <= len(number) <= 19 and luhn_digit(number[:-1]) == number[-1]


def ssn_ok(text: str) -> bool:
    """A US social security number that could have been issued."""
    number = digits_of(text)
    if len(number) != 9 or number in ADVERTISED_SSN:
        return False
    area, group, serial = number[:3], number[3:5], number[5:]
    return area not in {"000", "666"} and area < "900" and group != "00" and serial != "0000"


def rrn_sum(body: str) -> int:
    """The weighted sum over the first twelve digits."""
    return sum(int(c) * w for c, w in zip(body, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5), strict=True))


def rrn_digit(body: str) -> str:
    """The check digit of numbers issued before October 2020; foreigners' numbers count from 13."""
    return str(((13 if body[6] in "5678" else 11) - rrn_sum(body) % 11) % 10)


def rrn_birth(number: str) -> date | None:
    """The birth date in a registration number, or None if there is no such day."""
    century = {"1": 1900, "2": 1900, "5": 1900, "6": 1900, "3": 2000, "4": 2000, "7": 2000, "8": 2000}.get(number[6])
    if century is None:
        return None
    try:
        return date(century + int(number[:2]), int(number[2:4]), int(number[4:6]))
    except ValueError:
        return None


def rrn_ok(text: str) -> bool:
    """A Korean registration number: a real birth day; the old check digit, or issued since numbers are random."""
    number = digits_of(text)
    born = rrn_birth(number) if len(number) == 13 else None
    if born is None or born >= AS_OF:
        return False
    return born >= RANDOM_SINCE or rrn_digit(number[:12]) == number[12]


def iban_remainder(text: str) -> int:
    """Modulo 97 of an IBAN, letters counted from A = 10; a correct one leaves 1."""
    compact = re.sub(r"[\s-]", "", text).upper()
    return int("".join(str(int(c, 36)) for c in compact[4:] + compact[:4])) % 97


def iban_ok(text: str) -> bool:
    """An IBAN by its shape and its two check digits."""
    compact = re.sub(r"[\s-]", "", text)
    return bool(re.fullmatch(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", compact)) and iban_remainder(compact) == 1


def aba_ok(text: str) -> bool:
    """A US routing number: a Federal Reserve district and the 3-7-1 rule."""
    number = digits_of(text)
    if len(number) != 9 or not (1 <= int(number[:2]) <= 12 or 21 <= int(number[:2]) <= 32):
        return False
    return sum(int(c) * w for c, w in zip(number, (3, 7, 1) * 3, strict=True)) % 10 == 0


def account_ok(text: str) -> bool:
    """An account number: seven to sixteen digits, or a broker's letters and digits."""
    return 6 <= len(digits_of(text)) <= 16 and bool(re.fullmatch(r"[A-Z\d -]+", text))


def secret_ok(text: str) -> bool:
    """A key or token: long, no spaces."""
    return len(text) >= 16 and not re.search(r"\s", text)


def password_ok(text: str) -> bool:
    """A password: at least eight characters, no quotes."""
    return len(text) >= 8 and '"' not in text


def private_key_ok(text: str) -> bool:
    """A PEM block from its first line to its last."""
    return text.startswith("-----BEGIN ") and text.rstrip().endswith("PRIVATE KEY-----")


CHECKS = {
    "card": card_ok,
    "ssn": ssn_ok,
    "rrn": rrn_ok,
    "iban": iban_ok,
    "aba": aba_ok,
    "account": account_ok,
    "api_key": secret_ok,
    "token": secret_ok,
    "password": password_ok,
    "private_key": private_key_ok,
}
