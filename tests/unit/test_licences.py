"""The check of licences, on distributions that are made for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "licences.py"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    install(tmp_path, "acme", "License-Expression: MIT", "Requires-Dist: below", "Requires-Dist: books; extra == 'x'")
    install(tmp_path, "below", "Classifier: License :: OSI Approved :: BSD License")
    return tmp_path


def install(site: Path, name: str, *lines: str, file: str = "") -> None:
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("\n".join(["Metadata-Version: 2.4", f"Name: {name}", "Version: 1.0", *lines, ""]))
    (info / "LICENSE").write_text(file)
    (info / "RECORD").write_text(f"{info.name}/METADATA,,\n{info.name}/LICENSE,,\n")


def check(site: Path, *roots: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run([sys.executable, SCRIPT, *roots], env=env, capture_output=True, text=True, check=False)


def test_what_is_needed_is_listed_with_its_licence(site: Path) -> None:
    listed = check(site, "acme")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert [line.split() for line in listed.stdout.splitlines()] == [
        ["acme", "1.0", "MIT", "acme"],
        ["below", "1.0", "BSD", "acme"],
    ]


@pytest.mark.parametrize(
    ("line", "file", "licence"),
    [
        ("License-Expression: MIT OR GPL-2.0-only", "", "MIT OR GPL-2.0-only"),
        ("Classifier: License :: OSI Approved :: Apache Software License", "", "Apache-2.0"),
        ("License: ISC license", "", "ISC"),
        ("Keywords: none", "Apache License\nVersion 2.0", "Apache-2.0"),
    ],
)
def test_a_licence_is_found_in(site: Path, line: str, file: str, licence: str) -> None:
    install(site, "below", line, file=file)
    listed = check(site, "acme")
    assert listed.returncode == 0, listed.stderr
    assert licence in listed.stdout.splitlines()[1]


@pytest.mark.parametrize("line", ["Keywords: none", "License: as is", "License-Expression: LicenseRef-Acme AND MIT"])
def test_a_licence_that_is_not_known_fails(site: Path, line: str) -> None:
    install(site, "below", line)
    listed = check(site, "acme")
    assert listed.returncode == 1
    assert listed.stderr.startswith("below: its licence ")


@pytest.mark.parametrize(
    "line",
    [
        "License-Expression: GPL-3.0-or-later",
        "License-Expression: MIT AND LGPL-2.1-only",
        "License-Expression: (MIT OR Apache-2.0) AND GPL-2.0-only",
        "Classifier: License :: OSI Approved :: GNU Affero General Public License v3",
        "License: GNU GENERAL PUBLIC LICENSE",
    ],
)
def test_the_gpl_and_its_relatives_fail(site: Path, line: str) -> None:
    install(site, "below", line)
    listed = check(site, "acme")
    assert listed.returncode == 1
    assert "is not allowed in acme" in listed.stderr


def test_an_extra_is_followed_where_it_is_named(site: Path) -> None:
    install(site, "books", "License-Expression: GPL-2.0-only")
    assert check(site, "acme").returncode == 0
    assert check(site, "acme[x]").stderr == "books: GPL-2.0-only is not allowed in acme[x]\n"


def test_what_is_not_installed_fails(site: Path) -> None:
    assert check(site, "acme[x]").stderr == "books is not installed\n"
