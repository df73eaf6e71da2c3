"""Links of all documents, those outside the site too, lead to a file or a heading; each page is in the navigation."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, name_of

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!`)\[[^\]\n]*(?:\n[^\]\n]*)?\]\(([^)\s]+)\)")


def documents() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in sorted(set(listed.stdout.splitlines())) if (ROOT / name).is_file()]


def prose(page: Path) -> str:
    return FENCED.sub("", page.read_text("utf-8"))


def anchors(page: Path) -> set[str]:
    """The anchors of the headings, as GitHub and the site make them."""
    titles = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def broken(page: Path) -> Iterator[str]:
    for target in LINK.findall(prose(page)):
        path, _, anchor = target.partition("#")
        if target.startswith(("https://", "http://")):
            continue
        aim = (page.parent / path).resolve() if path else page
        if not aim.exists() or (anchor and anchor not in anchors(aim)):
            yield target


@pytest.mark.parametrize("page", documents(), ids=name_of)
def test_each_link_leads_somewhere(page: Path):
    assert list(broken(page)) == []


def test_a_broken_link_is_found(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text(
        "# A title\n\n[one](#a-title) [two](#none) [three](none.md) [four](page.md#a-title) `[five](six)`\n"
    )
    assert list(broken(page)) == ["#none", "none.md"]


def in_navigation(part: object) -> Iterator[str]:
    match part:
        case str(path):
            yield path
        case dict(titles):
            yield from (path for below in titles.values() for path in in_navigation(below))
        case list(parts):
            yield from (path for below in parts for path in in_navigation(below))


def test_each_page_is_in_the_navigation_and_the_index():
    settings = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    listed = list(in_navigation(settings["project"]["nav"]))
    assert sorted(listed) == sorted(pages)
    assert set(LINK.findall(prose(ROOT / "docs" / "index.md"))) == pages - {"index.md"}


@pytest.mark.parametrize("page", documents(), ids=name_of)
def test_a_list_follows_an_empty_line(page: Path):
    """Markdown without it is a list for GitHub, and text for the site."""
    lines = prose(page).splitlines()
    item = re.compile(r"^(?:- |\d+\. )")
    assert [
        line
        for before, line in pairwise(lines)
        if item.match(line) and before and not re.match(r"^(?:- |\d+\. | )", before)
    ] == []


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 200
