"""Find the figures of a text, English and Korean."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import islice

from finclaw_cli.numbers.asides import asides
from finclaw_cli.numbers.direction import direction
from finclaw_cli.numbers.figure import Bound, Figure, Kind
from finclaw_cli.numbers.units import PREFIX, Unit, sign_currencies, unit_after
from finclaw_cli.numbers.words import (
    ENGLISH_SCALES,
    KOREAN_SCALES,
    SPELLED,
    SPELLED_KOREAN,
    SPELLED_KOREAN_PERCENT,
    english_number,
    korean_number,
)

MOST, MOST_CHARS = 3_000, 300_000
# Limits of length and size, which no number of a result exceeds.
_MOST_DIGITS = 50
BEYOND = Decimal(10) ** 100
_ENDLESS = re.compile(r"\d{60,}")
# Points or spaces between thousands, and a comma before decimals, only where they are unambiguous.
_CONTINENTAL = (
    r"\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?(?![\d.])|\d{1,3}(?:\.\d{3})+,\d{1,2}(?!\d)|"
    r"(?<![\d,])\d+,\d{1,2}(?=\s?(?:%|€|EUR|USD|CHF|유로|달러))"
)
_NUMBER = (
    rf"(?:{_CONTINENTAL}|(?:\d{{1,3}}(?:[,_\u00a0\u202f\u2009]\d{{3}})+(?!\d)|\d+)(?:\.\d+)?"
    r"(?:[eE][+-]?\d{1,9}(?!\w))?|\.\d+)"
)
_COUNTED = "원|달러|엔|유로|위안|파운드|주|명|개"
_KOREAN_PART = rf"(?:{_NUMBER})\s?(?:[십백천]?[만억조경]|[백천])"
_NUMERAL = re.compile(
    rf"(?P<sign>(?<![\w)\]%])[-−–+]|(?i:\b(?:minus|negative)\s))?(?P<prefix>(?<![A-Za-z])(?:{PREFIX}))?(?P<inner>[-−])?"
    rf"(?<![A-Za-z0-9_.])(?:(?P<korean>{_KOREAN_PART}(?:\s?{_KOREAN_PART})*(?:\s?(?:{_NUMBER})(?=\s?(?:{_COUNTED})))?)"
    rf"|(?P<number>{_NUMBER}))(?!\.\d|\d)"
)
_HUGE = re.compile(r"[eE][+-]?\d{3}")
_KOREAN_STEP = re.compile(rf"({_NUMBER})\s?([십백천]?[만억조경]|[백천])?")
_RATIO = re.compile(r"\s?(?::|-?for-?|대|-to-)\s?(\d+(?:\.\d+)?)(?![\d:])(?!\s?%)")
_RANGE = re.compile(r"\s?[-–—~∼]\s?(?:to\s)?|\sto\s|에서\s|\s?내지\s")
_SMALL = {"십": 10, "백": 100, "천": 1_000}
_ABOUT = re.compile(
    r"(?i:(?:\b(?:about|around|roughly|approximately|approx\.?|circa|ca\.|some|close to|near)|~|≈|약|대략)\s*)$"
)
_OVER = re.compile(
    r"(?i:\b(?:over|more than|above|exceeding|at least|just over|upwards of|exceeded|topped|north of)\s+)$"
)
_UNDER = re.compile(
    r"(?i:(?:\b(?:under|less than|below|nearly|almost|just under|up to|at most|just shy of)\s+|거의\s*))$"
)
_ABOUT_AFTER = re.compile(r"\s?(?:정도|가량|안팎|내외|쯤|or so\b|여\s?(?=원|달러|주|개))")
_OVER_AFTER = re.compile(r"\s?(?:[가-힣]{0,3}\s?(?:이상|초과)|[가-힣]{0,3}[이가을를]\s?넘|넘게|or more\b|\+(?!\d))")
_UNDER_AFTER = re.compile(r"\s?(?:이하|미만|에 못 미치|or less\b)")
_IN_PERCENT = re.compile(r"\(%\)|\bin %|%\s*$|\bpercent\b|\(percent\)", re.IGNORECASE)
# Points of an index, or of a percentage.
_POINTS = re.compile(r"[ -]points?(?![A-Za-z])|\s?포인트")
_WORTH_WORDS = 11
_LOOK_BACK, _LONGEST_OF_RATIO = 24, 5


def figures(text: str) -> list[Figure]:
    """The figures of a text, in order; dates, names and the numbers of lists are none.

    In a text with too many of them, the last one, which no result has, represents all the rest.
    """
    whole, text = len(text) <= MOST_CHARS, text[:MOST_CHARS]
    text = _ENDLESS.sub(lambda run: "9" * (_MOST_DIGITS + 1) + "\n" * (len(run[0]) - _MOST_DIGITS - 1), text)
    numerals = list(islice(_numerals(text), MOST))
    passed = asides(text if len(numerals) < MOST else text[: numerals[-1].end])
    found = [figure for figure in numerals if not _within(figure, passed)]
    taken = sorted([(figure.start, figure.end) for figure in found] + passed)
    found += [figure for figure in islice(_spelled(text), MOST) if not _within(figure, taken)]
    found.sort(key=lambda figure: figure.start)
    found = _ranges(text, [_bounded(text, figure) for figure in found])
    if whole and len(numerals) < MOST:
        return found
    return [*found, Figure(text="…", start=len(text) - 1, end=len(text), value=BEYOND, half=Decimal(0))]


def _within(figure: Figure, spans: list[tuple[int, int]]) -> bool:
    at = bisect_right(spans, (figure.start, len(spans) and spans[-1][1])) - 1
    around = spans[max(0, at - 1) : at + 3]
    return any(start < figure.end and figure.start < end for start, end in around)


def _numerals(text: str) -> Iterator[Figure]:
    headings = _PercentColumns(text)
    for match in _NUMERAL.finditer(text):
        figure = _numeral(text, match)
        if figure is not None:
            in_points = figure.kind is Kind.PLAIN and _POINTS.match(text, figure.end) is not None
            yield replace(figure, in_percent_table=in_points or headings(match.start()))


def _numeral(text: str, match: re.Match[str]) -> Figure | None:
    prefix, start, end = match["prefix"] or "", match.start(), match.end()
    if not prefix and not match["sign"] and _ends_name(text[start - 1 : start]):
        return None
    digits = match["korean"] or match["number"]
    value, half = _korean(digits) if match["korean"] else _plain(digits)
    ratio = _RATIO.match(text, end) if not prefix and len(digits) <= _LONGEST_OF_RATIO else None
    if ratio and "." in digits and "대" in ratio[0]:
        ratio = None  # two numbers that are compared
    if ratio and (whole := Decimal(ratio[1])):
        times, after = value / whole, ratio.end()
        return Figure(
            text=text[start:after], start=start, end=after, kind=Kind.TIMES, value=times, half=Decimal("0.0005")
        )
    unit = unit_after(text, end)
    if unit.end == end and _continues(text, end, has_fraction="." in digits):
        return None
    return _in_unit(text, match, unit, (value, half))


def _in_unit(text: str, match: re.Match[str], unit: Unit, number: tuple[Decimal, Decimal]) -> Figure:
    prefix, (value, half) = match["prefix"] or "", number
    kind = Kind.MONEY if prefix and unit.kind is Kind.PLAIN else unit.kind
    negative = (match["sign"] or match["inner"] or "+").strip() != "+"
    return Figure(
        text=text[match.start() : unit.end].strip(),
        start=match.start(),
        end=unit.end,
        value=value * unit.factor * (-1 if negative else 1),
        half=half * unit.factor,
        scale=unit.factor,
        kind=kind,
        currencies=sign_currencies(prefix) or unit.currencies,
        signed=bool(match["sign"] or match["inner"]),
    )


def _ends_name(before: str) -> bool:
    """Whether the character before a number makes it a part of a name."""
    return before == "_" or (before.isascii() and before.isalpha())


def _continues(text: str, at: int, *, has_fraction: bool) -> bool:
    """Whether the digits are the beginning of a name, a fraction, or a longer number."""
    return bool(re.match(r"[A-Za-z_]" if has_fraction else r"[A-Za-z_]|[/:]\d", text[at : at + 2]))


def _plain(digits: str) -> tuple[Decimal, Decimal]:
    if len(digits) > _MOST_DIGITS or _HUGE.search(digits):
        return BEYOND, Decimal(0)
    if re.fullmatch(_CONTINENTAL, digits):
        digits = digits.replace(".", "").replace(",", ".")
    number = Decimal(re.sub(r"[,_\u00a0\u202f\u2009]", "", digits))
    exponent = number.as_tuple().exponent
    return number, Decimal(5).scaleb(int(exponent) - 1)


def _korean(digits: str) -> tuple[Decimal, Decimal]:
    total, half = Decimal(0), Decimal(0)
    for step in _KOREAN_STEP.finditer(digits):
        times = 1
        for sign in step[2] or "":
            times *= _SMALL.get(sign) or KOREAN_SCALES[sign]
        number, part = _plain(step[1])
        total, half = total + number * times, part * times
    return total, half


def _spelled(text: str) -> Iterator[Figure]:
    for match in SPELLED.finditer(text):
        value, unit = english_number(match[0]), unit_after(text, match.end())
        scaled = any(word in match[0].lower() for word in ENGLISH_SCALES)
        if value == 1 and unit.kind in {Kind.SHARES, Kind.MONEY}:
            continue
        if unit.kind not in {Kind.PLAIN, Kind.DURATION} or scaled or value >= _WORTH_WORDS:
            yield _spelled_figure(text, match, value)
    for pattern in (SPELLED_KOREAN, SPELLED_KOREAN_PERCENT):
        for match in pattern.finditer(text):
            yield _spelled_figure(text, match, korean_number(match[0]))


def _spelled_figure(text: str, match: re.Match[str], value: Decimal) -> Figure:
    unit = unit_after(text, match.end())
    return Figure(
        text=text[match.start() : unit.end], start=match.start(), end=unit.end, value=value * unit.factor,
        half=_step(value) / 2 * unit.factor, kind=unit.kind, currencies=unit.currencies,
    )  # fmt: skip


def _step(value: Decimal) -> Decimal:
    """A unit of the last digit that is not a zero: hundreds for 1,200."""
    normal = value.normalize()
    return Decimal(1).scaleb(int(normal.as_tuple().exponent)) if normal else Decimal(1)


def _bounded(text: str, figure: Figure) -> Figure:
    """Widen a figure by the words around it."""
    before, after = text[max(0, figure.start - _LOOK_BACK) : figure.start], figure.end
    figure = replace(figure, direction=direction(text, figure.start, figure.end))
    bound = Bound.EXACT
    if _ABOUT.search(before) or _ABOUT_AFTER.match(text, after):
        bound = Bound.ABOUT
    elif _OVER.search(before) or _OVER_AFTER.match(text, after):
        bound = Bound.OVER
    elif _UNDER.search(before) or _UNDER_AFTER.match(text, after):
        bound = Bound.UNDER
    if bound is Bound.EXACT:
        return figure
    whole = figure.value and "." not in figure.text
    step = max(_step(figure.value), figure.half * 2) if whole else figure.half * 2
    return replace(figure, bound=bound, rounding=figure.half, half=step / 2 if bound is Bound.ABOUT else step)


def _ranges(text: str, found: list[Figure]) -> list[Figure]:
    """Give each end of a range the unit of the other one: `10–12 %`, `$1–2 billion`."""
    for at in range(len(found) - 2, -1, -1):
        first, second = found[at], found[at + 1]
        if first.scale != 1 or first.end > second.start or not _RANGE.fullmatch(text[first.end : second.start]):
            continue
        kind = first.kind if second.kind is Kind.PLAIN else second.kind
        currencies = first.currencies or second.currencies
        if first.kind in {Kind.PLAIN, kind}:
            found[at : at + 2] = [
                replace(_scaled(first, second.scale), kind=kind, currencies=currencies),
                replace(second, kind=kind, currencies=currencies),
            ]
    return found


def _scaled(figure: Figure, scale: Decimal) -> Figure:
    return replace(figure, value=figure.value * scale, half=figure.half * scale, scale=scale)


class _PercentColumns:
    """Whether a position in a text is in a column of a table, or in a line, with a heading of percent."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._lines: list[str] = []
        self._headers: list[list[str]] = []
        self._in_percent: dict[int, bool] = {}
        at = 0
        header: list[str] = []
        for line in text.splitlines(keepends=True):
            is_row = line.lstrip().startswith("|")
            header = (header or line.split("|")) if is_row else []
            self._starts.append(at)
            self._lines.append(line)
            self._headers.append(header)
            at += len(line)

    def __call__(self, place: int) -> bool:
        number = bisect_right(self._starts, place) - 1
        line, header = self._lines[number], self._headers[number]
        if not header:
            if number not in self._in_percent:
                self._in_percent[number] = bool(_IN_PERCENT.search(line.partition(":")[0]))
            return self._in_percent[number]
        column = line[: place - self._starts[number]].count("|")
        cells = line.split("|")
        labels = [*header[column : column + 1], *cells[1:2]]
        return any(_IN_PERCENT.search(label.strip()) for label in labels)
