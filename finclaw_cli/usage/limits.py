"""What all runs together may spend in a day and in a month."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal

from finclaw_cli.core.record import record
from finclaw_cli.usage.reserve import Limit


@record(kw_only=True)
class Limits:
    """Amounts in USD; None where there is no limit."""

    daily_usd: Decimal | None = None
    monthly_usd: Decimal | None = None

    def __bool__(self) -> bool:
        return self.daily_usd is not None or self.monthly_usd is not None

    def at(self, now: datetime) -> tuple[Limit, ...]:
        """The limits of the day and the month of that moment, which is in this machine's time zone."""
        today = now.date()
        found: list[Limit] = []
        if self.daily_usd is not None:
            found.append(Limit(scope="daily", amount=self.daily_usd, since=_midnight(today)))
        if self.monthly_usd is not None:
            found.append(Limit(scope="monthly", amount=self.monthly_usd, since=_midnight(today.replace(day=1))))
        return tuple(found)


def _midnight(day: date) -> datetime:
    """When a day begins here; its clocks may be other ones than now."""
    return datetime.combine(day, time.min).astimezone()
