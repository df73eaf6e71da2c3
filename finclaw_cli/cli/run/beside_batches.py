"""The requests of a run go before those of batches that share its key."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager

from finclaw_cli.engine.pacing import UNPACED, PacedRequest, Pacer
from finclaw_cli.providers.config import ProviderConfig
from finclaw_cli.settings.model import Settings
from finclaw_cli.settings.paths import BATCH_WORKERS, home


class BesideBatches:
    """The rate limits that batches keep; where none runs, no limit, and nothing is imported."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def pacer(self, provider: str, config: ProviderConfig) -> Pacer:
        """The limits of one provider and key."""
        return _Pacer(self._settings, provider, config)


class _Pacer:
    def __init__(self, settings: Settings, provider: str, config: ProviderConfig) -> None:
        self._settings = settings
        self._provider = provider
        self._config = config
        self._inner: Pacer = UNPACED

    def admitted(self, model: str, input_tokens: int) -> AbstractAsyncContextManager[PacedRequest]:
        if self._inner is UNPACED and _is_batch_running():
            from finclaw_cli.batch.interactive import interactive_pacer

            self._inner = interactive_pacer(self._settings, self._provider, self._config)
        return self._inner.admitted(model, input_tokens)

    def answered(self, model: str, headers: Mapping[str, str], after_s: float) -> None:
        self._inner.answered(model, headers, after_s)


def _is_batch_running() -> bool:
    """Whether there are processes that work on batches; some may have died."""
    try:
        with os.scandir(home() / BATCH_WORKERS) as found:
            return any(found)
    except OSError:
        return False
