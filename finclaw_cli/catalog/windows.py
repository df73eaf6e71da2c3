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
# `openai-chat` is any server of that dialect: one that has a model of OpenAI's name is taken to sell that model.
MAKERS = {"anthropic": "anthropic", "openai": "openai", "openai-responses": "openai", "openai-chat": "openai"}
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


def is_model_name(model: str) -> bool:
    """Whether the price data may be asked for it, which goes by how names begin: a script's path could match."""
    return _MODEL_NAME.fullmatch(model) is not None and not _FILE.search(model)


@lru_cache(maxsize=1)
def price_data_name() -> str:
    """The price data and its version, `genai-prices X.Y.Z`; costs no import of it."""
    return f"genai-prices {version('genai-prices')}"


@lru_cache(maxsize=_REMEMBERED)
def _known(provider: str, model: str) -> Window | None:
    """What the price data says; None where it says nothing, or the name cannot be a model's."""
    if not is_model_name(model):
        return None
    maker = MAKERS.get(provider)
    # A maker's own name first. Its wire may be spoken by others too, so the model's name alone comes second.
    for asked in (maker, None) if maker else (None, provider):
        if tokens := _looked_up(model, asked):
            return Window(tokens, price_data_name())
    return None


def _looked_up(model: str, provider: str | None) -> int | None:
    try:
        from genai_prices import data_snapshot  # 100 ms

        _, found = data_snapshot.get_snapshot().find_provider_model(model, None, provider, None)
    except Exception:  # noqa: BLE001 - whatever fails in there, an assumed window serves
        return None
    tokens = found.context_window
    return tokens if tokens is not None and tokens > 0 else None
