"""The entry point: what finclaw gets from this distribution."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from finclaw_cli.sdk import Provider, ProviderConfig, ProviderSpec, hookimpl, scripted_provider

NAME = "demo"
SCRIPT = Path(__file__).with_name("script.toml")


@hookimpl
def finclaw_providers() -> Sequence[ProviderSpec]:
    """The model `demo`: it needs no key and no network."""
    return [ProviderSpec(name=NAME, models=(NAME,), default_model=NAME, scripted=True, create=_demo)]


@hookimpl
def finclaw_skills() -> Sequence[Path]:
    """Instructions for kinds of work that the other plugins' tools can do."""
    return [Path(__file__).with_name("skills")]


@hookimpl
def finclaw_commands(app: typer.Typer) -> None:
    """`finclaw demo`."""
    from finclaw_demo.tour_command import demo

    app.command()(demo)


def _demo(config: ProviderConfig) -> Provider:  # noqa: ARG001 - every provider is made alike
    return scripted_provider(SCRIPT, name=NAME)
