"""Helpers that listings and completion share."""

from __future__ import annotations

import json

from finclaw_cli.app.inventory import Inventory, take_inventory
from finclaw_cli.core.json_text import dump_line, jsonable
from finclaw_cli.output.console import echo
from finclaw_cli.settings.load import load_settings


def installed(*, probes_untrusted: bool = True) -> Inventory:
    """The inventory of plugins, under the user's settings."""
    return take_inventory(load_settings().settings, probes_untrusted=probes_untrusted)


def tool_names() -> list[str]:
    """The names of the installed tools, as calls use them."""
    tools = installed().tools
    return [tools.shown_name(entry) for entry in tools.entries]


def print_json(value: object) -> None:
    """Print a value as JSON."""
    echo(json.dumps(jsonable(value), indent=2, ensure_ascii=True, allow_nan=False))


def print_facts(value: object, output: str) -> None:
    """Print a value as JSON, on one line for `ndjson`."""
    if output == "ndjson":
        echo(dump_line(jsonable(value)))
    else:
        print_json(value)
