"""What makes a number valid: the few rules that are asked often enough to be written out here.

python-stdnum knows them all and is the oracle of the tests; it is too slow per call for text full of candidates.
"""

from __future__ import annotations

from datetime import date

_DOUBLED = bytes.maketrans(b"0123456789", b"\x00\x02\x04\x06\x08\x01\x03\x05\x07\x09")
_SINGLE = bytes.maketrans(b"0123456789", bytes(range(10)))
_LETTER_NUMBERS = {ord(letter): str(10 + index) for index, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}
_RRN_WEIGHTS = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
# Whom a number can belong to; company numbers look like people born before that. Years that are written here, so that
# a text is masked alike on any day.
_EARLIEST, _LATEST = 1914, 2040
_IBAN_LENGTHS = (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 "
    "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 "
    "LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 "
    "PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
)
IBAN_LENGTH: dict[str, int] = {item[:2]: int(item[2:]) for item in _IBAN_LENGTHS.split()}


def luhn(digits: str) -> bool:
    """The check digit of payment cards."""
    raw = digits.encode()
    odd, even = raw[-1::-2], raw[-2::-2]
    return (sum(odd.translate(_SINGLE)) + sum(even.translate(_DOUBLED))) % 10 == 0


def card(digits: str) -> bool:
    """A payment card: its issuer's prefix and length, the check digit, and not one digit throughout."""
    return len(digits) in _card_lengths(digits) and len(set(digits)) > 1 and luhn(digits)


def _card_lengths(digits: str) -> tuple[int, ...]:
    two, four = int(digits[:2]), int(digits[:4])
    match digits[0]:
        case "4":
            return (13, 16, 18, 19)
        case "5":
            return (16,) if 51 <= two <= 55 else (12, 13, 14, 15, 16, 17, 18, 19) if two in {50, 56, 57, 58} else ()  # noqa: PLR2004
        case "2":
            return (16,) if 2221 <= four <= 2720 or 2200 <= four <= 2204 else ()  # noqa: PLR2004 - issuers' ranges
        case "3":
            return _three(two, four)
        case "6":
            return (16, 18, 19) if two in {60, 62, 63, 64, 65, 67, 69} or two == 66 else ()  # noqa: PLR2004
        case "9":
            return (16,) if two in {90, 92, 94} else ()  # Korea's own
        case _:
            return ()


def _three(two: int, four: int) -> tuple[int, ...]:
    if two in {34, 37}:
        return (15,)
    if 3528 <= four <= 3589:  # noqa: PLR2004 - JCB
        return (16, 17, 18, 19)
    if two in {36, 38, 39} or 3000 <= four <= 3059:  # noqa: PLR2004 - Diners Club
        return (14, 16, 19)
    return ()


def iban(compact: str) -> bool:
    """An IBAN's check digits; `compact` has capitals and digits only."""
    turned = compact[4:] + compact[:4]
    return "02" <= compact[2:4] <= "98" and int(turned.translate(_LETTER_NUMBERS)) % 97 == 1


def aba(digits: str) -> bool:
    """A routing number of an American bank."""
    a, b, c, d, e, f, g, h, i = map(int, digits)
    known = digits[:2] <= "12" or "21" <= digits[:2] <= "32" or "61" <= digits[:2] <= "72" or digits[:2] == "80"
    return known and digits != "000000000" and (3 * (a + d + g) + 7 * (b + e + h) + c + f + i) % 10 == 0


def ssn(digits: str) -> bool:
    """A social security number can have these nine digits."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in {"000", "666"} and area < "900" and group != "00" and serial != "0000"


def itin(digits: str) -> bool:
    """An individual taxpayer's number, for those who cannot have a social security number."""
    return digits[0] == "9" and ("50" <= digits[3:5] <= "99")


def rrn(digits: str) -> bool:
    """A Korean resident number: a date of birth and a digit for century and sex.

    Its check digit proves nothing: numbers given out since October 2020 have none.
    """
    if digits[6] not in "12345678":
        return False
    century = 1900 if digits[6] in "1256" else 2000
    try:
        born = date(century + int(digits[:2]), int(digits[2:4]), int(digits[4:6]))
    except ValueError:
        return False
    return _EARLIEST <= born.year <= _LATEST


def rrn_check(digits: str) -> bool:
    """The check digit of older resident numbers."""
    total = sum(weight * int(digit) for weight, digit in zip(_RRN_WEIGHTS, digits, strict=False))
    return (11 - total % 11) % 10 == int(digits[12])


def korean_company(digits: str) -> bool:
    """The check digit of a Korean corporate registration number, which is public and written like a person's."""
    total = sum(int(digit) * (1 + index % 2) for index, digit in enumerate(digits[:12]))
    return (10 - total % 10) % 10 == int(digits[12])
