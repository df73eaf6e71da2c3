"""When an address of a service was asked last, so that tools do not ask again too soon."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from finclaw_filings.store import reading, writing


def age_hours(home: Path, url: str) -> float | None:
    """How long ago that address was asked; None where it never was."""
    with reading(home) as db:
        row = db.execute("SELECT at FROM asked WHERE url = ?", (url,)).fetchone() if db else None
    return (datetime.now(UTC) - datetime.fromisoformat(row[0])).total_seconds() / 3600 if row else None


def mark_asked(home: Path, url: str) -> None:
    """Note that an address was asked now: what has not changed is as fresh as if it had been imported now."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with writing(home) as db:
        db.execute("INSERT INTO asked VALUES (?, ?) ON CONFLICT (url) DO UPDATE SET at = excluded.at", (url, now))
