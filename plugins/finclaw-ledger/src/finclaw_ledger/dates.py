"""Booking dates of statements."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from finclaw_cli.sdk.tabular import DateStyle, latest_date, plausible_date

_STYLES = {
    "DMY": DateStyle(order="DMY", short_years=True),
    "MDY": DateStyle(order="MDY", short_years=True),
    "YMD": DateStyle(short_years=True),
}
_FIRST_YEAR = 1900
# As OFX writes it, which some banks' CSV files have too: 20260131120000[0:GMT].
_STAMP = re.compile(r"([0-9]{8})[0-9]{6}(?:\.[0-9]{1,3})?(?:\[.{0,12}\])?")
_SHORT_YEAR = re.compile(r"([0-9]{1,2}[ -][A-Za-z]{3,9})[ -]([0-9]{2})((?: .{1,20})?)")


def today() -> date:
    """Today's date in UTC."""
    return datetime.now(UTC).date()


def parse_day(cell: str, order: str = "YMD") -> date:
    """Parse one booking date; the time after it is dropped.

    Args:
        cell: of the file.
        order: `DMY` or `MDY` for numeric dates whose year comes last; a year that comes first needs none (`YMD`).

    Raises:
        BadCell: it is no date, or one before 1900 or in the future.
    """
    if found := _STAMP.fullmatch(cell):
        cell = found[1]
    elif found := _SHORT_YEAR.fullmatch(cell):
        cell = f"{found[1]} 20{found[2]}{found[3]}"
    return plausible_date(cell, _STYLES[order], first_year=_FIRST_YEAR, latest=latest_date())
