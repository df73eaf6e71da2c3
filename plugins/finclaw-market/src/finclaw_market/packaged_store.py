"""Loads the price data of one package into a store in memory."""

from __future__ import annotations

import atexit
import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory

from finclaw_cli.sdk import Extension, ToolError
from finclaw_cli.sdk.tabular import FileProblem
from finclaw_market.datasets import Dataset, Packaged
from finclaw_market.importer import import_files
from finclaw_market.options import ImportOptions, ImportReport
from finclaw_market.report import succeeded
from finclaw_market.staging import Facts
from finclaw_market.store import reading


def load(extension: Extension) -> Packaged:
    """Import the files of a package like any others, into a store in memory."""
    try:
        dataset = _declared(extension)
        return Packaged(name=f"{dataset.name} ({dataset.kind})", store=_imported(dataset))
    # A package may raise anything, or even exit, and must not take the other prices with it.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        reason = str(error) if isinstance(error, FileProblem | ToolError) else f"{type(error).__name__}: {error}"
        problem = f"the price data of {extension.dist} cannot be used: {reason}"
        return Packaged(name=extension.name, problem=problem)


def _declared(extension: Extension) -> Dataset:
    value = extension.load()
    dataset = value() if callable(value) else value
    if not isinstance(dataset, Dataset):
        raise TypeError(f"{extension.name} is not a Dataset")
    return dataset


def _imported(dataset: Dataset) -> sqlite3.Connection:
    with TemporaryDirectory(prefix="finclaw-") as folder:
        home = Path(folder)
        for file in dataset.files:
            facts = Facts(name=file.name, exchange=file.exchange, currency=file.currency, tz=file.tz)
            options = ImportOptions(
                symbol=file.symbol,
                facts=facts,
                adjustment=file.adjustment,
                kind=dataset.kind,
                licence=dataset.licence,
                checked_bars=0,
            )
            report = import_files([file.path], home, options)
            if not succeeded(report):
                raise FileProblem(_reason(report))
        return _in_memory(home)


def _reason(report: ImportReport) -> str:
    if report.rejected:
        first = report.rejected[0]
        return f"{first.file}:{first.line}: {first.reason}"
    return report.problems[0]


def _in_memory(home: Path) -> sqlite3.Connection:
    with reading(home) as stored:
        if stored is None:
            raise FileProblem("it has no files")
        # Read from several threads, but never by two at a time.
        store = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        atexit.register(store.close)  # kept for the process, and Python 3.13 warns of those that are left open
        stored.backup(store)
        return store
