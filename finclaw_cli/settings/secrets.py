"""Keys: looked up when needed, never printed, never written, never taken from an argument."""

from __future__ import annotations

import os

SERVICE = "finclaw"


def find_key(variable: str) -> str | None:
    """The key from the environment, else from the system's keyring where the `keyring` package is installed."""
    if value := os.environ.get(variable, "").strip():
        return value
    return _from_keyring(variable)


def _from_keyring(variable: str) -> str | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return None
    try:
        found: str | None = keyring.get_password(SERVICE, variable)
    except KeyringError:
        return None  # no desktop, no keyring: the message about the variable follows
    return found
