"""The engine of this machine: its providers, its prices, and what may be spent."""

from __future__ import annotations

from finclaw_cli.cli.model_facts import model_prices, model_windows
from finclaw_cli.cli.plan import lanes, retry_policy
from finclaw_cli.cli.purse import budget_of
from finclaw_cli.core.clock import SystemClock
from finclaw_cli.ledger.writing import LedgerWriter
from finclaw_cli.providers.registry import ProviderRegistry
from finclaw_cli.runner.connection import Connect
from finclaw_cli.runner.engine import Engine
from finclaw_cli.settings.model import Settings


def engine_of(settings: Settings, providers: ProviderRegistry, connect: Connect, writer: LedgerWriter) -> Engine:
    """The engine for runs over these connections; budgets hold for what the ledger says was spent."""
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
