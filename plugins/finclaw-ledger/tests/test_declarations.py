"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

from finclaw_cli.testing.declarations import choices, declared, defaults
from finclaw_ledger.plugin import finclaw_tools

DECLARED = {
    "ledger_accounts": ("data", 20, "sensitive read_only idempotent"),
    "ledger_balance": ("data", 20, "sensitive read_only idempotent"),
    "ledger_transactions": ("data", 20, "sensitive read_only idempotent"),
    "spending": ("data", 20, "sensitive read_only idempotent"),
    "income_statement": ("data", 20, "sensitive read_only idempotent"),
    "budget": ("data", 20, "sensitive read_only idempotent"),
    "holdings": ("data", 20, "sensitive read_only idempotent"),
    "ledger_query": ("data", 20, "sensitive read_only idempotent"),
    "import_statement": ("data", 60, "requires_approval sensitive idempotent serial"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""

DEFAULTS = {
    "ledger_transactions": {"limit": 50},
    "spending": {"by": "category"},
    "import_statement": {"dry_run": True},
}
"""By name: the arguments that have a value where a call gives none."""

CHOICES = {
    "spending": {"by": ["category", "payee", "month"]},
    "import_statement": {"sign": ["money-out-negative", "money-out-positive"]},
}
"""By name: the arguments that take one of a few values, and these values."""


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    assert declared(finclaw_tools()) == DECLARED


def test_every_argument_that_may_be_left_out_has_its_default() -> None:
    assert defaults(finclaw_tools()) == DEFAULTS


def test_every_argument_of_a_few_values_takes_these() -> None:
    assert choices(finclaw_tools()) == CHOICES
