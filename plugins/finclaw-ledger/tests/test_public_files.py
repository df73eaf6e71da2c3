"""The public files that are kept here; `.ci/fixtures.py` does the same with those of other licences."""

from __future__ import annotations

import hashlib

import pytest
from public_files import FOLDER, PublicFile, Run, public_files, verdict

KEPT = [file for file in public_files() if file.kept]


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.place)
def test_a_public_file_is_read_whole_or_refused_for_its_reason(file: PublicFile, run: Run) -> None:
    found, got = verdict(file, FOLDER / "files", run)
    assert (found, got) == ("refused" if file.refused else "right", got if file.refused else file.expected)


def test_the_files_are_those_of_the_list() -> None:
    kept = {
        path.relative_to(FOLDER / "files").as_posix(): path for path in (FOLDER / "files").rglob("*") if path.is_file()
    }
    assert kept.keys() == {file.place for file in KEPT}
    assert {file.sha256 for file in KEPT} == {hashlib.sha256(path.read_bytes()).hexdigest() for path in kept.values()}
