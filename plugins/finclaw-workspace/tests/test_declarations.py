"""What each tool declares, which decides about approvals, masking, repeating and time limits."""

from __future__ import annotations

from finclaw_cli.testing.declarations import declared, defaults
from finclaw_workspace.plugin import finclaw_tools

DECLARED = {
    "read": ("system", 10, "read_only idempotent"),
    "write": ("system", 10, "requires_approval idempotent"),
    "edit": ("system", 10, "requires_approval"),
    "glob": ("system", 30, "read_only idempotent"),
    "grep": ("system", 60, "read_only idempotent"),
    "shell": ("system", 120, "requires_approval serial"),
}
"""By name: the group, the time limit in seconds, and the flags that are set."""

DEFAULTS = {
    "read": {"offset": 1, "limit": 2000},
    "edit": {"replace_all": False},
    "glob": {"path": "."},
    "grep": {"path": ".", "ignore_case": False, "limit": 100},
    "shell": {"timeout_s": 120},
}
"""By name: the arguments that have a value where a call gives none."""


def test_every_tool_declares_its_group_its_time_limit_and_its_flags() -> None:
    assert declared(finclaw_tools()) == DECLARED


def test_every_argument_that_may_be_left_out_has_its_default() -> None:
    assert defaults(finclaw_tools()) == DEFAULTS
