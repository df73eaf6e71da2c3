"""What one of a unit is in base units, from the words that name it: `USD million`, `백만원`, `thousands`."""

from __future__ import annotations

import re
from decimal import Decimal

_ENGLISH = re.compile(r"(?i:(?<![a-z])(thousand|million|billion|trillion|mn|mln|bn|tn)s?(?![a-z]))")
_POWERS = {"thousand": 3, "million": 6, "mn": 6, "mln": 6, "billion": 9, "bn": 9, "trillion": 12, "tn": 12}
_KOREAN = re.compile(r"(십|백|천)?(만|억|조)?(?=\s?(?:원|달러|엔|유로|명|주|개|$))")
_SMALL = {"십": 10, "백": 100, "천": 1_000, None: 1}
_LARGE = {"만": 10**4, "억": 10**8, "조": 10**12, None: 1}
_CENTS = ("GBp", "GBX", "ZAc")


def multiple(unit: str) -> Decimal:
    """What one of the unit is in base units; pence are hundredths of a pound."""
    if unit.startswith(_CENTS):
        return Decimal("0.01")
    if english := _ENGLISH.search(unit):
        return Decimal(10) ** _POWERS[english[1].lower()]
    for korean in _KOREAN.finditer(unit):
        if korean[0]:
            return Decimal(_SMALL[korean[1]] * _LARGE[korean[2]])
    return Decimal(1)
