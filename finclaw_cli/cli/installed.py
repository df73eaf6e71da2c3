"""The installed plugins and tools, for listings and completion."""

from __future__ import annotations

from finclaw_cli.app.inventory import Inventory, take_inventory
from finclaw_cli.settings.load import load_settings


def installed(*, probes_untrusted: bool = True) -> Inventory:
    """The inventory of plugins, under the user's settings."""
    return take_inventory(load_settings().settings, probes_untrusted=probes_untrusted)


def tool_names() -> list[str]:
    """The names of the installed tools, as calls use them."""
    tools = installed().tools
    return [tools.shown_name(entry) for entry in tools.entries]
