"""What every test gets: a home of its own, no keys, no settings from outside."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No deadlines: how long an example takes depends on the machine, not on the code.
settings.register_profile("finclaw", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("finclaw")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("FINCLAW_", "ANTHROPIC_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("FINCLAW_HOME", str(tmp_path / "home"))


def pytest_collection_finish() -> None:
    """Keep the collector from looking at what was collected, again and again."""
    gc.freeze()
