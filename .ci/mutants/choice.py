"""The tests for a mutant: those that run its line, nearest first."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from checkout import ROOT
from line_map import LineMap, Test
from places import Place

MOST = 600
FAR = 2
NEAR_A_FILE = 4
"""Tests of one file that are taken before those of the next."""


@dataclass(frozen=True)
class Choice:
    """Tests to run, in this order, and how many there are in all."""

    tests: Sequence[Test]
    all: int


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _body_lines(node: ast.AST) -> set[int]:
    """The lines that run when the functions within are called."""
    lines: set[int] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            lines.update(range(each.body[0].lineno, (each.end_lineno or each.lineno) + 1))
    return lines


def lines_of(root: Path, place: Place) -> list[set[int]]:
    """The lines whose tests are looked for: the place itself; failing that, its statement, and what is around it.

    What runs when a module is imported is of no test; the functions next to it stand in for it.
    """
    tree = _tree(root / place.path)
    around = [node for node in ast.walk(tree) if _holds(node, place.line)]
    statements = [node for node in around if isinstance(node, ast.stmt | ast.ExceptHandler)]
    functions = [node for node in statements if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    in_body = [node for node in functions if node.body[0].lineno <= place.line]
    inner = sorted(statements, key=lambda node: node.end_lineno - node.lineno)  # type: ignore[operator]
    outer = [_body_lines(node) for node in (*inner, tree)]
    own = [{place.line}, *({node.lineno} for node in inner[:1])] if in_body else []
    return [lines for lines in (*own, *outer) if lines]


def _holds(node: ast.AST, line: int) -> bool:
    return hasattr(node, "lineno") and node.lineno <= line <= (getattr(node, "end_lineno", None) or 0)


@cache
def _text(project: str, file: str) -> str:
    path = ROOT / project / file
    return path.read_text("utf-8") if path.exists() else ""


def nearness(place: Place, test: Test) -> int:
    """How far a test is from a module, by the names of both, and by what its file imports."""
    path = Path(place.path)
    words = test.file.lower()
    if path.stem in words or f"{path.parent.name}.{path.stem} " in _text(test.project, test.file):
        return 0
    if path.parent.name.removeprefix("finclaw_") in words or place.path.split("/")[1] in test.project:
        return 1
    return FAR


def ordered(place: Place, tests: Iterable[Test]) -> list[Test]:
    """Sort them: near files and fast tests first, and not all tests of one file before the next."""
    seen: Counter[str] = Counter()
    ranked = []
    for test in sorted(tests, key=lambda test: (test.seconds, test.id)):
        ranked.append((nearness(place, test), seen[test.file] // NEAR_A_FILE, test.seconds, test.id, test))
        seen[test.file] += 1
    return [each[-1] for each in sorted(ranked, key=lambda each: each[:-1])]


def choices(root: Path, places: Iterable[Place], known: LineMap, *, limit_s: float) -> Mapping[Place, Choice]:
    """Choose tests for each place that take no longer than the limit."""
    groups = {place: lines_of(root, place) for place in places}
    wanted = {(place.path, line) for place, found in groups.items() for lines in found for line in lines}
    tests_of = known.tests_of(wanted)
    chosen: dict[Place, Choice] = {}
    for place, found in groups.items():
        tests: set[Test] = set()
        for lines in found:
            tests = {test for line in lines for test in tests_of.get((place.path, line), ())}
            if tests:
                break
        chosen[place] = _within(ordered(place, tests or _near(place, known)), limit_s)
    return chosen


def _near(place: Place, known: LineMap) -> list[Test]:
    """For a module without functions: the tests that are near by their names."""
    return [test for test in known.tests() if nearness(place, test) < FAR]


def _within(tests: Sequence[Test], limit_s: float) -> Choice:
    taken: list[Test] = []
    seconds = 0.0
    for test in tests:
        if seconds + test.seconds <= limit_s and len(taken) < MOST:
            seconds += test.seconds
            taken.append(test)
    return Choice(taken, len(tests))
