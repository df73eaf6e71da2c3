"""Whether and as whom EDGAR may be asked: the table `[plugin.finclaw-filings]` and the variables `EDGAR_*`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from finclaw_cli.sdk import ToolContext
from finclaw_cli.sdk.settings import read_settings
from finclaw_filings.problems import LiveProblem

DATA_URL, BASE_URL = "https://data.sec.gov", "https://www.sec.gov"
_HOSTS = frozenset({"data.sec.gov", "www.sec.gov"})
_MAX_IDENTITY = 200
_HOW_IDENTITY = 'say who asks, as the SEC demands: export EDGAR_IDENTITY="Your Name you@example.com"'


class LiveSettings(BaseModel, frozen=True):
    """What the user's table may hold."""

    live: bool = False
    """Let the tools ask EDGAR for what is not stored or is older than `max_age_hours`."""
    max_age_hours: Annotated[int, Field(ge=0, le=8760)] = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """As whom EDGAR is asked, and where it is."""

    identity: str
    data_url: str
    base_url: str


def live_settings(ctx: ToolContext) -> LiveSettings:
    """The user's settings, checked; the variable EDGAR_LIVE switches on as well.

    Raises:
        ToolError: NOT_CONFIGURED, naming each wrong setting.
    """
    settings = read_settings(LiveSettings, ctx, "finclaw-filings")
    if os.environ.get("EDGAR_LIVE", "").strip().lower() in {"1", "true", "yes", "on"}:
        return settings.model_copy(update={"live": True})
    return settings


def access() -> Access:
    """As whom and where EDGAR is asked.

    Raises:
        LiveProblem: NOT_CONFIGURED: there is no identity, or an address is not the SEC's.
    """
    identity = os.environ.get("EDGAR_IDENTITY", "").strip()
    if not identity:
        raise LiveProblem(f"EDGAR_IDENTITY is not set; {_HOW_IDENTITY}", code="NOT_CONFIGURED")
    if not (identity.isascii() and identity.isprintable() and "@" in identity and len(identity) <= _MAX_IDENTITY):
        raise LiveProblem(f"EDGAR_IDENTITY is not a name and an e-mail address; {_HOW_IDENTITY}", code="NOT_CONFIGURED")
    return Access(
        identity=identity, data_url=_address("EDGAR_DATA_URL", DATA_URL), base_url=_address("EDGAR_BASE_URL", BASE_URL)
    )


def _address(variable: str, default: str) -> str:
    from finclaw_cli.sdk.http import is_allowed_address

    given = os.environ.get(variable, "").strip().removesuffix("/") or default
    if not is_allowed_address(given, _HOSTS):
        raise LiveProblem(f"{variable} must be {default} or a loopback address", code="NOT_CONFIGURED")
    return given
