"""The money of this user's runs: where it is written down, and how much of it there is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from functools import partial

from finclaw_cli.app.local_time import local_now
from finclaw_cli.app.model_facts import model_prices
from finclaw_cli.app.usage_recovery import book_dead, rebuild_if_empty
from finclaw_cli.core.budget import AmountRange, BudgetStatus, BudgetStore, Reservation
from finclaw_cli.core.own_threads import in_own_thread
from finclaw_cli.core.record import record
from finclaw_cli.core.usage import Usage
from finclaw_cli.engine.budget import Budget, Limited, Unlimited, unknown_price
from finclaw_cli.engine.prices import Prices
from finclaw_cli.engine.request import ModelRef
from finclaw_cli.output.notice import notice
from finclaw_cli.providers.registry import ProviderRegistry
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import ledger_file
from finclaw_cli.usage.connection import TIMEOUT_S
from finclaw_cli.usage.failures import LedgerBusy, LedgerFailed
from finclaw_cli.usage.limits import Limits
from finclaw_cli.usage.reserve import LONGEST, Waiting, release, reserve
from finclaw_cli.usage.store import Ledger
from finclaw_cli.usage.writing import LedgerWriter

# Requests of other runs take no longer than this, mostly; less is needed of them than was set aside.
PATIENCE_S, LOOK_AGAIN_S = 120.0, 0.25
_LATER = "What is spent from here on is in the transcript; `finclaw cost rebuild` adds it to the ledger."


def user_ledger(report: Callable[[str], None] = notice, *, limit_s: float = TIMEOUT_S) -> LedgerWriter:
    """The writer of the usage store, which reports its first failure; the file is opened with the first row.

    Args:
        report: shows the failure.
        limit_s: the time limit of a run, which waits no longer than that for another program that locks the file.
    """

    def tell(failure: LedgerFailed) -> None:
        hint = _LATER if isinstance(failure, LedgerBusy) or failure.hint is None else failure.hint
        report(f"finclaw: warning: {failure.message}\n{hint}")

    return LedgerWriter(Ledger(ledger_file(), timeout_s=min(limit_s, TIMEOUT_S)), tell)


def require_prices(settings: Settings, providers: ProviderRegistry, models: Iterable[ModelRef]) -> None:
    """Where money is limited, look for the price of every model that may be asked, before any of them is.

    Raises:
        UsageError: one has none.
    """
    if settings.max_cost is None and not _limits(settings):
        return
    prices, now = model_prices(settings, providers), local_now()
    for ref in models:
        if prices.cost(ref, Usage(), now).usd is None:
            raise unknown_price(ref)


def budget_of(settings: Settings, prices: Prices, writer: LedgerWriter, further: BudgetStore | None = None) -> Budget:
    """What may be spent by these settings, in a run, in a day, in a month; and what a further budget leaves."""
    limits = _limits(settings)
    if settings.max_cost is None and not limits and further is None:
        return Unlimited()
    purse = UsageBudgetStore(writer, limits, timedelta(seconds=settings.timeout)) if limits else None
    both = Both(further, purse) if further is not None and purse is not None else further or purse
    return Limited(prices=prices, max_cost_usd=settings.max_cost, purse=both)


def _limits(settings: Settings) -> Limits:
    return Limits(daily_usd=settings.budget.daily, monthly_usd=settings.budget.monthly)


@record
class Both:
    """Two budgets, of which each has to have the money; the first one has one reservation at a time."""

    first: BudgetStore
    second: BudgetStore

    async def reserve(self, wanted: AmountRange) -> Reservation | BudgetStatus:
        """Reserve in the first one, and as much in the second one; in both or in none."""
        money = await self.first.reserve(wanted)
        if isinstance(money, BudgetStatus):
            return money
        try:
            other = await self.second.reserve(wanted.capped(money.amount_usd))
        except BaseException:
            await self.first.release(money)
            raise
        if isinstance(other, BudgetStatus):
            await self.first.release(money)
            return other
        return replace(other, statuses=(*money.statuses, *other.statuses))

    async def release(self, money: Reservation) -> None:
        """Free it in both; the id is that of the second one."""
        await self.first.release(money)
        await self.second.release(money)


class UsageBudgetStore:
    """What the ledger's limits leave, in the days and months of the local time zone."""

    def __init__(self, writer: LedgerWriter, limits: Limits, run_limit: timedelta = LONGEST) -> None:
        self._writer = writer
        self._limits = limits
        self._longest = max(LONGEST, run_limit)
        self._is_sure = False

    async def reserve(self, wanted: AmountRange) -> Reservation | BudgetStatus:
        """Set aside as much of this as there is; what others have set aside for their requests is waited for.

        Raises:
            LedgerFailed: it is unknown what was spent, so nothing may be.
        """
        await self._writer.caught_up()
        self._writer.check()
        if not self._is_sure:
            await in_own_thread(rebuild_if_empty, self._writer.ledger)
            await in_own_thread(book_dead, self._writer.ledger)
            self._is_sure = True
        deadline = time.monotonic() + PATIENCE_S
        place: int | None = None
        while True:
            is_last = time.monotonic() >= deadline
            answer = await self._reserved(replace(wanted, enough_usd=wanted.least_usd) if is_last else wanted, place)
            if isinstance(answer, Reservation):
                return answer
            if is_last or answer.place is None:
                return answer.standing
            place = answer.place
            await asyncio.sleep(LOOK_AGAIN_S)

    async def _reserved(self, wanted: AmountRange, place: int | None) -> Reservation | Waiting:
        now = local_now()
        ledger, limits = self._writer.ledger, self._limits.at(now)
        book = partial(book_dead, ledger)
        reserving = partial(reserve, ledger, wanted, limits, now, place=place, longest=self._longest, book_dead=book)
        work = in_own_thread(reserving)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            work.add_done_callback(self._free)  # the thread goes on: what it sets aside would never be given back
            raise

    def _free(self, work: asyncio.Future[Reservation | Waiting]) -> None:
        if not work.cancelled() and work.exception() is None and isinstance(money := work.result(), Reservation):
            self._writer.put(partial(_release, money))

    async def release(self, money: Reservation) -> None:
        """Free it, once what the request came to is written; where it cannot be, it is free when this process ends."""
        self._writer.put(partial(_release, money))


def _release(money: Reservation, ledger: Ledger) -> None:
    release(ledger, money)
