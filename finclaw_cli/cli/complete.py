"""Shell completion of the values of options, from manifests and file names; no plugin is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

import typer

MOST_SESSIONS = 50


def _never_fails(names: Callable[[], Iterable[str]], incomplete: str) -> list[str]:
    """The names with this prefix; none where settings or a store are broken, which the command itself reports."""
    from finclaw_cli.core.errors import FinclawError

    try:
        return [name for name in dict.fromkeys(names()) if name.startswith(incomplete)]
    except (FinclawError, OSError):
        return []


def complete_model(incomplete: str) -> list[str]:
    """The models whose name has this prefix."""
    return _never_fails(_models, incomplete)


def _models() -> list[str]:
    from finclaw_cli.catalog.models import KNOWN_MODELS
    from finclaw_cli.cli.installed import installed
    from finclaw_cli.settings.load import load_settings

    names = [model.model for model in KNOWN_MODELS] + [str(model) for model in KNOWN_MODELS]
    providers = chain.from_iterable(manifest.providers for manifest in installed().plugins.manifests)
    patterns = chain.from_iterable(facts.models for facts in providers)
    settings = load_settings().settings
    servers = (f"{name}:" for name in settings.providers)
    return [*names, *(name for name in patterns if "*" not in name), *settings.aliases, *settings.models, *servers]


def complete_tool(incomplete: str) -> list[str]:
    """The installed tools whose name has this prefix."""
    from finclaw_cli.cli.installed import tool_names

    return _never_fails(tool_names, incomplete)


def complete_session(incomplete: str) -> list[str]:
    """The recorded sessions, the most recent first."""
    return _never_fails(_sessions, incomplete)


def _sessions() -> list[str]:
    from finclaw_cli.settings.paths import sessions_folder

    files = sorted(sessions_folder().glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    return [path.stem for path in files[:MOST_SESSIONS]]


def complete_plugin(incomplete: str) -> list[str]:
    """Installed plugins."""
    return _never_fails(_plugins, incomplete)


def _plugins() -> list[str]:
    from finclaw_cli.cli.installed import installed

    return [manifest.dist for manifest in installed().plugins.manifests]


def complete_skill(incomplete: str) -> list[str]:
    """Skills of the user, the project and the plugins."""
    return _never_fails(_skills, incomplete)


def _skills() -> list[str]:
    from finclaw_cli.app.inventory import find_skills
    from finclaw_cli.cli.installed import installed

    return list(find_skills(installed().plugins).usable)


def complete_input(ctx: typer.Context, incomplete: str) -> list[str]:
    """The keys of a tool's input, and the values of those that have only a few."""
    return _never_fails(lambda: _inputs(str(ctx.params.get("name")), incomplete), incomplete)


def _inputs(tool: str, incomplete: str) -> Iterable[str]:
    from finclaw_cli.cli.installed import installed

    properties = installed().tools.require(tool).spec.input_schema.get("properties")
    known: dict[str, Any] = properties if isinstance(properties, dict) else {}
    for key, schema in known.items():
        values = _values(schema) if incomplete.startswith(f"{key}=") else []
        yield from (f"{key}={value}" for value in values) if values else (f"{key}=",)


def _values(schema: Any) -> list[object]:
    if not isinstance(schema, dict):
        return []
    if schema.get("type") == "boolean":
        return ["true", "false"]
    values = schema.get("enum")
    return values if isinstance(values, list) else []


def offer_choices() -> None:
    """Patch typer so that an option whose metavar lists choices (`text|json`) completes them."""
    from typer import core

    plain = core.TyperOption.shell_complete

    def shell_complete(option: Any, ctx: Any, incomplete: str) -> Any:
        choices = str(option.metavar or "").split("|")
        if len(choices) > 1:
            from typer._click.shell_completion import CompletionItem

            return [CompletionItem(choice) for choice in choices if choice.startswith(incomplete)]
        return plain(option, ctx, incomplete)

    setattr(core.TyperOption, "shell_complete", shell_complete)  # noqa: B010 - typer has no other way
