"""How large a model's context window is: as the settings say, else as the price data knows it, else assumed.

The price data is the copy that comes with genai-prices; nothing is ever asked of the network.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version

SETTINGS, ASSUMED = "settings", "assumed"
ASSUMED_TOKENS = {"anthropic": 200_000}
ASSUMED_ELSEWHERE = 128_000
# Our providers that stand for one maker, by the name the price data has for it.
MAKERS = {"anthropic": "anthropic", "openai": "openai", "openai-responses": "openai"}
_MODEL_NAME = re.compile(r"(?:~?[A-Za-z0-9]|@)[\w.:@/+-]*")
_FILE = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_REMEMBERED = 512


@dataclass(frozen=True, slots=True)
class Window:
    """How many tokens a request and its answer may have together, and who says so."""

    tokens: int
    source: str
    """`settings`, `genai-prices X.Y.Z`, or `assumed`."""

    @property
    def is_assumed(self) -> bool:
        return self.source == ASSUMED


def window_of(provider: str, model: str, overrides: Mapping[str, int]) -> Window:
    """The window of a provider's model.

    Args:
        provider: the provider's name, what stands before the colon in `provider:model`.
        model: the provider's own name for the model.
        overrides: windows by `provider:model` or by the model's name alone; what is more exact wins.
    """
    assumed = Window(ASSUMED_TOKENS.get(provider, ASSUMED_ELSEWHERE), ASSUMED)
    return set_window(provider, model, overrides) or _known(provider, model) or assumed


def set_window(provider: str, model: str, overrides: Mapping[str, int]) -> Window | None:
    """The window that somebody has said it is; costs nothing."""
    for name in (f"{provider}:{model}", model):
        if name in overrides:
            return Window(overrides[name], SETTINGS)
    return None


@lru_cache(maxsize=_REMEMBERED)
def _known(provider: str, model: str) -> Window | None:
    """What the price data says; None where it says nothing, or the name cannot be a model's."""
    if not _MODEL_NAME.fullmatch(model) or _FILE.search(model):  # it matches by beginnings: a script's path could match
        return None
    maker = MAKERS.get(provider)
    # A maker's own name first. Its wire may be spoken by others too, so the model's name alone comes second.
    for asked in (maker, None) if maker else (None, provider):
        if tokens := _looked_up(model, asked):
            return Window(tokens, f"genai-prices {version('genai-prices')}")
    return None


def _looked_up(model: str, provider: str | None) -> int | None:
    try:
        from genai_prices import data_snapshot  # 100 ms

        _, found = data_snapshot.get_snapshot().find_provider_model(model, None, provider, None)
    except Exception:  # noqa: BLE001 - whatever fails in there, an assumed window serves
        return None
    tokens = found.context_window
    return tokens if tokens is not None and tokens > 0 else None
