"""Models that play a script, for agents in the test's own process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest


class Scripts:
    """Writes scripts, each a model of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    def __call__(self, *turns: Mapping[str, Any]) -> str:
        """The model that plays these turns."""
        self._count += 1
        path = self._folder / f"script{self._count}.json"
        path.write_text(json.dumps({"turns": list(turns)}))
        return f"scripted:{path}"


@pytest.fixture
def script(tmp_path: Path) -> Scripts:
    return Scripts(tmp_path)
