"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

from finclaw_cli.testing.declarations import choices, declared, defaults
from finclaw_paper.plugin import finclaw_tools

DECLARED = {
    "get_account": ("finance", 10, "sensitive read_only idempotent"),
    "get_positions": ("finance", 10, "sensitive read_only idempotent"),
    "list_orders": ("finance", 10, "sensitive read_only idempotent"),
    "preview_order": ("finance", 10, "sensitive read_only idempotent"),
    "place_order": ("finance", 30, "requires_approval transactional sensitive idempotent"),
    "cancel_order": ("finance", 15, "requires_approval transactional sensitive idempotent"),
    "reconcile": ("finance", 10, "sensitive read_only idempotent"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""

DEFAULTS = {
    "list_orders": {"status": "all"},
    "preview_order": {"type": "market", "tif": "day"},
    "place_order": {"type": "market", "tif": "day", "repeat": False},
}
"""By name: the arguments that have a value where a call gives none."""

CHOICES = {
    "list_orders": {"status": ["all", "open", "closed"]},
    "preview_order": {"side": ["buy", "sell"], "type": ["market", "limit"], "tif": ["day", "gtc"]},
    "place_order": {"side": ["buy", "sell"], "type": ["market", "limit"], "tif": ["day", "gtc"]},
}
"""By name: the arguments that take one of a few values, and these values."""


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    assert declared(finclaw_tools()) == DECLARED


def test_every_argument_that_may_be_left_out_has_its_default() -> None:
    assert defaults(finclaw_tools()) == DEFAULTS


def test_every_argument_of_a_few_values_takes_these() -> None:
    assert choices(finclaw_tools()) == CHOICES
