"""Holding a plugin or a provider against finclaw's contract, as `finclaw tools check` does."""

from __future__ import annotations

from finclaw_cli.plugin_host.conformance.problem import Problem, Severity
from finclaw_cli.plugin_host.contract import check_plugin, check_provider

__all__ = ["Problem", "Severity", "check_plugin", "check_provider"]
