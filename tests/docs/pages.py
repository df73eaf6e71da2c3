"""The fenced blocks of README and the documents, in the order in which they stand there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(
    r'^(?:<!-- (?P<mark>[^\n]*) -->\n)?```(?P<language>\w*)(?: title="(?P<title>[^"\n]+)")?\n(?P<text>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
NEEDS_A_KEY = "needs a key"


@dataclass(frozen=True)
class Block:
    """A fenced block; `title` is the name of its file."""

    mark: str | None
    language: str
    title: str | None
    text: str

    @property
    def needs_a_key(self) -> bool:
        return self.mark == NEEDS_A_KEY

    @property
    def steps(self) -> list[Step]:
        """The commands of a console block; lines that begin with `> ` continue one."""
        steps = []
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            first, *rest = part.splitlines()
            more = [line[2:] for line in rest if line.startswith("> ")]
            printed = [line for line in rest if not line.startswith("> ")]
            steps.append(Step("\n".join([first, *more]), "\n".join(printed)))
        return steps


@dataclass(frozen=True)
class Step:
    """A command, and what it prints; `…` stands for anything."""

    command: str
    expected: str

    def is_printed(self, output: str) -> bool:
        pattern = re.escape(self.expected.strip()).replace("…", ".*").replace(r"\ .*\ ", r"\s.*\s")
        return not self.expected or re.fullmatch(pattern, output.strip(), re.DOTALL) is not None


def pages() -> list[Path]:
    """README, CONTRIBUTING and all documents."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(page: Path) -> str:
    """The path of a page, as it is shown in the names of tests."""
    return page.relative_to(ROOT).as_posix()


def blocks_of(page: Path) -> list[Block]:
    return [Block(**found.groupdict()) for found in BLOCK.finditer(page.read_text("utf-8"))]


def files_of(page: Path) -> dict[str, str]:
    """The files that a page shows, by their names."""
    return {block.title: block.text for block in blocks_of(page) if block.title is not None}
