"""All prices there are: the user's own store first, and behind it what installed packages bring."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from finclaw_market.packaged import copy_of, packaged
from finclaw_market.queries import Listed, listed, symbols
from finclaw_market.store import reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An instrument and the store that has its bars."""

    item: Listed
    connection: sqlite3.Connection
    dataset: str | None = None
    """The packaged data set it is from; None for the user's own store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shelf:
    connection: sqlite3.Connection
    dataset: str | None = None

    def items(self, cap: date, symbol: str | None = None) -> Iterator[Found]:
        for item in listed(self.connection, cap, symbol):
            yield Found(item=item, connection=self.connection, dataset=self.dataset)


class Prices:
    """Answers for each symbol from the first store that knows it, so that the user's own prices always win.

    Packages are looked at only when the user's store does not settle the question.
    """

    def __init__(self, own: sqlite3.Connection | None, stack: ExitStack) -> None:
        self._own = own
        self._stack = stack
        self._problems: list[str] = []

    @property
    def problems(self) -> tuple[str, ...]:
        """Which packages could not be used, as far as packages were looked at."""
        return tuple(self._problems)

    @property
    def empty(self) -> bool:
        """Whether there is nothing at all, neither imported nor packaged."""
        return self._own is None and not self._packaged

    def one(self, symbol: str, cap: date) -> Found | None:
        """The instrument of that symbol, if it has bars up to `cap`."""
        for shelf in self._shelves():
            # Where the user's own bars begin too late, bars of other sources are not used.
            if symbols(shelf.connection, symbol):
                return next(shelf.items(cap, symbol), None)
        return None

    def everything(self, cap: date) -> list[Found]:
        """All instruments that have bars up to `cap`."""
        found: list[Found] = []
        taken: set[str] = set()
        for shelf in self._shelves():
            found.extend(entry for entry in shelf.items(cap) if entry.item.symbol not in taken)
            taken |= symbols(shelf.connection)
        return found

    def _shelves(self) -> Iterator[_Shelf]:
        if self._own is not None:
            yield _Shelf(connection=self._own)
        yield from self._packaged

    @cached_property
    def _packaged(self) -> list[_Shelf]:
        shelves: list[_Shelf] = []
        for package in packaged():
            if package.problem is not None:
                self._problems.append(package.problem)
            if package.store is not None:
                copy = self._stack.enter_context(closing(copy_of(package.store)))
                shelves.append(_Shelf(connection=copy, dataset=package.name))
        return shelves


@contextmanager
def all_prices(home: Path) -> Iterator[Prices]:
    """A consistent, read-only view of all prices.

    Raises:
        StoreProblem: the user's store is not a store of ours, or is damaged.
    """
    with ExitStack() as stack:
        yield Prices(stack.enter_context(reading(home)), stack)
