"""Loads the price data of installed packages: imported like any file, into a store in memory, once per process."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

from finclaw_cli.sdk import Extension, ToolError, extensions
from finclaw_market.datasets import GROUP, Dataset
from finclaw_market.importer import ImportOptions, ImportReport, import_files
from finclaw_market.problems import FileProblem
from finclaw_market.report import succeeded
from finclaw_market.staging import Facts
from finclaw_market.store import reading

# Tools of one turn run in several threads; the first one loads, and copies are made one at a time.
_LOCK = Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Packaged:
    """The prices of one package, or why they cannot be used."""

    name: str
    store: sqlite3.Connection | None = None
    problem: str | None = None


def packaged() -> tuple[Packaged, ...]:
    """The price data of all installed packages, by distribution."""
    with _LOCK:
        return _loaded()


def copy_of(store: sqlite3.Connection) -> sqlite3.Connection:
    """A copy for one reader: SQLite may be built so that threads must not share a connection."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    with _LOCK:
        store.backup(copy)
    return copy


def forget() -> None:
    """Load everything anew at the next question."""
    _loaded.cache_clear()


@lru_cache(maxsize=1)
def _loaded() -> tuple[Packaged, ...]:
    found = sorted(extensions(GROUP), key=lambda extension: (extension.dist, extension.name))
    return tuple(_load(extension) for extension in found)


def _load(extension: Extension) -> Packaged:
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
        stored.backup(store)
        return store
