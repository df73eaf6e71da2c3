"""The same command as in the end-to-end tests."""

from __future__ import annotations

from tests.e2e.conftest import finclaw, kit, own, shared_home, trusted

__all__ = ["finclaw", "kit", "own", "shared_home", "trusted"]
