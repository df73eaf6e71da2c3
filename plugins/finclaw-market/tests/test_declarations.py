"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

from finclaw_cli.testing.declarations import choices, declared, defaults
from finclaw_market.plugin import finclaw_tools

DECLARED = {
    "find_symbol": ("finance", 5, "read_only idempotent"),
    "get_quote": ("finance", 15, "read_only idempotent"),
    "get_price_history": ("finance", 15, "read_only idempotent"),
    "convert_currency": ("finance", 10, "read_only idempotent"),
    "get_series": ("finance", 15, "read_only idempotent"),
    "market_sessions": ("finance", 20, "read_only idempotent"),
    "import_data": ("data", 60, "requires_approval idempotent"),
    "plot_prices": ("finance", 30, "requires_approval idempotent"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""

DEFAULTS = {
    "find_symbol": {"limit": 5},
    "get_quote": {"max_age_sessions": 3},
    "get_price_history": {"interval": "day", "adjustment": "as_stored", "limit": 60},
    "convert_currency": {"on_missing": "error"},
    "get_series": {"limit": 60},
    "import_data": {"kind": "prices", "dry_run": True},
    "plot_prices": {"adjustment": "as_stored", "format": "svg"},
}
"""By name: the arguments that have a value where a call gives none."""

CHOICES = {
    "get_price_history": {"interval": ["day", "week", "month"], "adjustment": ["as_stored", "none", "split", "total"]},
    "convert_currency": {"on_missing": ["error", "previous"]},
    "import_data": {"kind": ["prices", "fx", "series"], "adjustment": ["none", "split", "total"]},
    "plot_prices": {"adjustment": ["as_stored", "none", "split", "total"], "format": ["svg", "png", "text"]},
}
"""By name: the arguments that take one of a few values, and these values."""


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    assert declared(finclaw_tools()) == DECLARED


def test_every_argument_that_may_be_left_out_has_its_default() -> None:
    assert defaults(finclaw_tools()) == DEFAULTS


def test_every_argument_of_a_few_values_takes_these() -> None:
    assert choices(finclaw_tools()) == CHOICES
