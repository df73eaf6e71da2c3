"""The size of a model's context window: from the settings, else from the price data, else assumed.

The price data is the copy in genai-prices; the network is never used.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from finclaw_cli.catalog.price_data import MAKERS, is_model_name, price_data_name
from finclaw_cli.catalog.price_file import KnownWindow, PriceFile
from finclaw_cli.core.record import record

SETTINGS, ASSUMED = "settings", "assumed"
ASSUMED_TOKENS = {"anthropic": 200_000}
ASSUMED_ELSEWHERE = 128_000
_REMEMBERED = 512


@record
class Window:
    """The most tokens of a request and its answer together, and the source of that."""

    tokens: int
    source: str
    """`settings`, `genai-prices X.Y.Z`, or `assumed`."""

    @property
    def is_assumed(self) -> bool:
        return self.source == ASSUMED


def window_of(provider: str, model: str, overrides: Mapping[str, int], kept: PriceFile) -> Window:
    """The window of a provider's model.

    Args:
        provider: the provider's name, before the colon in `provider:model`.
        model: the provider's own name for the model.
        overrides: windows by `provider:model`, which takes precedence, or by the model's name alone.
        kept: the cache of the price data.
    """
    assumed = Window(ASSUMED_TOKENS.get(provider, ASSUMED_ELSEWHERE), ASSUMED)
    return set_window(provider, model, overrides) or _known(provider, model, kept) or assumed


def set_window(provider: str, model: str, overrides: Mapping[str, int]) -> Window | None:
    """The window in the settings. Imports no price data."""
    for name in (f"{provider}:{model}", model):
        if name in overrides:
            return Window(overrides[name], SETTINGS)
    return None


def _known(provider: str, model: str, kept: PriceFile) -> Window | None:
    """The window in the price data; None where it has none, or the name cannot be a model's."""
    if not is_model_name(model):
        return None
    window = kept.known(provider, model).window
    if window is None:
        try:
            window = KnownWindow(tokens=_looked_up(provider, model))
        except Exception:  # noqa: BLE001 - on any error of the library, an assumed window is used
            return None
        kept.keep_window(provider, model, window)
    return Window(window.tokens, price_data_name()) if window.tokens is not None else None


@lru_cache(maxsize=_REMEMBERED)
def _looked_up(provider: str, model: str) -> int | None:
    from genai_prices import data_snapshot  # 100 ms

    maker = MAKERS.get(provider)
    # The maker's own models first. Other servers may use its protocol, so the model's name alone comes second.
    for asked in (maker, None) if maker else (None, provider):
        try:
            _, found = data_snapshot.get_snapshot().find_provider_model(model, None, asked, None)
        except LookupError:
            continue
        if found.context_window is not None and found.context_window > 0:
            return found.context_window
    return None
