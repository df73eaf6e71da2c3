"""The system's keyring, by a backend of the package `keyring` itself or by the one that the user has configured.

`keyring.get_password` would import each backend of any installed distribution, of which the user may trust none.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Protocol, cast

_OWN = ("macOS", "libsecret", "SecretService", "kwallet", "Windows")


class Keyring(Protocol):
    """What is used of a backend."""

    def get_password(self, service: str, username: str) -> str | None: ...


@cache
def keyring_backend() -> Keyring | None:
    """The backend that the user has configured for keyring, else the best one of its own; None where none works.

    Raises:
        ImportError: the package is not installed.
    """
    from keyring import core

    configured = core.load_env() or core.load_config()
    if configured is not None:
        return cast("Keyring", configured)
    from keyring.backend import KeyringBackend

    for name in _OWN:
        with suppress(Exception):  # for another system, or without its library
            import_module(f"keyring.backends.{name}")
    usable = [kind for kind in KeyringBackend.get_viable_backends() if kind.__module__.startswith("keyring.backends.")]
    best = max(usable, key=lambda kind: kind.priority, default=None)
    return None if best is None or best.priority <= 0 else cast("Keyring", best())
