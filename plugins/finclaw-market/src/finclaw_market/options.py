"""The options of an import, and its report."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from finclaw_cli.sdk.tabular import BadOption, DateStyle, FileProblem, Mark, Rejection, Step, date_style, no_progress
from finclaw_market.bars import Adjustment, Basis
from finclaw_market.checks import Finding
from finclaw_market.staging import Facts, Origin, SymbolCount

# Beyond these the report counts and no longer lists.
MAX_CHANGES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """The given facts of the files."""

    symbol: str | None = None
    facts: Facts = field(default_factory=Facts)
    date_format: str | None = None
    decimal: Mark | None = None
    encoding: str | None = None
    adjustment: Adjustment | None = None
    dry_run: bool = False
    replace: bool = False
    may_state: bool = False
    """Whether bars that are stored without their adjustment may get one, where their values are equal."""
    skip_bad_rows: bool = False
    sort: bool = False
    """Take rows in any order."""
    wide: bool = False
    """Each column has the closes of the symbol that it is named by."""
    kind: str = "file"
    """What results say of the source, with its licence."""
    licence: str = "user"
    progress: Step = no_progress
    checked_bars: int = 100_000
    """How many bars are looked through for probable errors; the symbols after that are not."""

    @property
    def style(self) -> DateStyle | None:
        """How dates are read by `date_format`.

        Raises:
            FileProblem: it is no format.
        """
        try:
            return date_style(self.date_format)
        except BadOption as error:
            raise FileProblem(str(error)) from None

    @property
    def basis(self) -> Basis:
        return self.adjustment or "unstated"


@dataclass(slots=True, kw_only=True)
class ImportReport:
    """What became of an import, for people and for machines."""

    dry_run: bool
    imported: bool = False
    problems: list[str] = field(default_factory=list)
    """Why nothing was imported, where no single row is to blame."""
    rejected: list[Rejection] = field(default_factory=list)
    """Every bad row, by file and line, with a bounded message."""
    rejected_count: int = 0
    symbols: list[SymbolCount] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    """Probable errors among the prices, which do not keep them from being imported."""

    def reject(self, *rejections: Rejection) -> None:
        self.rejected.extend(rejections)
        self.rejected_count = len(self.rejected)


def origin_of(ref: str, sha256: str, rows: str, options: ImportOptions) -> Origin:
    """What the store is to remember of a source that is read now."""
    return Origin(
        kind=options.kind,
        ref=ref,
        sha256=sha256,
        retrieved_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        basis=options.basis,
        licence=options.licence,
        rows=rows,
    )
