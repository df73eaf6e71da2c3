"""`finclaw prompt`: what the model is told before the conversation."""

from __future__ import annotations

from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_tool

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def prompt() -> None:
    """Show the system prompt, section by section."""


@app.command()
def show(
    mode: Annotated[
        str | None,
        typer.Option("--mode", "--prompt-mode", metavar="full|minimal|none", help="How many sections it has."),
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", "--prompt-tokens", metavar="N", help="The most tokens it may have.")
    ] = None,
    tools: Annotated[
        list[str] | None,
        typer.Option("--tools", "-t", metavar="TOOLS", autocompletion=complete_tool, help="As if these were offered."),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Nothing but the words, as they are sent.")] = False,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Show what a run here would tell the model: each section, its tokens (an estimate), and where it comes from."""
    from finclaw_cli.cli.prompt_views import print_prompt

    print_prompt({"prompt_mode": mode, "prompt_tokens": tokens, "tools": tools}, as_json=json, as_text=text)
