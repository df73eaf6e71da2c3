"""The errors of the price store."""

from __future__ import annotations

from finclaw_cli.sdk import ToolError


class StoreProblem(Exception):
    """The price store cannot be used: it belongs to something else, is newer than we are, or is busy."""


class StoreUnusable(ToolError):
    """The same for a tool: nothing is known of any symbol, so it is no reason to leave out a single one."""
