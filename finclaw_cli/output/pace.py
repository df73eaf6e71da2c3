"""The completed share and the rate of a piece of work."""

from __future__ import annotations

from math import ceil

from finclaw_cli.core.record import record

_MINUTE_S = 60
_HOUR_S = 3_600


@record
class Report:
    """One report for display: the cleaned message and the figures."""

    message: str
    done: float | None
    total: float | None
    figures: str

    def line(self) -> str:
        return f"{self.message}: {self.figures}" if self.figures else self.message


class Pace:
    """The progress of one piece of work, measured from its reports.

    A report with less done than the previous one, or another total, begins a new phase with a new rate.
    """

    def __init__(self, unit: str = "") -> None:
        self._unit = unit
        self._began = self._start = 0.0
        self.done: float | None = None
        self.total: float | None = None

    def step(self, now: float, done: float | None, total: float | None) -> None:
        """Add a report: `done` of `total`, either of which may be unknown."""
        is_new = done is None or self.done is None or done < self.done or total != self.total
        if is_new:
            self._began, self._start = now, done or 0.0
        self.done, self.total = done, total

    def figures(self, now: float) -> str:
        """The share, the time left and the rate, as far as they are known: `25 %, 12 s left, 250 rows/s`."""
        rate = self._rate(now)
        parts = [self._share()]
        if rate:
            left = (self.total or 0) - (self.done or 0)
            parts.append(f"{duration(left / rate)} left" if left > 0 else "")
            parts.append(f"{rate:,.0f} {self._unit}/s" if self._unit else "")
        return ", ".join(filter(None, parts))

    def _share(self) -> str:
        if self.done is None:
            return ""
        if self.total:
            return f"{100 * self.done / self.total:.0f} %"
        return f"{self.done:,.0f} {self._unit}" if self._unit else ""

    def _rate(self, now: float) -> float:
        """The amount done per second; 0 where it is not known yet."""
        if self.done is None or now <= self._began:
            return 0.0
        return (self.done - self._start) / (now - self._began)


def duration(seconds: float) -> str:
    """A time span in its two largest units: `45 s`, `2 min 5 s`, `1 h 20 min`."""
    whole = max(ceil(seconds), 0)
    if whole < _MINUTE_S:
        return f"{whole} s"
    if whole < _HOUR_S:
        return f"{whole // _MINUTE_S} min {whole % _MINUTE_S} s"
    return f"{whole // _HOUR_S:,} h {whole % _HOUR_S // _MINUTE_S} min"
