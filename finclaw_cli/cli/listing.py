"""What listings print as JSON."""

from __future__ import annotations

import json

from finclaw_cli.core.json_text import dump_line, jsonable
from finclaw_cli.output.console import echo


def print_json(value: object) -> None:
    """Print a value as JSON."""
    echo(json.dumps(jsonable(value), indent=2, ensure_ascii=True, allow_nan=False))


def print_facts(value: object, output: str) -> None:
    """Print a value as JSON, on one line for `ndjson`."""
    if output == "ndjson":
        echo(dump_line(jsonable(value)))
    else:
        print_json(value)
