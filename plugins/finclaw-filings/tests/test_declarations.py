"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

from finclaw_cli.testing.declarations import choices, declared, defaults
from finclaw_filings.plugin import finclaw_tools

DECLARED = {
    "company": ("finance", 60, "external read_only idempotent"),
    "financials": ("finance", 60, "external read_only idempotent"),
    "ratios": ("finance", 60, "external read_only idempotent"),
    "list_filings": ("finance", 60, "external read_only idempotent"),
    "read_filing": ("finance", 60, "external read_only idempotent"),
    "search_filings": ("finance", 10, "read_only idempotent"),
    "ownership": ("finance", 15, "read_only idempotent"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""

DEFAULTS = {
    "financials": {"period": "annual", "periods": 4},
    "ratios": {"period": "annual", "periods": 1},
    "list_filings": {"limit": 20},
    "read_filing": {"limit": 8000},
    "search_filings": {"limit": 5},
    "ownership": {"limit": 30},
}
"""By name: the arguments that have a value where a call gives none."""

CHOICES = {
    "financials": {"period": ["annual", "quarterly", "ttm"]},
    "ratios": {"period": ["annual", "quarterly", "ttm"]},
}
"""By name: the arguments that take one of a few values, and these values."""


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    assert declared(finclaw_tools()) == DECLARED


def test_every_argument_that_may_be_left_out_has_its_default() -> None:
    assert defaults(finclaw_tools()) == DEFAULTS


def test_every_argument_of_a_few_values_takes_these() -> None:
    assert choices(finclaw_tools()) == CHOICES
