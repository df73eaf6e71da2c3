"""The same command as in the end-to-end tests, and scripts for agents."""

from __future__ import annotations

from tests.agent.scripts import script
from tests.e2e.conftest import finclaw, kit, shared_home

__all__ = ["finclaw", "kit", "script", "shared_home"]
