"""What the shell is offered for the values of options; read from manifests, never from a plugin."""

from __future__ import annotations


def complete_model(incomplete: str) -> list[str]:
    """Models whose name begins like this."""
    from finclaw_cli.catalog.models import KNOWN_MODELS
    from finclaw_cli.cli.listing import installed
    from finclaw_cli.settings.load import load_settings

    names = [model.model for model in KNOWN_MODELS] + [str(model) for model in KNOWN_MODELS]
    offered = (facts for manifest in installed().plugins.manifests for facts in manifest.providers)
    names += [pattern for facts in offered for pattern in facts.models if "*" not in pattern]
    settings = load_settings().settings
    names += [*settings.aliases, *settings.models, *(f"{name}:" for name in settings.providers)]
    names = list(dict.fromkeys(names))
    return [name for name in names if name.startswith(incomplete)]


def complete_tool(incomplete: str) -> list[str]:
    """Installed tools whose name begins like this."""
    from finclaw_cli.cli.listing import tool_names

    return [name for name in tool_names() if name.startswith(incomplete)]
