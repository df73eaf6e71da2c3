"""The user's own time, and which exchanges trade at it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from finclaw_cli.catalog.exchanges import MarketState, exchange, market_state
from finclaw_cli.catalog.sessions import sessions
from finclaw_cli.settings.paths import home

LOCALTIME = Path("/etc/localtime")
SESSIONS = Path("cache") / "sessions"
_ZONES = "/zoneinfo/"


def local_now() -> datetime:
    """Now, in the user's time zone."""
    return datetime.now(UTC).astimezone()


def zone_name(now: datetime, environment: Mapping[str, str] = os.environ, localtime: Path = LOCALTIME) -> str:
    """What the user's time zone is called (`Asia/Seoul`); empty where that is not known, or is not the one in force."""
    name = environment.get("TZ", "").lstrip(":") or os.path.realpath(localtime).partition(_ZONES)[2]
    try:
        return name if now.astimezone(ZoneInfo(name)).utcoffset() == now.utcoffset() else ""
    except (ValueError, OSError, LookupError):  # a rule in place of a name, or no data on zones
        return ""


def market_states(codes: Iterable[str], now: datetime) -> tuple[MarketState, ...]:
    """How the exchanges of these codes stand, as far as they are known."""
    places = filter(None, (exchange(code) for code in dict.fromkeys(codes)))
    states = (market_state(place, now, sessions(place, now, home() / SESSIONS)) for place in places)
    return tuple(state for state in states if state is not None)
