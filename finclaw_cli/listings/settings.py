"""Settings as they are shown: each with its value and its source, without secrets."""

from __future__ import annotations

from finclaw_cli.core.json_text import JsonObject, jsonable
from finclaw_cli.settings.load import LoadedSettings
from finclaw_cli.settings.secrets import without_secrets


def setting_facts(loaded: LoadedSettings) -> dict[str, JsonObject]:
    """Each setting by its name: its `value` as JSON, and its `origin`."""
    return {
        name: {"value": without_secrets(jsonable(getattr(loaded.settings, name)), name), "origin": origin}
        for name, origin in loaded.origins.items()
    }
