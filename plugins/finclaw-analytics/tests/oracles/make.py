"""Ask other libraries for the numbers in tests/golden.json; run by hand, in an environment of its own.

    python -m venv /tmp/oracles && /tmp/oracles/bin/pip install --group oracles     (pip 25.1 or newer)
    /tmp/oracles/bin/python tests/oracles/make.py

Each expected value stands beside the library and the version that gave it.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import about_rates
import about_returns
import about_roots
from series import bars, every

GOLDEN = Path(__file__).parents[1] / "golden.json"


def main() -> None:
    series = every()
    cases = [_named(case) for case in [*about_returns.cases(series), *about_rates.cases(), *about_roots.cases()]]
    stored = {name: bars(1, pairs) for name, pairs in series.items() if name in ("acme", "market")}
    parts = {
        "series": _lines({name: json.dumps(pairs) for name, pairs in series.items()}),
        "bars": _lines({name: json.dumps(rows) for name, rows in stored.items()}),
        "cases": "[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]",
    }
    GOLDEN.write_text(_lines(parts) + "\n", encoding="utf-8")


def _lines(parts: dict[str, str]) -> str:
    """An object with one line for each of its parts, so that a change shows as one."""
    return "{\n" + ",\n".join(f'"{name}": {text}' for name, text in parts.items()) + "\n}"


def _named(case: dict[str, Any]) -> dict[str, Any]:
    expect = {
        key: {"value": float(f"{float(value):.15g}"), "oracle": f"{oracle} {version(oracle)}"}
        for key, (oracle, value) in case["expect"].items()
    }
    return case | {"expect": expect}


if __name__ == "__main__":
    main()
