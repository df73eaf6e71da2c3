"""The settings that a single run may be given, by a request or a line of a file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from finclaw_cli.settings.model import Declaration, declarations


@cache
def run_settings() -> Mapping[str, Declaration]:
    """The options of `finclaw run` that are not about a terminal, by their names."""
    return {name: each for name, each in declarations().items() if each.group is not None and not each.terminal}
