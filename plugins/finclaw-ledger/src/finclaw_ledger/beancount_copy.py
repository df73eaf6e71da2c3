"""A beancount file as it was on a day: a copy without the directives of later days.

A query cannot leave those out by itself: a padding takes its amount from a later balance, a valuation takes the latest
price, an account has the day it is closed on. So the text is shortened before the program reads it, line by line: the
numbers of the lines stay the same.
"""

from __future__ import annotations

import glob
import re
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from finclaw_cli.sdk import no_data

# A directive begins at the left margin with a date or with one of these words; other lines belong to the one before.
_DATED = re.compile(r"([0-9]{4})[-/]([0-9]{1,2})[-/]([0-9]{1,2})(?![0-9])")
_UNDATED = re.compile(r"(?:option|plugin|include|pushtag|poptag|pushmeta|popmeta)\b")
_INCLUDE = re.compile(r'include\s+"([^"]*)"')
# Both are relative to the place of the file; the second one is given to the program by `LedgerCopy.modules`.
_OF_PLACE = re.compile(r'option\s+"(documents|insert_pythonpath)"')
_ENCRYPTED = frozenset({".gpg", ".asc"})
_MAX_BYTES = 50_000_000
_MAX_FILES = 2_000


@dataclass(slots=True)
class LedgerCopy:
    """The file that `bean-query` reads: the original, or a copy."""

    path: Path
    names: dict[str, str] = field(default_factory=dict)
    """The copies, by their names, and the files that they are of."""
    folder: str = ""
    """Where the copies are."""
    modules: Path | None = None
    """The folder of the file's own plugins, where its options name it."""
    is_whole: bool = True
    """Whether nothing was left out, so that the file itself can be read."""
    has_encrypted: bool = False
    """Whether an included file is encrypted, so that it cannot be shortened."""

    def original(self, text: str) -> str:
        """The text with the names of the files in place of those of their copies."""
        if not self.folder or self.folder not in text:
            return text
        copies = re.compile(rf"{re.escape(self.folder)}/([0-9]+\.beancount)")
        return copies.sub(lambda found: self.names.get(found[1], found[0]), text)


def copy_as_of(path: Path, cap: date, folder: Path) -> LedgerCopy:
    """Copy a beancount file and what it includes into an empty folder, up to a day.

    Raises:
        ToolError: NOT_CONFIGURED: a file cannot be read, or there are too many.
    """
    copier = _Copier(cap, folder)
    found = copier.found
    found.path = copier.copy(path.resolve())
    return LedgerCopy(path=path, has_encrypted=found.has_encrypted) if found.is_whole else found


class _Copier:
    def __init__(self, cap: date, folder: Path) -> None:
        self.found = LedgerCopy(path=folder, folder=str(folder))
        self._cap = cap
        self._folder = folder
        self._seen: set[Path] = set()
        self._size = 0

    def copy(self, file: Path) -> Path:
        self._seen.add(file)
        copy = self._folder / f"{len(self._seen)}.beancount"
        self.found.names[copy.name] = str(file)
        included: list[str] = []
        lines = [self._line(line, file, included) for line in self._kept(self._read(file).split("\n"))]
        copy.write_text("\n".join([*lines, *included, ""]), encoding="utf-8", errors="surrogateescape")
        return copy

    def _read(self, file: Path) -> str:
        try:
            self._size += file.stat().st_size
            if self._size > _MAX_BYTES or len(self._seen) > _MAX_FILES:
                raise no_data(f"the beancount file has more than {_MAX_BYTES:,} bytes or {_MAX_FILES:,} files")
            return file.read_text(encoding="utf-8", errors="surrogateescape")
        except OSError as error:
            raise no_data(f"{file.name} cannot be read: {error.strerror}", code="NOT_CONFIGURED") from None

    def _kept(self, lines: list[str]) -> list[str]:
        kept, keeps = [], True
        for line in lines:
            dated = _DATED.match(line)
            if dated is not None:
                keeps = not self._is_later(dated)
            elif _UNDATED.match(line):
                keeps = True
            self.found.is_whole = self.found.is_whole and keeps
            kept.append(line if keeps else "")
        return kept

    def _is_later(self, dated: re.Match[str]) -> bool:
        try:
            return date(int(dated[1]), int(dated[2]), int(dated[3])) > self._cap
        except ValueError:
            return False  # no date; beancount reports it

    def _line(self, line: str, file: Path, included: list[str]) -> str:
        """A line as the copy has it: includes name copies; what hangs on the place of the file is left out."""
        option = _OF_PLACE.match(line)
        if option is not None:
            if option[1] == "insert_pythonpath":
                self.found.modules = file.parent
            return ""
        wanted = _INCLUDE.match(line)
        if wanted is None:
            return line
        pattern = str(file.parent / wanted[1])
        matches = [Path(match).resolve() for match in _matching(pattern)]
        if not matches:
            return f'include "{pattern}"'
        included += [f'include "{self._included(match)}"' for match in matches if match not in self._seen]
        return ""

    def _included(self, file: Path) -> Path:
        if file.suffix in _ENCRYPTED:
            self.found.has_encrypted = True
            return file
        return self.copy(file)


def _matching(pattern: str) -> list[str]:
    # As beancount looks for them: the pattern may be absolute, and may lead upwards.
    return sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207
