"""Currency codes as files and options write them. Case is part of a code: 100 GBp, which are pence, are 1 GBP."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell, column_key

_CODE = re.compile("[A-Z]{3}|[a-z]{3}")
# It is not certain which columns of a file such a code is meant for, so amounts are not scaled.
_PARTS = {"GBp": "GBP", "GBX": "GBP", "ZAc": "ZAR", "ZAC": "ZAR", "ILA": "ILS", "USX": "USD", "KWF": "KWD"}


@lru_cache(maxsize=256)
def currency_of(text: str) -> str:
    """The currency that a code means, in capitals.

    Raises:
        BadCell: it is no code, or that of a part of a currency.
    """
    code = text.strip()
    whole = _PARTS.get(code) or _PARTS.get(code.upper() if code.islower() else code)
    if whole is not None:
        why = f"is a part of {whole}; books are kept in {whole}: change the file's amounts and its currency to it"
        raise BadCell(f"{quoted(code)} {why}")
    if not _CODE.fullmatch(code):
        raise BadCell(f"{quoted(code)} is not a currency code such as EUR")
    return code.upper()


_SIGNS = {"€": "EUR", "원": "KRW", "₩": "KRW"}
_CODES = "AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|INR|JPY|KRW|MXN|NOK|NZD|PLN|RON|SEK|SGD|TRY|USD|ZAR"
_AT_END = re.compile(rf"[(\[][ ]{{0,3}}({_CODES}|[€원₩])[ ]{{0,3}}[)\]]\Z|[ _]({_CODES})\Z")


def named_currency(name: str) -> str | None:
    """The currency at the end of a column's name, as in `Amount (EUR)` and `출금(원)`."""
    return _split(name)[1]


def without_currencies(header: Sequence[str]) -> list[str]:
    """The names of a header without the currencies at their ends, where no other column has that name then."""
    short = [_split(name)[0] for name in header]
    counts = Counter(map(column_key, short))
    return [brief if counts[column_key(brief)] == 1 else name for brief, name in zip(short, header, strict=True)]


def _split(name: str) -> tuple[str, str | None]:
    """A name without the currency at its end, and the currency; the name itself where it has none, or nothing else."""
    found = _AT_END.search(name.strip())
    brief = name.strip()[: found.start()].rstrip(" _") if found else ""
    if found is None or not brief:
        return name, None
    code = found[1] or found[2]
    return brief, _SIGNS.get(code, code)
