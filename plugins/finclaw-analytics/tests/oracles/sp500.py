"""Our formulas on the S&P 500 series of the package `arch`, whose prices may not be shipped; run by hand.

    PYTHONPATH=src /tmp/oracles/bin/python tests/oracles/sp500.py     (with arch and empyrical-reloaded installed)

Closes of 2014-01-02 to 2018-12-31, adjusted by the package's source; prints each figure beside empyrical's.
"""

from __future__ import annotations

import empyrical
from arch.data import nasdaq, sp500

from finclaw_analytics.drawdown import max_drawdown
from finclaw_analytics.moments import beta, deviation
from finclaw_analytics.ratios import growth, sharpe, sortino
from finclaw_analytics.tails import Tail


def main() -> None:
    closes, other = (one.load()["Adj Close"].loc["2014-01-02":"2018-12-31"] for one in (sp500, nasdaq))
    theirs, market = closes.pct_change().dropna(), other.pct_change().dropna()
    values, returns = list(closes), list(theirs)
    total = values[-1] / values[0] - 1
    yearly = growth(total, 252 / len(returns)) or 0.0
    fall = max_drawdown(values).depth
    days = (closes.index[-1] - closes.index[0]).days
    pairs = {
        "total return": (total, empyrical.cum_returns_final(theirs)),
        "cagr, n/252": (yearly, empyrical.annual_return(theirs)),
        "cagr, days/365.25": (growth(total, 365.25 / days), None),
        "volatility": ((deviation(returns) or 0) * 252**0.5, empyrical.annual_volatility(theirs)),
        "sharpe": (sharpe(returns, 252, 0), empyrical.sharpe_ratio(theirs)),
        "sortino": (sortino(returns, 252), empyrical.sortino_ratio(theirs)),
        "max drawdown": (fall, empyrical.max_drawdown(theirs)),
        "calmar": (yearly / -fall, empyrical.calmar_ratio(theirs)),
        "var 95": (Tail(0.95, 1, "historical").var(returns), empyrical.value_at_risk(theirs)),
        "var 95 normal": (Tail(0.95, 1, "normal").var(returns), None),
        "cvar 95": (Tail(0.95, 1, "historical").cvar(returns), empyrical.conditional_value_at_risk(theirs)),
        "beta of nasdaq": (beta(list(market), returns), empyrical.beta(market, theirs)),
    }
    print(len(returns), "returns")
    for name, (ours, expected) in pairs.items():
        print(f"{name:20} {ours:.10f} {'' if expected is None else f'{expected:.10f}'}")


if __name__ == "__main__":
    main()
