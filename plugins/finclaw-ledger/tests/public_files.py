"""Public files of other projects: what each should give, read from the file itself, and what the import gives."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "fixtures"
Run = Callable[..., tuple[int, str, str]]
"""`finclaw ledger …`: exit code, stdout, stderr."""


@dataclass(frozen=True, kw_only=True)
class PublicFile:
    """A file, and what is expected: bookings with sums (net, by currency) and days, or a refusal with its reason."""

    repository: str
    commit: str
    path: str
    sha256: str
    licence: str
    kind: str
    kept: bool
    options: list[str]
    refused: str = ""
    bookings: int = 0
    sums: dict[str, str] = field(default_factory=dict)
    first: str | None = None
    last: str | None = None

    @property
    def place(self) -> str:
        """The file below a folder of projects."""
        return f"{self.repository.replace('/', '+')}/{self.path}"

    @property
    def expected(self) -> str:
        """What is expected, on one line."""
        return f"refused: {self.refused}" if self.refused else shown(self.bookings, self.sums, self.first, self.last)


def shown(bookings: int, sums: dict[str, str], first: str | None, last: str | None) -> str:
    """The facts of a file in one form."""
    money = ", ".join(f"{Decimal(sums[code]).normalize():f} {code}" for code in sorted(sums))
    return f"{bookings} bookings, {money or '-'}, {first or '-'} to {last or '-'}"


def public_files() -> list[PublicFile]:
    """All files of the list."""
    return [PublicFile(**entry) for entry in json.loads((FOLDER / "list.json").read_text("utf-8"))]


def verdict(file: PublicFile, folder: Path, run: Run) -> tuple[str, str]:
    """`right`, `refused` (for the expected reason) or `wrong`, and what the import gives."""
    code, out, err = run("import", folder / file.place, "--json", *file.options)
    report: dict[str, Any] = json.loads(out) if out.startswith("{") else {}
    if code:
        reasons = [row["reason"] for row in report.get("rejected", [])] or [err.strip()]
        return ("refused" if file.refused and file.refused in reasons[0] else "wrong"), f"refused: {reasons[0]}"
    nets = {code: sums["net"] for code, sums in report["sums"].items()}
    got = shown(report["rows"]["read"], nets, report["first"], report["last"])
    return ("right" if got == file.expected else "wrong"), got
