"""`finclaw cost`: the cost of requests."""

from pathlib import Path
from typing import Annotated

import typer

from finclaw_cli.cli.complete import complete_model, complete_session, complete_tool


def complete_by(incomplete: str) -> list[str]:
    """The dimensions that costs can be grouped by, also after a comma."""
    from finclaw_cli.listings.cost.options import DIMENSIONS

    before, comma, last = incomplete.rpartition(",")
    given = before.split(",")
    return [f"{before}{comma}{name}" for name in DIMENSIONS if name.startswith(last) and name not in given]


def complete_format(incomplete: str) -> list[str]:
    """The formats whose name has this prefix."""
    from finclaw_cli.listings.cost.options import FORMATS

    return [name for name in FORMATS if name.startswith(incomplete)]


app = typer.Typer(add_completion=False, rich_markup_mode=None)

By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="NAME[,NAME…]",
        help="Group by, in this order: model (the default), provider, day, week, month, session, run, agent, "
        "purpose; or tool, for tool calls. Several separated by commas, or repeat the option.",
        autocompletion=complete_by,
    ),
]
Since = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="WHEN",
        help="Since then: 2026-11-01, 2026-11, 2026-W45, 2026-11-01T09:30, today, yesterday, or a time ago: 7d, 24h, "
        "2w. Days are those of your time zone.",
    ),
]
Until = Annotated[
    str | None,
    typer.Option(
        "--until", metavar="WHEN", help="Until the end of that day, week or month, or that moment; as --since."
    ),
]
Session = Annotated[
    str | None,
    typer.Option(
        "--session",
        metavar="SESSION",
        help="Only this session, by its name or a prefix of it.",
        autocompletion=complete_session,
    ),
]
Run = Annotated[str | None, typer.Option("--run", metavar="RUN", help="Only this run, by its id or a prefix of it.")]
Format = Annotated[
    str | None,
    typer.Option(
        "--format", metavar="table|json|ndjson|csv", help="The format of the output.", autocompletion=complete_format
    ),
]
Chart = Annotated[
    bool | None,
    typer.Option(
        "--chart/--no-chart",
        help="A bar for each day below the table, or for each week or month where costs are grouped by these; always "
        "shown on a terminal.",
    ),
]


@app.callback(invoke_without_command=True)
def cost(
    context: typer.Context,
    *,
    by: By = None,
    since: Since = None,
    until: Until = None,
    session: Session = None,
    run: Run = None,
    form: Format = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    chart: Chart = None,
) -> None:
    """Show what requests have cost: by model, day, session, tool and more.

    Amounts are in USD. json is one object with rows and their total; ndjson one row a line, without a total; csv one
    row a line below a header, with an empty cell where a value is unknown. In json amounts are strings and unknown ones
    null. Without any requests, json has no rows and a total of 0, csv its header alone, and ndjson no line.
    """
    from finclaw_cli.listings.cost.options import Options, check_alone

    options = Options(
        by=tuple(by or ()), since=since, until=until, session=session, run=run, format=form, as_json=json, chart=chart
    )
    if context.invoked_subcommand is not None:
        check_alone(options, context.invoked_subcommand)
        return
    from finclaw_cli.cli.cost.views import print_cost

    print_cost(options)


@app.command("rebuild")
def rebuild(json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False) -> None:
    """Rebuild the ledger from the transcripts: missing rows are added, none is removed."""
    from finclaw_cli.cli.cost.rebuild import rebuild_ledger

    rebuild_ledger(as_json=json)


@app.command("estimate")
def estimate(
    prompt: Annotated[
        str | None, typer.Argument(metavar="PROMPT", help="The prompt, as for run; - reads it from stdin.")
    ] = None,
    *,
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="The model of the request.", autocompletion=complete_model)
    ] = None,
    file: Annotated[list[Path] | None, typer.Option("--file", "-f", help="Attach a text file; repeatable.")] = None,
    tools: Annotated[
        list[str] | None,
        typer.Option("--tools", "-t", help="Tools to offer, as for run; repeatable.", autocompletion=complete_tool),
    ] = None,
    system: Annotated[
        str | None, typer.Option("--system", "-s", help="System prompt instead of finclaw's own.")
    ] = None,
    max_output_tokens: Annotated[int | None, typer.Option(help="Most tokens of the answer.")] = None,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Estimate what a first request with this prompt would cost; nothing is sent."""
    from finclaw_cli.cli.cost.estimate import print_estimate

    flags = {"model": model, "tools": tools or None, "system": system, "max_output_tokens": max_output_tokens}
    print_estimate(prompt, tuple(file or ()), flags, as_json=json)
