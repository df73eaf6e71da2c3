"""What tools ask a service on a miss, where the user's settings say so; the answer goes through the store."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from threading import Lock

from finclaw_cli.sdk import ToolContext, ToolError
from finclaw_cli.sdk.settings import read_settings
from finclaw_market.problems import StoreProblem
from finclaw_market.settings import MarketSettings

_YEARS_BACK = 10
_AGAIN_AFTER_S = 900.0
_LOCK = Lock()
_ASKED: dict[tuple[Path, str], float] = {}
_DAY = timedelta(days=1)


def bring_prices(ctx: ToolContext, symbol: str, start: date | None, last: date) -> tuple[str, ...]:
    """Fetch a symbol that is not stored, or whose stored bars end before `last` or begin after `start`.

    Nothing is asked about symbols that are the user's own or a package's. Returns the warnings of an answer.

    Raises:
        ToolError: nothing is stored, and the service could not answer.
    """
    if "yahoo" not in read_settings(MarketSettings, ctx, "finclaw-market").live:
        return ()
    from finclaw_market.fetching import fetch_prices, prices_held
    from finclaw_market.sessions import weekdays_after

    held = prices_held(ctx.home, symbol)
    begin = start or last - timedelta(days=365 * _YEARS_BACK)
    if held is None:
        return (
            () if _is_packaged(ctx.home, symbol) else _tried(ctx, symbol, lambda: fetch_prices(ctx.home, symbol, begin))
        )
    first, newest, own = held
    reaches = weekdays_after(newest, last - _DAY) == 0 and (
        start is None or weekdays_after(start - _DAY, first - _DAY) == 0
    )
    if own is not None or reaches:
        return ()
    return _tried(ctx, symbol, lambda: fetch_prices(ctx.home, symbol, begin if start else first), may_fail=True)


def bring_series(ctx: ToolContext, series: str, last: date, today: date) -> tuple[str, ...]:
    """Fetch a series that is not stored, or was not fetched today while today is asked about.

    Raises:
        ToolError: nothing is stored, and the service could not answer.
    """
    if "fred" not in read_settings(MarketSettings, ctx, "finclaw-market").live:
        return ()
    from finclaw_market.fetching import fetch_observations, series_held
    from finclaw_market.observations import is_packaged

    held = series_held(ctx.home, series)
    if held is None and is_packaged(series):
        return ()
    if held is not None and (held[1] is not None or held[0] >= today or last < today):
        return ()
    return _tried(ctx, f"series {series}", lambda: fetch_observations(ctx.home, series), may_fail=held is not None)


def _tried(ctx: ToolContext, what: str, fetch: Callable[[], object], *, may_fail: bool = False) -> tuple[str, ...]:
    """Fetch, but not again and again in one process what a service has just been asked."""
    key = (ctx.home, what)
    with _LOCK:
        now = time.monotonic()
        if may_fail and now - _ASKED.get(key, -_AGAIN_AFTER_S) < _AGAIN_AFTER_S:
            return ()
        _ASKED[key] = now
    try:
        fetch()
    except ToolError as error:
        if not may_fail:
            raise
        return (f"newer data could not be fetched: {error}",)
    return ()


def _is_packaged(home: Path, symbol: str) -> bool:
    from finclaw_market.prices import all_prices

    try:
        with all_prices(home) as prices:
            return prices.one(symbol, date.max) is not None
    except StoreProblem:
        return True  # the tool itself reports the error of the store
