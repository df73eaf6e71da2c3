"""What can be imported, by kind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from finclaw_market.fx_files import FX
from finclaw_market.importer import import_files
from finclaw_market.keyed import import_table
from finclaw_market.options import ImportOptions, ImportReport
from finclaw_market.series_files import SERIES

Kind = Literal["prices", "fx", "series"]


def import_kind(kind: Kind, paths: Sequence[Path], home: Path, options: ImportOptions) -> ImportReport:
    """Import files of one kind into the store of that data folder: all of them, or nothing."""
    match kind:
        case "prices":
            return import_files(paths, home, options)
        case "fx":
            return import_table(paths, home, FX, options)
        case "series":
            return import_table(paths, home, SERIES, options)
