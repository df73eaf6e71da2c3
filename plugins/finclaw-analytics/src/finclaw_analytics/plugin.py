"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence

from finclaw_cli.sdk import hookimpl


@hookimpl
def finclaw_tools() -> Sequence[object]:
    """The tools that reckon; none of them writes, and none uses a network."""
    from finclaw_analytics.bond import bond
    from finclaw_analytics.calc import calc
    from finclaw_analytics.cashflow import cashflow_return
    from finclaw_analytics.indicator import indicator
    from finclaw_analytics.loan import loan
    from finclaw_analytics.option import option_value
    from finclaw_analytics.performance import performance
    from finclaw_analytics.risk import risk

    return [performance, risk, cashflow_return, indicator, option_value, bond, loan, calc]
