"""The JSON Schema of a settings file, for editors."""

from __future__ import annotations

from typing import Any

from finclaw_cli.core.json_text import JsonObject, jsonable
from finclaw_cli.settings.model import Settings, declarations

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def settings_schema() -> JsonObject:
    """The schema of `config.toml`, made from the declarations of the settings."""
    from pydantic import TypeAdapter

    schema: dict[str, Any] = TypeAdapter(Settings).json_schema()
    for table in (schema, *schema["$defs"].values()):
        if "properties" in table:
            table["additionalProperties"] = False
            for made in table["properties"].values():
                made.pop("title", None)
    defaults = Settings()
    for name, declared in declarations().items():
        default = jsonable(getattr(defaults, name))
        made = {**schema["properties"][name], "description": declared.description}
        schema["properties"][name] = made if default is None else {**made, "default": default}
    return {"$schema": DIALECT, **schema, "title": "Settings of finclaw"}
