"""The model that writes summaries: its name in full, and its key."""

from __future__ import annotations

import pytest

from finclaw_cli.app.connect import named_in_full
from finclaw_cli.core.errors import CredentialsError
from finclaw_cli.providers.registry import ProviderRegistry
from finclaw_cli.settings.model import Settings


def named(summary_model: str | None) -> str | None:
    settings = Settings(model="scripted:x.json", summary_model=summary_model)
    return named_in_full(settings, ProviderRegistry()).summary_model


def test_without_one_there_is_none() -> None:
    assert named(None) is None


def test_its_key_is_looked_for_before_anything_is_sent() -> None:
    with pytest.raises(CredentialsError, match="no key for anthropic"):
        named("anthropic:claude-sonnet-4-5")


def test_a_name_without_its_provider_is_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    assert named("claude-sonnet-4-5") == "anthropic:claude-sonnet-4-5"
