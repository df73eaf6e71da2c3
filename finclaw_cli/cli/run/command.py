"""`finclaw run`: a question, its tool calls and its answer."""

from pathlib import Path
from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_session
from finclaw_cli.cli.setting_options import with_settings

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
@with_settings
def run(
    prompt: Annotated[
        str | None, typer.Argument(metavar="PROMPT", help="The question; - reads it from stdin. Piped stdin is added.")
    ] = None,
    interactive: Annotated[
        bool,
        typer.Option(
            "--interactive", "-i", help="A conversation at the terminal, until Ctrl-D.", rich_help_panel="Question"
        ),
    ] = False,
    file: Annotated[
        list[Path] | None,
        typer.Option("--file", "-f", help="Attach a text file; repeatable.", rich_help_panel="Question"),
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            help="Encoding of stdin and of attached files; else UTF-8, or what is detected.", rich_help_panel="Question"
        ),
    ] = None,
    input_format: Annotated[
        str,
        typer.Option(
            metavar="text|ndjson",
            help="ndjson: one user message a line on stdin, answered in turn.",
            rich_help_panel="Question",
        ),
    ] = "text",
    schema: Annotated[
        str | None,
        typer.Option(
            help="The answer is JSON valid against this schema: a file, JSON, or name:type,…", rich_help_panel="Answer"
        ),
    ] = None,
    last_message: Annotated[
        Path | None, typer.Option(help="Also write the final text to this file.", rich_help_panel="Answer")
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Continue this session, or begin one of this name.",
            autocompletion=complete_session,
            rich_help_panel="Conversation",
        ),
    ] = None,
    go_on: Annotated[
        bool,
        typer.Option("--continue", "-c", help="Continue the most recent session.", rich_help_panel="Conversation"),
    ] = False,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Resume the last question of --session, or of the most recent session.",
            rich_help_panel="Conversation",
        ),
    ] = False,
    no_plugins: Annotated[
        bool, typer.Option("--no-plugins", help="Use no plugin at all.", rich_help_panel="Tools and approvals")
    ] = False,
    connect: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Let finclaw serve make the run, at http://HOST:PORT.", rich_help_panel="Conversation"
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The token of --connect; else FINCLAW_SERVE_TOKEN has it.",
            rich_help_panel="Conversation",
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.", rich_help_panel="Answer")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Each step on stderr.", rich_help_panel="Answer")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Tracebacks of unexpected errors.", rich_help_panel="Answer")
    ] = False,
    **settings: object,
) -> None:
    """Ask a question; tools read the data, the answer streams to stdout.

    Each option is also a variable and a setting of the same name: --max-turns is FINCLAW_MAX_TURNS in the environment
    and max_turns in a settings file (see finclaw config path).
    """
    from finclaw_cli.cli.run.launch import CliArguments, launch

    given = CliArguments(
        flags={name: value if value != [] else None for name, value in settings.items()},
        prompt=prompt,
        files=tuple(file or ()),
        encoding=encoding,
        input_format=input_format,
        schema=schema,
        use_plugins=not no_plugins,
        last_message=last_message,
        connect=connect,
        token_file=token_file,
        session=session,
        go_on=go_on,
        resume=resume,
        interactive=interactive,
        quiet=quiet,
        verbose=verbose,
        debug=debug,
    )
    if connect is not None:
        from finclaw_cli.cli.run.connect.launch import launch_connected

        launch_connected(given)
    launch(given)
