"""What empyrical-reloaded, quantstats and TA-Lib say of the series."""

from __future__ import annotations

from typing import Any

import empyrical
import numpy as np
import pandas as pd
import quantstats
import talib
from series import Pairs, bars

E, Q, T = "empyrical-reloaded", "quantstats", "TA-Lib"


def returns_of(pairs: Pairs) -> pd.Series:
    values = pd.Series([float(text) for _, text in pairs], index=pd.to_datetime([day for day, _ in pairs]))
    return values.pct_change().dropna()


def cases(series: dict[str, Pairs]) -> list[dict[str, Any]]:
    daily = [_performance(name, series, "daily", 252) for name in ("published", "acme", "market")]
    return [
        *daily,
        _performance("monthly", series, "monthly", 12),
        _with_rf(series),
        _benchmark(series),
        *_risk(series),
        *_indicators(series),
    ]


def _performance(name: str, series: dict[str, Pairs], period: str, per_year: int) -> dict[str, Any]:
    returns = returns_of(series[name])
    asked = {"period": period}
    expect = {
        "total_return": (E, empyrical.cum_returns_final(returns)),
        "cagr_periods": (E, empyrical.annual_return(returns, **asked)),
        "volatility": (E, empyrical.annual_volatility(returns, **asked)),
        "sharpe": (E, empyrical.sharpe_ratio(returns, **asked)),
        "sortino": (E, empyrical.sortino_ratio(returns, **asked)),
        "calmar": (E, empyrical.calmar_ratio(returns, **asked)),
        "max_drawdown.depth": (E, empyrical.max_drawdown(returns)),
        "skew": (Q, quantstats.stats.skew(returns)),
        "excess_kurtosis": (Q, quantstats.stats.kurtosis(returns)),
    }
    given = {"values": f"@{name}", "periods_per_year": per_year}
    return {"id": f"performance of {name}", "tool": "performance", "input": given, "expect": expect}


def _with_rf(series: dict[str, Pairs]) -> dict[str, Any]:
    sharpe = quantstats.stats.sharpe(returns_of(series["acme"]), rf=0.03, periods=252)
    given = {"values": "@acme", "rf": 0.03}
    return {"id": "sharpe over 3 %", "tool": "performance", "input": given, "expect": {"sharpe": (Q, sharpe)}}


def _benchmark(series: dict[str, Pairs]) -> dict[str, Any]:
    own, market = returns_of(series["acme"]), returns_of(series["market"])
    active = own - market
    expect = {
        "benchmark.beta": (E, empyrical.beta(own, market)),
        "benchmark.correlation": ("pandas", own.corr(market)),
        "benchmark.cagr_periods": (E, empyrical.annual_return(market)),
        "benchmark.tracking_error": (E, empyrical.annual_volatility(active)),
        "benchmark.information_ratio": (E, empyrical.excess_sharpe(own, market) * np.sqrt(252)),
    }
    given = {"symbol": "ACME", "benchmark": "MARKET"}
    stored = ["acme", "market"]
    return {"id": "against a benchmark", "tool": "performance", "input": given, "store": stored, "expect": expect}


def _risk(series: dict[str, Pairs]) -> list[dict[str, Any]]:
    returns = returns_of(series["acme"])
    found = []
    for level in (0.95, 0.99):
        historical = {
            "var": (E, empyrical.value_at_risk(returns, 1 - level)),
            "cvar": (E, empyrical.conditional_value_at_risk(returns, 1 - level)),
        }
        normal = {"var": (Q, quantstats.stats.value_at_risk(returns, confidence=level))}
        for method, expect in (("historical", historical), ("normal", normal)):
            given = {"values": "@acme", "level": level, "method": method}
            found.append({"id": f"{method} {level}", "tool": "risk", "input": given, "expect": expect})
    both = pd.DataFrame({name: returns_of(series[name]) for name in ("acme", "market")})
    mixed = both @ np.array([0.25, 0.75])
    given = {"holdings": {"ACME": "0.25", "MARKET": "0.75"}}
    expect = {"var": (E, empyrical.value_at_risk(mixed, 0.05)), "volatility": (E, empyrical.annual_volatility(mixed))}
    stored = ["acme", "market"]
    found.append({"id": "two holdings", "tool": "risk", "input": given, "store": stored, "expect": expect})
    return found


def _indicators(series: dict[str, Pairs]) -> list[dict[str, Any]]:
    closes = np.array([float(text) for _, text in series["acme"]])
    highs, lows = (np.array([float(row[side]) for row in bars(1, series["acme"])]) for side in (1, 2))
    answers = {
        "sma": (talib.SMA(closes, 20),),
        "ema": (talib.EMA(closes, 20),),
        "rsi": (talib.RSI(closes, 14),),
        "macd": talib.MACD(closes, 12, 26, 9),
        "bollinger": talib.BBANDS(closes, 20, 2, 2)[::-1],
        "atr": (talib.ATR(highs, lows, closes, 14),),
    }
    return [_indicator(name, columns) for name, columns in answers.items()]


def _indicator(name: str, columns: tuple[Any, ...]) -> dict[str, Any]:
    """The first row that is known, one in the middle and the last one: seeds show at the beginning."""
    known = [
        position for position in range(len(columns[0])) if not any(np.isnan(column[position]) for column in columns)
    ]
    shown = len(known)
    expect: dict[str, Any] = {"warm_up": (T, known[0])}
    for row in (0, shown // 2, shown - 1):
        for number, column in enumerate(columns):
            expect[f"rows.{row}.{number + 2}"] = (T, column[known[row]])
    given = {"name": name, "symbol": "ACME", "last": shown}
    return {"id": f"indicator {name}", "tool": "indicator", "input": given, "store": ["acme"], "expect": expect}
