"""Importing one plugin in a process of its own and writing what it offers.

    python -P -m finclaw_cli.plugin_host.probe MODULE[:ATTRIBUTE]

A plugin that raises, exits, prints, hangs or crashes while it is imported does so in this process alone. The report is
one JSON object on the original stdout; output of the plugin goes to stderr.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict

from finclaw_cli.core.errors import FinclawError
from finclaw_cli.plugin_host.conformance.author_line import described
from finclaw_cli.plugin_host.entry_points import loaded
from finclaw_cli.plugin_host.offers import offers_of
from finclaw_cli.plugin_host.supervised import supervised


def main() -> None:
    """Probe the plugin named on the command line."""
    report_to = os.dup(1)
    os.dup2(2, 1)
    with os.fdopen(report_to, "w", encoding="utf-8") as report, ThreadPoolExecutor(1) as thread:
        json.dump(thread.submit(_probe, sys.argv[1]).result(), report)  # in a thread, where a run loads tools, too


def _probe(target: str) -> dict[str, object]:
    try:
        plugin = loaded(target)
        return asdict(offers_of(plugin))
    except FinclawError as error:
        return {"error": error.message}  # ours, and so clear without a traceback
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin may raise anything
        return {"error": described(error)[:500], "traceback": traceback.format_exc()}


if __name__ == "__main__":
    supervised(main)
