"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

import subprocess
import sys

from finclaw_cli.testing.contract import check_plugin
from finclaw_cli.testing.declarations import choices, declared, defaults
from finclaw_portfolio import plugin

DECLARED = {
    "portfolio": ("finance", 30, "read_only idempotent"),
    "ledger_portfolio": ("data", 60, "sensitive read_only idempotent"),
    "portfolio_return": ("data", 60, "sensitive read_only idempotent"),
    "realised_gains": ("data", 60, "sensitive read_only idempotent"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""

_TRADES = {"contribution": "0", "sell": True, "whole_units": True, "min_trade": "0"}
DEFAULTS = {"portfolio": _TRADES, "ledger_portfolio": _TRADES, "realised_gains": {"method": "fifo"}}
"""By name: the arguments that have a value where a call gives none."""

CHOICES = {"realised_gains": {"method": ["fifo", "lifo", "average", "specific"]}}
"""By name: the arguments that take one of a few values, and these values."""


def test_the_plugin_keeps_the_contract() -> None:
    assert [problem for problem in check_plugin(plugin) if problem.severity != "note"] == []


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    assert declared(plugin.finclaw_tools()) == DECLARED


def test_every_argument_that_may_be_left_out_has_its_default() -> None:
    assert defaults(plugin.finclaw_tools()) == DEFAULTS


def test_every_argument_of_a_few_values_takes_these() -> None:
    assert choices(plugin.finclaw_tools()) == CHOICES


def test_listing_the_tools_imports_nothing_heavy() -> None:
    heavy = "{'sqlite3', 'finclaw_market', 'finclaw_ledger', 'finclaw_analytics'}"
    program = (
        "import sys; from finclaw_portfolio.plugin import finclaw_tools; finclaw_tools(); "
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
