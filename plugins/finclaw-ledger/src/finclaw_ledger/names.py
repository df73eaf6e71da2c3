"""Names of files and columns as they are shown: without the numbers of accounts and cards, with their dates."""

from __future__ import annotations

import re

_LAST = 4
_IBAN_DIGITS = 8
_RUN = r"[0-9](?:[ _-]?[0-9]){8,}|[0-9]{8}"
_IBAN = r"(?<![^\W_])[A-Za-z]{2}[0-9]{2}(?:[ _-]?[A-Za-z0-9]{4}){2,7}(?:[ _-]?[A-Za-z0-9]{1,3})?(?![^\W_])"
_NUMBER = re.compile(f"{_IBAN}|{_RUN}")
_DAY, _MONTH, _YEAR = "(?:0[1-9]|[12][0-9]|3[01])", "(?:0[1-9]|1[0-2])", "(?:19|20)[0-9]{2}"
_DATE = re.compile(
    f"(?<![0-9])({_YEAR}{_MONTH}{_DAY}|{_YEAR}[-_. ]{_MONTH}[-_. ]{_DAY}|{_DAY}[-_. ]{_MONTH}[-_. ]{_YEAR})(?![0-9])"
)


def shown_name(name: str) -> str:
    """The name with IBANs, cards and other runs of 8 and more digits cut to their last four characters."""
    # A split by one group gives what matched at every odd place.
    parts = enumerate(_DATE.split(name))
    return "".join(part if number % 2 else _NUMBER.sub(_cut, part) for number, part in parts)


def _cut(found: re.Match[str]) -> str:
    if sum(mark.isdigit() for mark in found[0]) < _IBAN_DIGITS:
        # Words can look like an IBAN, which has more digits.
        return found[0]
    return "…" + re.sub("[^A-Za-z0-9]", "", found[0])[-_LAST:]
