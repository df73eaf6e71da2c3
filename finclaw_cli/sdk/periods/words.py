"""The words of periods in the one English form that `periods` reads."""

from __future__ import annotations

import re

DURATION = re.compile(r"p(?:([0-9]{1,4})y)?(?:([0-9]{1,5})m)?(?:([0-9]{1,5})w)?(?:([0-9]{1,6})d)?")
"""An ISO 8601 duration of whole days, in small letters: years, months, weeks, days."""
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = re.compile(rf"\b({'|'.join(_NUMBERS)})\b")
_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(
    r"\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?) ([0-9]{4})\b"
)
_KOREAN = {
    "오늘": "today",
    "어제": "yesterday",
    "이번주": "this week",
    "이번달": "this month",
    "이달": "this month",
    "이번분기": "this quarter",
    "올해": "this year",
    "금년": "this year",
    "지난주": "last week",
    "지난달": "last month",
    "전월": "last month",
    "지난분기": "last quarter",
    "전분기": "last quarter",
    "지난해": "last year",
    "작년": "last year",
    "연초부터": "year to date",
    "연초이후": "year to date",
    "올해들어": "year to date",
}
"""Without spaces."""
_KOREAN_UNITS = {
    "일": "day",
    "주": "week",
    "주일": "week",
    "개월": "month",
    "달": "month",
    "분기": "quarter",
    "년": "year",
}
_KOREAN_ROLLING = re.compile(r"(?:최근|지난)([0-9]{1,5})(일|주일?|개월|달|분기|년)(?:간|동안)?")
_KOREAN_DATE = re.compile(r"([0-9]{4})년(?:([1-4])분기|(상|하)반기|([0-9]{1,2})월(?:([0-9]{1,2})일)?)?")


def in_english(text: str) -> str:
    """The words in English, numbers and months in digits; unchanged where they have no other form.

    Args:
        text: in small letters, with single spaces.
    """
    if not text.isascii():
        return _from_korean(text.replace(" ", "")) or text
    digits = _NUMBER.sub(lambda match: str(_NUMBERS.index(match[1]) + 1), text)
    return _MONTH.sub(lambda match: f"{match[2]}-{_NAMES.index(match[1][:3]) + 1:02}", digits)


def _from_korean(text: str) -> str | None:
    if text in _KOREAN:
        return _KOREAN[text]
    if match := _KOREAN_ROLLING.fullmatch(text):
        return f"last {match[1]} {_KOREAN_UNITS[match[2]]}"
    if match := _KOREAN_DATE.fullmatch(text):
        return _korean_date(match)
    begins, found, ends = text.partition("부터")
    if not found:
        return None
    return f"{in_english(begins)} to {in_english(ends.removesuffix('까지'))}" if ends else f"since {in_english(begins)}"


def _korean_date(match: re.Match[str]) -> str:
    year, quarter, half, month, day = match.groups()
    if quarter:
        return f"{year}-q{quarter}"
    if half:
        return f"{year}-h{1 if half == '상' else 2}"
    return "-".join([year, *(f"{int(part):02}" for part in (month, day) if part)])
