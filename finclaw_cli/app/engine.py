"""The engine of this machine: its providers, its prices, and what may be spent."""

from __future__ import annotations

from dataclasses import replace

from finclaw_cli.app.budget_store import budget_of
from finclaw_cli.app.model_facts import model_prices, model_windows
from finclaw_cli.app.plan import lanes, retry_policy
from finclaw_cli.core.budget import BudgetStore
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.engine.connection import Connect
from finclaw_cli.engine.engine import Engine
from finclaw_cli.providers.registry import ProviderRegistry
from finclaw_cli.settings.model import Settings
from finclaw_cli.usage.writing import LedgerWriter


def engine_of(
    settings: Settings,
    providers: ProviderRegistry,
    connect: Connect,
    writer: LedgerWriter,
) -> Engine:
    """The engine for runs over these connections; budgets count what the usage store has."""
    prices = model_prices(settings, providers)
    return Engine(
        connect=connect,
        lanes=lanes(settings),
        retry=retry_policy(settings),
        clock=SystemClock(),
        windows=model_windows(settings, providers),
        prices=prices,
        budget=budget_of(settings, prices, writer),
    )


def engine_for(shared: Engine, settings: Settings, writer: LedgerWriter, further: BudgetStore | None) -> Engine:
    """The same engine for another conversation, with lanes of its own, and a further budget that counts its own."""
    return replace(shared, lanes=lanes(settings), budget=budget_of(settings, shared.prices, writer, further))
