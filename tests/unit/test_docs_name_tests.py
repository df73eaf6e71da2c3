"""The pages that name the tests of their promises name tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")
PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if NAMED.search(path.read_text("utf-8")))


FILES = [path for pattern in ("tests/**/test_*.py", "plugins/*/tests/**/test_*.py") for path in ROOT.glob(pattern)]


def defined(file: str) -> set[str]:
    """The tests of the files of that name."""
    texts = (path.read_text("utf-8") for path in FILES if path.name == file)
    return {name for text in texts for name in re.findall(r"^ *(?:async )?def (test_\w+)\(", text, re.MULTILINE)}


def test_a_page_names_tests():
    assert ROOT / "docs/explanation/orders.md" in PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_that_a_page_names_exists(page: Path):
    named = NAMED.findall(page.read_text("utf-8"))
    assert [f"{file}::{name}" for file, name in named if name not in defined(file)] == []
