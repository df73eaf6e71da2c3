"""Numbers written as words, English and Korean: `twenty-five`, `삼십오`."""

from __future__ import annotations

import re
from decimal import Decimal

_ONES = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ENGLISH = {word: value for value, word in enumerate(_ONES)} | {
    word: 20 + 10 * number for number, word in enumerate(_TENS)
}
ENGLISH_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_UNIT = "|".join(sorted(ENGLISH, key=len, reverse=True))
_SCALE = "|".join(ENGLISH_SCALES)
SPELLED = re.compile(rf"\b(?:{_UNIT})(?:[ -](?:and )?(?:{_UNIT}|{_SCALE}))*\b", re.IGNORECASE)

_DIGITS = {sign: value for value, sign in enumerate("영일이삼사오육칠팔구")}
_SMALL = {"십": 10, "백": 100, "천": 1_000}
KOREAN_SCALES = {"만": 10**4, "억": 10**8, "조": 10**12, "경": 10**16}
# A word of digits counts only with a scale in it: 이원 is a name, 이십 원 is money.
SPELLED_KOREAN = re.compile(
    r"(?<![가-힣0-9])(?=[일이삼사오육칠팔구]*[십백천만억조])[일이삼사오육칠팔구십백천만억조]{2,}(?=\s?(?:퍼센트|프로|%|원|달러|배|주))"
)
SPELLED_KOREAN_PERCENT = re.compile(r"(?<![가-힣0-9])[일이삼사오육칠팔구](?=\s?퍼센트)")


def english_number(text: str) -> Decimal:
    """The value of a number in English words."""
    total = group = 0
    for word in re.split(r"[ -]+", text.lower()):
        if word in ENGLISH:
            group += ENGLISH[word]
        elif word == "hundred":
            group *= 100
        elif word in ENGLISH_SCALES:
            total, group = total + group * ENGLISH_SCALES[word], 0
    return Decimal(total + group)


def korean_number(text: str) -> Decimal:
    """The value of a number in Sino-Korean words."""
    total = group = digit = 0
    for sign in text:
        if sign in _DIGITS:
            digit = _DIGITS[sign]
        elif sign in _SMALL:
            group, digit = group + (digit or 1) * _SMALL[sign], 0
        else:
            total, group, digit = total + (group + digit or 1) * KOREAN_SCALES[sign], 0, 0
    return Decimal(total + group + digit)
