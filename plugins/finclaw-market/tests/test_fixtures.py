"""The public files that are kept beside the list of fixtures are read, marked and repaired as the list expects."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FIXTURES = Path(__file__).parents[1] / "fixtures"
FIELDS = {"file", "repository", "path", "commit", "licence", "options", "expected"}
KEPT = {"Apache-2.0", "BSD-3-Clause"}


def entries() -> list[dict[str, object]]:
    return [entry for path in FIXTURES.glob("*.json") for entry in json.loads(path.read_text(encoding="utf-8"))]


def test_each_entry_names_its_source_its_licence_and_what_is_expected() -> None:
    for entry in entries():
        assert set(entry) == FIELDS
        assert entry["licence"]
        assert entry["expected"]


def test_files_are_kept_only_where_their_licence_allows_it() -> None:
    licences = {str(entry["file"]): entry["licence"] for entry in entries()}
    kept = [str(path.relative_to(FIXTURES / "data")) for path in (FIXTURES / "data").rglob("*.csv")]
    assert kept
    assert {licences[name] for name in kept} <= KEPT


def test_the_kept_files_are_right_or_refused_and_each_error_is_marked() -> None:
    done = subprocess.run(
        [sys.executable, FIXTURES / "measure.py"], check=False, capture_output=True, text=True, timeout=60
    )
    summary = {line[7:]: int(line[:6]) for line in done.stdout.splitlines() if line[:6].strip().isdigit()}
    assert done.returncode == 0, done.stdout + done.stderr
    assert (summary["right"], summary["refused as expected"], summary["marked"], summary["clean"]) == (21, 2, 10, 1)
    assert summary["repaired alike"] == 8
