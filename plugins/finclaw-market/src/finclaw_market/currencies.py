"""Currency codes: how they are written, how many decimals each has, and the parts of them that prices are quoted in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadOption
from finclaw_market.bars import significant

UNKNOWN_DIGITS = 12
"""Significant digits of an amount in a currency whose decimals are not known."""
_CODE = re.compile("[A-Z]{3}|[a-z]{3}")
_PRECISION = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class MinorUnit:
    """A part of a currency that exchanges and data services quote prices in."""

    currency: str
    parts: int = 100
    """How many of it are one of the currency."""


MINOR_UNITS = {
    "GBp": MinorUnit(currency="GBP"),
    "ZAc": MinorUnit(currency="ZAR"),
    "ILA": MinorUnit(currency="ILS"),
    "USX": MinorUnit(currency="USD"),
    "KWF": MinorUnit(currency="KWD", parts=1_000),
}
_ALIASES = {"GBX": "GBp", "ZAC": "ZAc"}

# The decimals of ISO 4217 (list one, and of currencies that ended, as they were used last).
_BY_DECIMALS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG ROL RWF TRL UGX UYI VND VUV XAF XOF XPF",
    2: (
        "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE "
        "CHF CHW CNY COP COU CRC CUC CUP CVE CYP CZK DKK DOP DZD EEK EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GRD "
        "GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL LTL LVL MAD MDL "
        "MGA MKD MMK MNT MOP MRU MTL MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR "
        "RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SIT SKK SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD "
        "TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG ZWL"
    ),
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
_DECIMALS = {code: decimals for decimals, codes in _BY_DECIMALS.items() for code in codes.split()}


def normal_code(given: str) -> str:
    """The one form of a currency code: in capitals, or a minor unit such as `GBp`.

    Case is part of a code: a hundred `GBp`, which are pence, are one `GBP`. Three small letters are the code in
    capitals; any other mixture is refused.

    Raises:
        BadOption: it cannot be a code.
    """
    text = given.strip()
    if text not in MINOR_UNITS:
        if not _CODE.fullmatch(text):
            why = "is not a currency code such as USD, nor a minor unit such as GBp; capitals matter"
            raise BadOption(f"{quoted(given)} {why}")
        text = text.upper()
    return _ALIASES.get(text, text)


def whole_currency(code: str) -> tuple[str, int]:
    """The currency that a code is of, and how many of the code are one of it."""
    minor = MINOR_UNITS.get(code)
    return (code, 1) if minor is None else (minor.currency, minor.parts)


def minor_unit_note(code: str) -> str | None:
    """How many of a minor unit are one of its currency, in words; None where the code is a currency itself."""
    currency, parts = whole_currency(code)
    return None if parts == 1 else f"{parts} {code} are 1 {currency}"


def decimals_of(code: str) -> int | None:
    """How many decimals a currency has; None where that is not known, as for BTC, or undefined, as for XAU."""
    currency, parts = whole_currency(code)
    found = _DECIMALS.get(currency)
    return None if found is None else max(0, found - len(str(parts)) + 1)


def rounded(amount: Decimal, code: str) -> Decimal:
    """An amount as its currency has it: half to even to its decimals, else to 12 significant digits."""
    decimals = decimals_of(code)
    if decimals is None:
        return significant(amount, UNKNOWN_DIGITS)
    with localcontext(prec=_PRECISION):  # quantize refuses what has more digits than that
        return amount.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_EVEN)


def rounding_note(code: str) -> str:
    """How an amount is rounded, in words."""
    decimals = decimals_of(code)
    if decimals is None:
        return f"rounded to {UNKNOWN_DIGITS} significant digits, because the decimals of {code} are not known"
    return f"rounded half to even to {decimals} decimals"
