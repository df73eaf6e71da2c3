"""How large a window is: the settings win, then the price data, and what nobody knows is assumed and says so."""

from __future__ import annotations

import socket
import subprocess
import sys
from importlib.metadata import version

import pytest
from genai_prices import data_snapshot
from hypothesis import given
from hypothesis import strategies as st

from finclaw_cli.catalog import windows
from finclaw_cli.catalog.models import KNOWN_MODELS
from finclaw_cli.catalog.price_file import PriceFile
from finclaw_cli.catalog.windows import Window
from finclaw_cli.catalog.windows import window_of as window_by

PRICES = f"genai-prices {version('genai-prices')}"
ASSUMED = Window(128_000, "assumed")


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    windows._looked_up.cache_clear()


def window_of(provider: str, model: str, overrides: dict[str, int]) -> Window:
    """The window where nothing was asked before."""
    return window_by(provider, model, overrides, PriceFile(None))


@pytest.mark.parametrize(
    ("overrides", "tokens"),
    [
        ({"anthropic:claude-haiku-4-5": 5_000, "claude-haiku-4-5": 6_000}, 5_000),
        ({"openai:claude-haiku-4-5": 5_000, "claude-haiku-4-5": 6_000}, 6_000),
    ],
)
def test_the_settings_win_and_of_them_what_is_more_exact(overrides: dict[str, int], tokens: int):
    window = window_of("anthropic", "claude-haiku-4-5", overrides)
    assert window == Window(tokens, "settings")
    assert not window.is_assumed


def test_what_is_said_of_another_model_says_nothing():
    overrides = {"openai:claude-haiku-4-5": 5_000, "anthropic": 4_000, "": 3_000, "claude": 2_000}
    assert window_of("anthropic", "claude-haiku-4-5", overrides) == Window(200_000, PRICES)


@pytest.mark.parametrize("known", KNOWN_MODELS, ids=str)
def test_the_models_we_know_by_name_are_in_the_price_data(known: object):
    window = window_of(known.provider, known.model, {})
    assert window.source == PRICES
    assert window.tokens >= 200_000


@pytest.mark.parametrize(
    ("provider", "model", "window"),
    [
        ("openai", "gpt-4o", 128_000),
        ("openai-responses", "gpt-4o", 128_000),
        ("openai-chat", "deepseek-chat", 64_000),
        ("openai-compatible", "claude-haiku-4-5", 200_000),
        ("somebodys-plugin", "gpt-4o", 128_000),
        ("openrouter", "openai/gpt-4", 8_191),  # known there, and by its name alone nowhere
        ("openai", "deepseek-chat", 64_000),  # another server that speaks this wire
    ],
)
def test_a_model_is_known_by_its_provider_or_by_its_name(provider: str, model: str, window: int):
    assert window_of(provider, model, {}) == Window(window, PRICES)


def test_what_nobody_knows_is_assumed_and_says_so():
    assert window_of("anthropic", "claude-99", {}) == Window(200_000, "assumed")
    assert window_of("openai", "gpt-99", {}) == ASSUMED
    assert window_of("openai-compatible", "llama3.1:8b", {}) == ASSUMED
    assert window_of("openai", "gpt-99", {}).is_assumed


@pytest.mark.parametrize(
    "model",
    [
        "",
        " ",
        "gpt-4o\n",
        "/tmp/claude-haiku-4-5",
        "./claude-haiku-4-5",
        "claude-haiku-4-5.py",
        "claude-haiku-4-5.ndjson",
        "claude-haiku-4-5/script.json",
        "C:\\claude-haiku-4-5",
        "../gpt-4o",
        "~/gpt-4o",
        "\ud800",
        "claude-haiku-4-5\0",
    ],
)
@pytest.mark.parametrize("provider", ["scripted", "openai-compatible", ""])
def test_a_name_that_is_none_and_a_path_match_nothing(provider: str, model: str):
    assert window_of(provider, model, {}) == ASSUMED


@given(st.text(max_size=30), st.text(max_size=30))
def test_there_is_a_window_for_whatever_is_asked(provider: str, model: str):
    window = window_of(provider, model, {})
    assert window.tokens > 0


@pytest.mark.parametrize("error", [LookupError("no"), ValueError("bad"), AttributeError("other version")])
def test_nothing_that_the_price_data_raises_gets_out(error: Exception, monkeypatch: pytest.MonkeyPatch):
    def fails() -> None:
        raise error

    monkeypatch.setattr(data_snapshot, "get_snapshot", fails)
    assert window_of("openai", "gpt-4o", {}) == ASSUMED


def test_a_model_is_looked_up_once_and_never_on_the_network(monkeypatch: pytest.MonkeyPatch):
    window_of("openai", "gpt-4o", {})

    def refuses(*args: object) -> None:
        raise AssertionError("asked again, or on the network")

    monkeypatch.setattr(data_snapshot, "get_snapshot", refuses)
    monkeypatch.setattr(socket, "socket", refuses)
    assert window_of("openai", "gpt-4o", {}) == Window(128_000, PRICES)
    assert window_of("openai", "gpt-4o", {"gpt-4o": 9_000}).tokens == 9_000


def test_the_price_data_is_imported_only_when_it_is_asked():
    code = "import sys, finclaw_cli.catalog.windows; sys.exit('genai_prices' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
