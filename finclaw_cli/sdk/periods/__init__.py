"""Periods in words or ISO 8601, as days: `last month`, `2024-Q1`, `since 2024-03-01`, `P3M`, `최근 3개월`.

Days are read in the user's time zone. `last month` and `last year` are those of the calendar; `last 3 months` and
`P3M` end on the day that is taken for today. Weeks begin on Monday (ISO 8601).
"""

from __future__ import annotations

from finclaw_cli.sdk.periods.asked import AskedDays, asked_days, known_days, named, today_of
from finclaw_cli.sdk.periods.reading import FORMS, Days, read_period, unit_around

__all__ = ["FORMS", "AskedDays", "Days", "asked_days", "known_days", "named", "read_period", "today_of", "unit_around"]
