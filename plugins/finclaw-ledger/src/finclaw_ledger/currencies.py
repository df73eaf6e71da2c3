"""Currency codes as files and options write them. Case is part of a code: 100 GBp, which are pence, are 1 GBP."""

from __future__ import annotations

import re

from finclaw_cli.sdk.render import quoted
from finclaw_cli.sdk.tabular import BadCell

_CODE = re.compile("[A-Z]{3}|[a-z]{3}")
# It is not certain which columns of a file such a code is meant for, so amounts are not scaled.
_PARTS = {"GBp": "GBP", "GBX": "GBP", "ZAc": "ZAR", "ZAC": "ZAR", "ILA": "ILS", "USX": "USD", "KWF": "KWD"}


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
