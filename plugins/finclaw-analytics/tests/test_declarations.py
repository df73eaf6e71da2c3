"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

from finclaw_analytics.plugin import finclaw_tools
from finclaw_cli.testing.declarations import choices, declared, defaults

DECLARED = {
    "performance": ("finance", 10, "read_only idempotent"),
    "risk": ("finance", 10, "read_only idempotent"),
    "compare": ("finance", 30, "read_only idempotent"),
    "cashflow_return": ("finance", 10, "read_only idempotent"),
    "indicator": ("finance", 10, "read_only idempotent"),
    "option_value": ("finance", 10, "read_only idempotent"),
    "bond": ("finance", 10, "read_only idempotent"),
    "loan": ("finance", 10, "read_only idempotent"),
    "calc": ("finance", 10, "read_only idempotent"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""

DEFAULTS = {
    "performance": {"rf": 0.0},
    "risk": {"holdings_are": "weights", "level": 0.95, "horizon": 1, "method": "historical"},
    "cashflow_return": {"day_count": "act/365f"},
    "indicator": {"last": 30},
    "option_value": {"dividend_yield": 0.0},
    "bond": {"price_is": "clean", "frequency": 2, "day_count": "act/act"},
    "loan": {"extra": "0", "payments_per_year": 12, "decimals": 2, "from_payment": 1, "limit": 12},
}
"""By name: the arguments that have a value where a call gives none."""

CHOICES = {
    "risk": {"holdings_are": ["weights", "quantities"], "method": ["historical", "normal"]},
    "cashflow_return": {
        "kind": ["xirr", "irr", "npv", "xnpv", "twr", "modified_dietz"],
        "day_count": ["act/365f", "act/360", "act/act", "30/360"],
    },
    "indicator": {"name": ["sma", "ema", "rsi", "macd", "bollinger", "atr"]},
    "option_value": {"kind": ["call", "put"]},
    "bond": {
        "price_is": ["clean", "dirty"],
        "frequency": [1, 2, 4, 12],
        "day_count": ["act/365f", "act/360", "act/act", "30/360"],
    },
    "loan": {"payments_per_year": [1, 2, 4, 12, 26, 52]},
}
"""By name: the arguments that take one of a few values, and these values."""


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    assert declared(finclaw_tools()) == DECLARED


def test_every_argument_that_may_be_left_out_has_its_default() -> None:
    assert defaults(finclaw_tools()) == DEFAULTS


def test_every_argument_of_a_few_values_takes_these() -> None:
    assert choices(finclaw_tools()) == CHOICES
