"""`finclaw replay`: a recorded session streamed or verified."""

from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_session

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def replay(
    session: Annotated[
        str,
        typer.Argument(
            metavar="SESSION",
            help="A session's name or a prefix of it, a file, or - for stdin.",
            autocompletion=complete_session,
        ),
    ],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="text|ndjson|json", help="The format of stdout.")
    ] = None,
    events: Annotated[str | None, typer.Option(metavar="agent|all", help="Families of events in NDJSON.")] = None,
    deltas: Annotated[bool | None, typer.Option("--deltas/--no-deltas", help="Deltas in NDJSON.")] = None,
    stream: Annotated[
        bool | None, typer.Option("--stream/--no-stream", help="Text into a pipe as it comes, or at the end.")
    ] = None,
    plain: Annotated[bool | None, typer.Option("--plain", help="No colours, no live drawing.")] = None,
    speed: Annotated[
        str, typer.Option(metavar="N|max", help="1 for the recorded speed, 10 for ten times that.")
    ] = "max",
    first: Annotated[int, typer.Option("--from", metavar="TURN", help="Begin with this turn.")] = 1,
    last: Annotated[int | None, typer.Option("--to", metavar="TURN", help="End with this turn.")] = None,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Run it again with the installed version; exit 10 at the first difference."),
    ] = False,
    live_tools: Annotated[
        bool, typer.Option("--live-tools", help="Run read-only tools again, and show how their results differ.")
    ] = False,
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="Ask another model, with the recorded results of tools.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Errors alone on stderr.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Every step on stderr.")] = False,
) -> None:
    """Stream a recorded session again, verify it, or ask another model its questions.

    Without --model and --live-tools it makes no request, calls no tool and uses no network.
    """
    from finclaw_cli.cli.replay.replay_session import Replay, replay_session

    wanted = Replay(
        session=session,
        flags={"output": output, "events": events, "deltas": deltas, "stream": stream, "plain": plain, "model": model},
        speed=speed,
        first=first,
        last=last,
        quiet=quiet,
        verbose=verbose,
        live_tools=live_tools,
    )
    made_again = [name for name, given in (("--verify", verify or live_tools), ("--model", model is not None)) if given]
    streamed = [name for name, given in (("--speed", speed != "max"), ("--from", first != 1), ("--to", last)) if given]
    if len(made_again) > 1 or (made_again and streamed):
        from finclaw_cli.core.errors import UsageError

        both = " and ".join([*made_again, *streamed][:2])
        raise UsageError(
            f"{both} exclude each other", hint="--speed, --from and --to are for streaming a session again."
        )
    if model is not None:
        from finclaw_cli.cli.replay.ask_another import ask_another

        ask_another(wanted)
    if not (verify or live_tools):
        replay_session(wanted)
    from finclaw_cli.cli.replay.verify_session import show_live_results, verify_session

    (verify_session if verify else show_live_results)(wanted)
