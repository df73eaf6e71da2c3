"""The factor of a unit from its name: `USD million`, `백만원`, `thousands`."""

from __future__ import annotations

import re
from decimal import Decimal

_ENGLISH = re.compile(r"(?i:(?<![a-z])(thousand|million|billion|trillion|mn|mln|bn|tn)s?(?![a-z]))")
_POWERS = {"thousand": 3, "million": 6, "mn": 6, "mln": 6, "billion": 9, "bn": 9, "trillion": 12, "tn": 12}
_KOREAN = re.compile(r"(십|백|천)?(만|억|조)?(?=\s?(?:원|달러|엔|유로|명|주|개|$))")
_SMALL = {"십": 10, "백": 100, "천": 1_000, None: 1}
_LARGE = {"만": 10**4, "억": 10**8, "조": 10**12, None: 1}
# Subunits of currencies that prices are quoted in: the currency, and the factor.
_PARTS = {
    **dict.fromkeys(("GBp", "GBX"), ("GBP", Decimal("0.01"))),
    **dict.fromkeys(("ZAc", "ZAC"), ("ZAR", Decimal("0.01"))),
    "ILA": ("ILS", Decimal("0.01")),
    "USX": ("USD", Decimal("0.01")),
    "KWF": ("KWD", Decimal("0.001")),
}
_PART = re.compile(rf"(?:{'|'.join(_PARTS)})(?![A-Za-z])")


def part_of_currency(unit: str) -> tuple[str, Decimal] | None:
    """The currency of a subunit and its factor, as `GBp` is a hundredth of `GBP`; None for any other unit."""
    found = _PART.match(unit)
    return _PARTS[found[0]] if found else None


def multiple(unit: str) -> Decimal:
    """The factor of a unit to base units; pence are hundredths of a pound."""
    if (part := part_of_currency(unit)) is not None:
        return part[1]
    if english := _ENGLISH.search(unit):
        return Decimal(10) ** _POWERS[english[1].lower()]
    for korean in _KOREAN.finditer(unit):
        if korean[0]:
            return Decimal(_SMALL[korean[1]] * _LARGE[korean[2]])
    return Decimal(1)
