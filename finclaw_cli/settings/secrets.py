"""Keys: looked up when needed, never printed, never written, never taken from an argument."""

from __future__ import annotations

import os

SERVICE = "finclaw"
HIDDEN = "[key]"
# The keys this process has seen; kept only so that they can be taken out of what it says.
_seen: set[str] = set()


def find_key(variable: str) -> str | None:
    """The key from the environment, else from the system's keyring where the `keyring` package is installed."""
    value = os.environ.get(variable, "").strip() or _from_keyring(variable)
    if value:
        _seen.add(value)
    return value or None


def without_keys(text: str) -> str:
    """The text with every key this process has seen taken out."""
    for key in _seen:
        text = text.replace(key, HIDDEN)
    return text


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
