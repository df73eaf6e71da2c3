"""The table of bars for speed, measured here and now: `python -m tests.benchmarks`.

Each row is measured beside its yardstick, in turn and in the same run; its figure is the median of what the rounds say,
with the least and the most. A report: a bar that is missed changes no exit code.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from tests.benchmarks import crowd, in_process, one_turn, start_up, streaming, table
from tests.benchmarks.checkout import Checkout
from tests.benchmarks.rows import Outcome, Row, against, measure

ROWS = (*start_up.ROWS, *one_turn.ROWS, *streaming.ROWS, *in_process.ROWS, *crowd.ROWS)
ROUNDS = 7


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=(__doc__ or "").splitlines()[0])
    names = ", ".join(row.name for row in ROWS)
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[], help=f"some rows: {names}")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is measured (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="the same as data; - for stdout, without the table")
    parser.add_argument("--against", type=Path, metavar="PATH", help="this checkout beside another one, and no bars")
    asked = parser.parse_args(arguments)
    _check(asked, parser.error)
    return asked


def _check(asked: argparse.Namespace, refuse: Callable[[str], NoReturn]) -> None:
    if unknown := set(asked.only) - {row.name for row in ROWS}:
        refuse(f"no such row: {', '.join(sorted(unknown))}")
    if asked.rounds < 1:
        refuse("--rounds: at least one")
    if asked.against is not None and not (asked.against / "finclaw_cli" / "__main__.py").is_file():
        refuse(f"--against: {asked.against} is no checkout of finclaw")
    alone = [row.name for row in ROWS if row.name in asked.only and not row.compares]
    if asked.against is not None and alone:
        refuse(f"--against compares whole processes, and these are none: {', '.join(alone)}")


def measured(rows: Sequence[Row], once: Callable[[Row], Outcome]) -> tuple[list[Outcome], dict[str, str]]:
    """Each row's outcome, and of those that could not be measured why."""
    outcomes, failures = [], {}
    for row in rows:
        print(f"… {row.what}", file=sys.stderr, flush=True)
        try:
            outcomes.append(once(row))
        except Exception as error:  # noqa: BLE001 - one row that fails must not cost the others
            failures[row.name] = f"{type(error).__name__}: {error}"
    return outcomes, failures


def main(arguments: Sequence[str]) -> int:
    asked = parsed(arguments)
    rows = [row for row in ROWS if not asked.only or row.name in asked.only]
    this = Checkout()
    if asked.against is None:
        outcomes, failures = measured(rows, lambda row: measure(row, this, asked.rounds))
        form = table.WITH_BARS
    else:
        other = Checkout(root=asked.against.resolve())
        rows = [row for row in rows if row.compares]
        outcomes, failures = measured(rows, lambda row: against(row, this, other, asked.rounds))
        form = table.OF_TWO
    told = {
        **table.surroundings(asked.rounds),
        "rows": [form.data(outcome) for outcome in outcomes],
        "failed": failures,
    }
    if asked.json != Path("-"):
        print("\n".join(table.aligned([form.head, *map(form.line, outcomes)])))
    if asked.json is not None:
        _write(json.dumps(told, indent=2, ensure_ascii=False) + "\n", asked.json)
    for name, why in failures.items():
        print(f"{name} could not be measured: {why}", file=sys.stderr)
    return 1 if failures else 0


def _write(text: str, path: Path) -> None:
    if path == Path("-"):
        sys.stdout.write(text)
    else:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
