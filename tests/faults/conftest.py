"""The same command as in the end-to-end tests."""

from __future__ import annotations

from tests.e2e.conftest import finclaw, kit, shared_home

__all__ = ["finclaw", "kit", "shared_home"]
