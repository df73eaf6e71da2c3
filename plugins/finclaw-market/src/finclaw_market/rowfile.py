"""A file of rows, whatever it is written in: text with a delimiter, or Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from finclaw_cli.sdk.tabular import Row, open_text, regular_stamp
from finclaw_market.parquet import MAGIC, look_at_parquet


class RowFile(Protocol):
    """A file that has been looked at."""

    @property
    def name(self) -> str: ...

    @property
    def sha256(self) -> str: ...

    @property
    def delimiter(self) -> str: ...

    @property
    def header(self) -> tuple[str, ...]: ...

    def rows(self) -> Iterator[Row]:
        """The rows after the header with the number of their line.

        Raises:
            FileProblem: the file is damaged, or changed since it was looked at.
        """
        ...


def look_at_file(path: Path, encoding: str | None = None) -> RowFile:
    """Find out how a file must be read.

    Raises:
        FileProblem: it cannot be.
        OSError: it cannot be opened.
    """
    regular_stamp(path)
    with path.open("rb") as stream:
        is_parquet = stream.read(len(MAGIC)) == MAGIC
    return look_at_parquet(path) if is_parquet else open_text(path, encoding)
