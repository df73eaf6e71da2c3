"""`finclaw prompt`: the system prompt."""

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
        typer.Option("--mode", "--prompt-mode", metavar="full|minimal|none", help="Which sections it has."),
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", "--prompt-tokens", metavar="N", help="Its limit in tokens.")
    ] = None,
    tools: Annotated[
        list[str] | None,
        typer.Option(
            "--tools", "-t", metavar="TOOLS", autocompletion=complete_tool, help="The tools that are offered."
        ),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="The text alone, as it is sent.")] = False,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Show the system prompt of a run here: each section, its estimated tokens, and its source."""
    from finclaw_cli.cli.prompt.views import print_prompt

    print_prompt({"prompt_mode": mode, "prompt_tokens": tokens, "tools": tools}, as_json=json, as_text=text)
