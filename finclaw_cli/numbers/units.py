"""The words and signs of units next to a number, English and Korean."""

from __future__ import annotations

import re
from decimal import Decimal

from finclaw_cli.core.record import record
from finclaw_cli.numbers.figure import Kind

DOLLARS = frozenset({"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN"})
CODES = frozenset(
    {
        "USD", "EUR", "KRW", "JPY", "GBP", "CHF", "CAD", "AUD", "NZD", "CNY", "CNH", "HKD", "SGD", "TWD", "INR", "IDR",
        "THB", "MYR", "PHP", "VND", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "TRY", "ILS", "ZAR", "BRL",
        "MXN", "RUB", "SAR", "AED", "CLP", "COP", "ARS", "ISK", "HRK",
    }
)  # fmt: skip
_SIGNS = {"$": DOLLARS, "US$": {"USD"}, "€": {"EUR"}, "£": {"GBP"}, "¥": {"JPY", "CNY"}, "₩": {"KRW"}, "￦": {"KRW"}}
_NAMES = {
    r"(?:US )?dollars?": DOLLARS, r"(?:미국 |미 )?달러": DOLLARS, "euros?": {"EUR"}, "유로": {"EUR"}, "won": {"KRW"},
    "원": {"KRW"}, "yen": {"JPY"}, "엔(?!터)": {"JPY"}, "yuan": {"CNY"}, "renminbi": {"CNY"}, "위안": {"CNY"},
    "pounds?": {"GBP"}, "파운드": {"GBP"}, "francs?": {"CHF"}, "kronor|kroner|krona|krone": {"SEK", "NOK", "DKK"},
}  # fmt: skip
_CENTS = {
    r"cents?": DOLLARS | {"EUR"}, "¢": DOLLARS, "센트": DOLLARS | {"EUR"}, r"pence": {"GBP"}, "GBp|GBX": {"GBP"},
    "ZAc|ZAC": {"ZAR"}, "ILA": {"ILS"}, "USX": {"USD"},
}  # fmt: skip
PREFIX = "|".join(["US\\$", "[$€£¥₩￦]", *(rf"{code}\s?" for code in sorted(CODES))])

_WORD = r"(?![A-Za-z])"
_SCALES = {
    rf"[ -]?thousand{_WORD}": 3,
    rf"[ -]?(?:million|mln|mn|mil|MM){_WORD}": 6,
    rf"[ -]?(?:billion|bln|bn){_WORD}": 9,
    rf"[ -]?(?:trillion|trn|tn){_WORD}": 12,
    rf"\s?(?:[Mm]io\b\.?|[Mm]illionen{_WORD})": 6,
    rf"\s?(?:[Mm]rd\b\.?|[Mm]illiarden{_WORD})": 9,
    rf"\s?lakhs?{_WORD}": 5,
    rf"\s?crores?{_WORD}": 7,
    rf"[kK]{_WORD}": 3,
    rf"[Mm]{_WORD}": 6,
    rf"[Bb]{_WORD}": 9,
    rf"T{_WORD}": 12,
}
_SCALE = [(re.compile(pattern), Decimal(10) ** power) for pattern, power in _SCALES.items()]

_HUNDREDTH, _BASIS = Decimal("0.01"), Decimal("0.0001")
_BASIS_POINTS = rf"\s?(?:basis[ -]points?|bps?){_WORD}|\s?베이시스\s?포인트"
_PERCENT = (
    rf"\s?(?:%[ -]?points?{_WORD}|%p{_WORD}|[%％]|"
    rf"[- ]?(?:percentage[ -]points?|percent|per cent|pct|ppts?|pp){_WORD}|"
    r"퍼센트\s?포인트|퍼센트|프로(?![가-힣]))"
)
_TIMES = rf"\s?(?:[x×](?![A-Za-z0-9_])|times{_WORD}|배(?![당우경치분율급터송달정포]))|[ -]?fold{_WORD}"
_DURATION = (
    r"[ -](?:calendar[ -]|trading[ -]|business[ -]|consecutive[ -])?(?:days?|weeks?|weekdays?|months?|years?|quarters?|"
    rf"sessions?|hours?|minutes?|seconds?|decades?|yrs?|mos?\.){_WORD}|(?:d|w|mo|y|yrs?|h|hrs?|min|s){_WORD}"
    r"|\s?(?:거래일|영업일|일(?=\s?(?:간|동안|연속|치))|주간|주(?=\s?(?:동안|연속))|개월|달(?!러)|년(?!도)|분기|시간|"
    r"분(?![기의])|초(?!과))"
)
_SHARES = rf"[ -](?:shares?|stocks?){_WORD}|\s?주(?![일간당년기요식가택])"


def _after(name: str) -> str:
    """The pattern of letters that may not follow a name, if it ends with a letter."""
    return _WORD if name[-1].isascii() else ""


_UNITS: list[tuple[re.Pattern[str], Kind, Decimal, frozenset[str]]] = [
    (re.compile(pattern), kind, factor, frozenset(currencies))
    for pattern, kind, factor, currencies in [
        (_BASIS_POINTS, Kind.PERCENT, _BASIS, ()),
        (_PERCENT, Kind.PERCENT, _HUNDREDTH, ()),
        *((rf"[ -]?(?:{name}){_after(name)}", Kind.MONEY, Decimal(1), who) for name, who in _NAMES.items()),
        *((rf"\s?(?:{name}){_after(name)}", Kind.MONEY, _HUNDREDTH, who) for name, who in _CENTS.items()),
        *((rf"\s?{code}{_WORD}", Kind.MONEY, Decimal(1), (code,)) for code in sorted(CODES)),
        (r"\s?€", Kind.MONEY, Decimal(1), ("EUR",)),
        (_TIMES, Kind.TIMES, Decimal(1), ()),
        (_DURATION, Kind.DURATION, Decimal(1), ()),
        (_SHARES, Kind.SHARES, Decimal(1), ()),
        (r"p(?![A-Za-z])", Kind.PLAIN, Decimal(1), ()),
        (r"(?:st|nd|rd|th)(?=\s+percentile)", Kind.PLAIN, Decimal(1), ()),
    ]
]


@record
class Unit:
    """The unit after a number: its end, and its effect on the number."""

    end: int
    kind: Kind = Kind.PLAIN
    factor: Decimal = Decimal(1)
    currencies: frozenset[str] = frozenset()


def unit_after(text: str, at: int) -> Unit:
    """Parse scale and unit at `at`; where there is neither, the unit is empty."""
    end, factor = at, Decimal(1)
    for pattern, scale in _SCALE:
        if found := pattern.match(text, end):
            end, factor = found.end(), scale
            break
    for pattern, kind, times, currencies in _UNITS:
        if found := pattern.match(text, end):
            return Unit(found.end(), kind, factor * times, currencies)
    return Unit(end, factor=factor)


def sign_currencies(prefix: str) -> frozenset[str]:
    """The possible currencies of a sign or code before a number."""
    found = prefix.strip()
    return frozenset(_SIGNS.get(found, {found} if found else ()))
