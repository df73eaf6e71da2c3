"""No pattern over text from outside takes time that grows faster than the text."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from finclaw_cli.core.tool import ToolDefinition
from finclaw_cli.numbers.check import AnswerCheck
from finclaw_cli.testing.growth import MOST, growth
from finclaw_cli.tools.guard import Guard, GuardSettings
from tests.growth.pattern_pumps import repeats_group, slow_texts

ROOT = Path(__file__).parents[2]
METHODS = {"search", "finditer", "findall", "sub", "subn", "split", "match", "fullmatch"}
THROUGH_THE_GUARD = "finclaw_cli.masking"
"""Its patterns are run on pieces that other code cuts out: they are tested through the guard."""


@dataclass(frozen=True)
class Used:
    """A pattern, and the methods that its module calls of it."""

    module: str
    pattern: re.Pattern[str] | re.Pattern[bytes]
    methods: frozenset[str]


def sources(*, without: str = THROUGH_THE_GUARD) -> Iterator[tuple[str, Path]]:
    """The modules of finclaw and of its plugins, but for those of a package."""
    for folder in (ROOT, *sorted(ROOT.glob("plugins/*/src"))):
        for package in (ROOT / "finclaw_cli",) if folder == ROOT else sorted(folder.glob("finclaw_*")):
            for path in sorted(package.rglob("*.py")):
                name = ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
                if not name.endswith("__main__") and not name.startswith(without):
                    yield name, path


def used(name: str, path: Path) -> Iterator[Used]:
    """The patterns that a module holds, or compiles in its functions."""
    module, called = importlib.import_module(name), dict[str, set[str]]()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Attribute) or node.attr not in METHODS:
            continue
        owner = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
        called.setdefault(owner, set()).add(node.attr)
    for attribute, value in vars(module).items():
        for pattern in _patterns(value):
            yield Used(name, pattern, frozenset(called.get(attribute, METHODS & {"search", "fullmatch"})))
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=method), args=[ast.Constant(value=str(text)), *_]
            ) if method in METHODS:
                yield Used(name, re.compile(text, re.MULTILINE), frozenset({method}))
            case _:
                pass


def _patterns(value: object) -> Iterable[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _patterns(item)


@pytest.fixture(scope="module")
def plugins_on_the_path() -> Iterator[None]:
    before = list(sys.path)
    sys.path[:0] = [str(folder) for folder in ROOT.glob("plugins/*/src")]
    yield
    sys.path[:] = before


@pytest.fixture(scope="module")
def every_pattern(plugins_on_the_path: None) -> list[Used]:
    return [each for name, path in sources() for each in used(name, path)]


@pytest.mark.usefixtures("plugins_on_the_path")
def test_no_pattern_repeats_a_group_possessively():
    """Python before 3.11.5 keeps what the last, incomplete repetition has matched (gh-106052)."""
    patterns = [each for name, path in sources(without="-") for each in used(name, path)]
    assert len(patterns) > 150
    assert [f"{each.module}: {each.pattern.pattern!r}" for each in patterns if repeats_group(each.pattern)] == []


@pytest.mark.parametrize(("regex", "does"), [(r"(?:a|b(?!c))*+", True), (r"x(?>[ab]++(?:cd)*)[^e]?+.*+", False)])
def test_a_group_that_is_repeated_possessively_is_found(regex: str, does: bool):
    assert repeats_group(re.compile(regex)) == does


def test_no_pattern_backtracks_through_the_whole_text(every_pattern: list[Used]):
    assert len(every_pattern) > 100
    slow = {
        f"{each.module}: {each.pattern.pattern!r}": found
        for each in every_pattern
        if (found := next(slow_texts(each.pattern, each.methods), None))
    }
    assert slow == {}


@pytest.mark.parametrize("regex", [r"^\s*([A-Z]+):", r"(a+)+$", r"\S+@\S+"])
def test_a_pattern_that_backtracks_is_found(regex: str):
    assert next(slow_texts(re.compile(regex, re.MULTILINE), {"search"}), None) is not None


@pytest.mark.parametrize("regex", [r"\s+", r"\b[a-z]++\.", r"^[ \t]*+x", r'"[^"]*"|\w'])
def test_a_pattern_that_does_not_is_not(regex: str):
    assert list(slow_texts(re.compile(regex, re.MULTILINE), {"findall"})) == []


async def nothing(given: object, context: object) -> None: ...


TOOL = ToolDefinition(name="t", description="x", input_schema={"type": "object"}, handler=nothing, sensitive=True)
PIECES = [
    "-",
    "a",
    "1",
    " ",
    '"',
    ".",
    "_",
    "/",
    "@",
    "1,",
    "1.",
    "가",
    "=",
    "<",
    "ach",
    "card ",
    "sk-",
    "eyJ",
    "key: ",
]
GUARDED = ["{}", '{{"{}": "123456789"}}', "{}: 123456789", '[{{"a":"{}"}}]', "x,{}\n1,2\n"]


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("shape", GUARDED)
def test_what_a_tool_gives_is_masked_in_time_proportional_to_its_length(shape: str, piece: str):
    guard = Guard(replace(GuardSettings(), max_chars=10_000_000))

    def prepare(length: int) -> Callable[[], object]:
        text = shape.format(piece * (length // len(piece)))
        return lambda: guard.result(text, TOOL)

    assert growth(prepare, 5_000, least_s=0.01) < MOST


@pytest.mark.parametrize("piece", ["1.", "1/", "a@", "1-", "12 ", "$1 ", "Q1 ", "2020-"])
def test_the_figures_of_an_answer_are_found_in_time_proportional_to_its_length(piece: str):
    def prepare(length: int) -> Callable[[], object]:
        return lambda: AnswerCheck(piece * (length // len(piece)), [], [])

    assert growth(prepare, 5_000, least_s=0.02) < MOST
