"""Draw random mutants of finclaw and its plugins, and run the tests that should see them.

    python .ci/mutants --seed 1 --count 100
    python .ci/mutants --only finclaw_cli/engine plugins/finclaw-paper/src --json mutants.json

A mutant that survives is printed with its line: either it computes the same as before, or a test is missing.
Which tests run which line is recorded at the first run, and kept in the folder of --map.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Any

HERE = Path(__file__).parent
SHARE = 0.6
"""Of the time limit, what the chosen tests may take when they pass."""


def _options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python .ci/mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="the same seed and sources give the same mutants")
    parser.add_argument("--count", type=int, default=100, help="how many are drawn")
    parser.add_argument("--jobs", type=int, default=2, help="how many run side by side, each in a copy of its own")
    parser.add_argument("--only", nargs="+", default=[], metavar="PATH", help="files or folders to mutate")
    parser.add_argument("--operator", default="", help="only operators whose name contains this")
    parser.add_argument("--time-limit", type=float, default=60, metavar="S", help="seconds for the tests of a mutant")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results; those it has are not run again")
    parser.add_argument("--again", action="store_true", help="run what no test has seen, in FILE, once more")
    parser.add_argument("--map", type=Path, default=Path(tempfile.gettempdir()) / "finclaw-mutants", metavar="FOLDER")
    parser.add_argument("--tests", nargs="+", default=[], metavar="PREFIX", help="use only tests whose path begins so")
    parser.add_argument("--list", action="store_true", help="print the mutants, and run nothing")
    return parser.parse_args(arguments)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _chosen_paths(only: Sequence[str], paths: Sequence[str]) -> list[str]:
    from checkout import ROOT

    wanted = [str(Path(one).resolve().relative_to(ROOT)) for one in only]
    found = [path for path in paths if not wanted or any(Path(path).is_relative_to(one) for one in wanted)]
    if not found:
        sys.exit("mutants: --only names no module of finclaw or its plugins")
    return found


class Results:
    """The results as they come: printed, and kept in a file."""

    def __init__(self, path: Path | None, state: str, *, again: bool) -> None:
        self._path = path
        self._state = state
        self._lock = Lock()
        kept = json.loads(path.read_text("utf-8")) if path is not None and path.exists() else {}
        found = kept["mutants"] if kept.get("sources") == state else []
        self.kept: list[dict[str, Any]] = [one for one in found if not again or one["verdict"] == "caught"]

    def has(self, place: object) -> bool:
        """Whether a place was run before."""
        return any(vars(place) == one["place"] for one in self.kept)

    def add(self, mutant: Any, outcome: Any) -> None:
        """Keep one result, and print it where no test has seen the mutant."""
        from trial import CAUGHT, changed_lines

        lines = changed_lines(mutant)
        entry = {"place": vars(mutant.place), "diff": lines, **vars(outcome)}
        with self._lock:
            self.kept.append(entry)
            if self._path is not None:
                self._path.write_text(json.dumps({"sources": self._state, "mutants": self.kept}, indent=1), "utf-8")
            if outcome.verdict != CAUGHT:
                print(described(entry), flush=True)


def described(entry: dict[str, Any]) -> str:
    """A mutant and how it ended, for a reader who judges it."""
    place = entry["place"]
    head = f"{place['path']}:{place['line']}  {place['operator']} #{place['occurrence']}"
    ended = (
        f"  {entry['verdict']} ({entry['tests']} of {entry['of']} tests, {entry['seconds']} s)"
        if "verdict" in entry
        else ""
    )
    return "\n".join([head + ended, *entry["diff"], ""])


def _run(mutants: Sequence[Any], options: argparse.Namespace, known: Any, results: Results) -> None:
    from checkout import ROOT, copied
    from choice import choices
    from trial import tried

    with tempfile.TemporaryDirectory(prefix="mut", ignore_cleanup_errors=True) as folder:
        copies: SimpleQueue[Any] = SimpleQueue()
        made = [copied(Path(folder) / str(number)) for number in range(options.jobs)]
        known.record(made, _say)
        for copy in made:
            copies.put(copy)
        chosen = choices(ROOT, [mutant.place for mutant in mutants], known, limit_s=options.time_limit * SHARE)

        def run(mutant: Any) -> None:
            copy = copies.get()
            try:
                results.add(mutant, tried(copy, mutant, chosen[mutant.place], limit_s=options.time_limit))
            finally:
                copies.put(copy)

        pool = ThreadPoolExecutor(options.jobs)
        try:
            for done in [pool.submit(run, mutant) for mutant in mutants]:
                done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _mutants(options: argparse.Namespace, paths: Sequence[str], say: Callable[[str], None]) -> list[Any]:
    from checkout import ROOT
    from places import drawn

    chosen = _chosen_paths(options.only, paths)
    return drawn(ROOT, chosen, seed=options.seed, count=options.count, operator=options.operator, say=say)


def main() -> None:
    """Draw, run, and print what survives."""
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the copies are removed
    try:
        import cosmic_ray.plugins  # noqa: F401
    except ImportError:
        sys.exit("mutants: cosmic-ray is missing: pip install -e '.[mutants]'")
    from line_map import LineMap
    from trial import changed_lines

    known = LineMap(options.map, options.tests)
    mutants = _mutants(options, known.sources, _say)
    if options.list:
        for mutant in mutants:
            print(described({"place": vars(mutant.place), "diff": changed_lines(mutant)}))
        return
    results = Results(options.json, known.state, again=options.again)
    _run([mutant for mutant in mutants if not results.has(mutant.place)], options, known, results)
    counts = Counter(one["verdict"] for one in results.kept)
    print(", ".join(f"{verdict}: {count}" for verdict, count in sorted(counts.items())))


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    main()
