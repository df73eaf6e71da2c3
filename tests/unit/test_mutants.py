"""The sampler of mutants: what it draws, and how a mutant ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("cosmic_ray")
SAMPLER = Path(__file__).parents[2] / ".ci" / "mutants"
CALLS = """\
def all_of(found: list[int] | None = None) -> list[int]:
    found.append(1)
    await_it = len(found)
    return sorted(found)
"""
PROJECT = {
    "c/pyproject.toml": '[tool.pytest]\npythonpath = ["."]\n',
    "c/shop.py": "def price(pieces):\n    return pieces * 2 if pieces > 10 else pieces * 3\n",
    "c/test_shop.py": "from shop import price\n\ndef test_price():\n    assert price(2) == 6\n",
}


@pytest.fixture
def sampler(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    monkeypatch.syspath_prepend(str(SAMPLER))
    import checkout
    import choice
    import line_map
    import places
    import trial

    return SimpleNamespace(checkout=checkout, choice=choice, line_map=line_map, places=places, trial=trial)


@pytest.fixture
def shop(sampler: SimpleNamespace, tmp_path: Path) -> SimpleNamespace:
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    sampler.copy = sampler.checkout.Copy(tmp_path / "c", sys.executable)
    sampler.tests = sampler.choice.Choice([sampler.line_map.Test(".", "test_shop.py::test_price", 0.1)], 1)
    return sampler


def drawn(sampler: SimpleNamespace, source: str, operator: str) -> list[list[str]]:
    places = [place for place in sampler.places.places_of("x.py", source) if operator in place.operator]
    return [sampler.trial.changed_lines(sampler.places.mutated(place, source)) for place in places]


def ended(sampler: SimpleNamespace, operator: str) -> list[str]:
    path = sampler.copy.root / "shop.py"
    source = path.read_text()
    mutants = [
        sampler.places.mutated(place, source)
        for place in sampler.places.places_of("shop.py", source)
        if operator in place.operator
    ]
    verdicts = [sampler.trial.tried(sampler.copy, each, sampler.tests, limit_s=60).verdict for each in mutants]
    assert path.read_text() == source
    return verdicts


def test_a_call_that_is_a_statement_is_removed(sampler: SimpleNamespace) -> None:
    assert drawn(sampler, CALLS, "RemoveCall") == [["-    found.append(1)", "+    pass"]]


def test_an_awaited_call_is_removed(sampler: SimpleNamespace) -> None:
    source = "async def tell():\n    await emit(1)\n    await asked\n"
    assert drawn(sampler, source, "RemoveCall") == [["-    await emit(1)", "+    pass"]]


def test_annotations_are_no_places(sampler: SimpleNamespace) -> None:
    source = "def f(x: int | None = 1 | 2, *, y: a[1 | 2]) -> int | None:\n    z: int | str\n\nRow = int | None\n"
    found = [place for place in sampler.places.places_of("x.py", source) if "BitOr_BitAnd" in place.operator]
    assert [(place.line, place.column) for place in found] == [(1, source.index("1 | 2") + 2)]


def test_what_separates_parameters_is_no_operator(sampler: SimpleNamespace) -> None:
    source = "def f(a, /, b, *, c):\n    return a * b / c\n"
    mutants = [sampler.places.mutated(place, source) for place in sampler.places.places_of("x.py", source)]
    assert {mutant.place.line for mutant in mutants if mutant is not None} == {2}


def test_a_mutant_that_a_test_sees_is_caught(shop: SimpleNamespace) -> None:
    assert ended(shop, "Gt_LtE") == ["caught"]


def test_a_mutant_that_no_test_sees_survives(shop: SimpleNamespace) -> None:
    assert ended(shop, "Gt_GtE") == ["survived"]


def test_a_seed_gives_the_same_mutants_again() -> None:
    command = [
        sys.executable,
        str(SAMPLER),
        "--list",
        "--seed",
        "7",
        "--count",
        "3",
        "--only",
        "finclaw_cli/engine/lanes.py",
    ]
    first, again = (subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2))
    assert first == again
    assert first.count("finclaw_cli/engine/lanes.py:") == 3
