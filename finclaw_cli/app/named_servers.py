"""Compatible servers that the settings name: `[providers.NAME]` with an address and a dialect.

A server has only the key of its own variable, and is always reached directly: the SDKs read further headers and
credentials from variables that belong to their vendors.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from finclaw_cli.core.errors import UsageError
from finclaw_cli.providers.compatible import compatible_provider
from finclaw_cli.providers.facts import Api
from finclaw_cli.providers.registry import BUILTIN, SERVER_ORIGIN, ProviderEntry
from finclaw_cli.settings.tables import ProviderSettings

DEFAULT_API: Final[Api] = "openai-chat"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_BUILTIN = frozenset(spec.name for spec in BUILTIN)


def named_servers(tables: Mapping[str, ProviderSettings], offered: Collection[str]) -> list[ProviderEntry]:
    """List the servers that the settings name.

    Args:
        tables: `[providers]` of the settings.
        offered: the names of the providers of plugins. A table with one of these names sets that provider's address,
            unless it has an `api`.

    Raises:
        UsageError: a table has a name or an `api` that it cannot have.
    """
    for name, table in tables.items():
        if not _NAME.fullmatch(name):
            raise UsageError(f"providers: {name[:80]!r} cannot be the name of a provider")
        if name in _BUILTIN and table.api is not None:
            raise UsageError(
                f"providers.{name}: this provider has its dialect, api cannot be set",
                hint="Give the server a name of its own.",
            )
    return [
        _entry(name, table)
        for name, table in tables.items()
        if name not in _BUILTIN and table.base_url and (table.api or name not in offered)
    ]


def check_tables(tables: Mapping[str, ProviderSettings], known: Collection[str]) -> None:
    """Check that each table is about a provider that is installed, or defines a server.

    Raises:
        UsageError: one is neither.
    """
    for name, table in tables.items():
        if name not in known and table.base_url is None:
            raise UsageError(
                f"providers.{name}: no installed provider has this name, and a server needs a base_url",
                hint=f"Providers installed: {', '.join(sorted(known))}.",
            )


def _entry(name: str, table: ProviderSettings) -> ProviderEntry:
    spec = compatible_provider(name, api=table.api or DEFAULT_API, key_variable=table.key_variable)
    return ProviderEntry(facts=spec, origin=SERVER_ORIGIN, load=lambda: spec)
