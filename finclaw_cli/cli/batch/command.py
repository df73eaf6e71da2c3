"""`finclaw batch`: many prompts from a file."""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from finclaw_cli.cli.batch.cluster_options import ClusterOptions, with_cluster
from finclaw_cli.cli.setting_options import with_run_settings


class BatchCommands(TyperGroup):
    """Takes anything but a subcommand for the arguments of `run`, and `--economy` without a value for its default."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `run` before a file, or an option of it."""
        if args and args[0] not in {*self.commands, "-h", "--help"}:
            args = ["run", *args]
        args = ["--economy=batch" if each == "--economy" else each for each in args]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed


app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True, cls=BatchCommands)

BatchId = Annotated[str, typer.Argument(metavar="BATCH", help="The id of the batch, or a prefix of it.")]
OrNewest = Annotated[
    str | None, typer.Argument(metavar="[BATCH]", help="The id of the batch, or a prefix of it; else the newest.")
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]


@app.callback()
def batch() -> None:
    """Run many prompts from a file, within a budget; what was interrupted is taken up again.

    finclaw batch FILE is finclaw batch run FILE. A file with the name of a subcommand is given as ./list.
    """


@app.command("run")
@with_cluster
@with_run_settings
def run(
    file: Annotated[str, typer.Argument(metavar="FILE", help="One JSON object a line; - reads stdin.")],
    concurrency: Annotated[
        int | None,
        typer.Option(
            "--concurrency",
            "-j",
            metavar="N",
            min=1,
            max=1_000,
            help="The most requests at once: 8 by default, or 1000 in rounds.",
        ),
    ] = None,
    economy: Annotated[
        str | None,
        typer.Option(
            metavar="[=HOW]",
            help="Half the price, answers within a day: batch (the default; rounds over the provider's batch API), "
            "fallback (the full price for what expires twice), or flex (OpenAI's slower tier, without rounds).",
        ),
    ] = None,
    max_cost: Annotated[
        str | None, typer.Option(metavar="USD", help="The most the whole batch may cost, in USD.")
    ] = None,
    ordered: Annotated[
        bool, typer.Option("--ordered", help="Results in the order of the lines, not in that in which they end.")
    ] = False,
    skip_bad_lines: Annotated[
        bool, typer.Option("--skip-bad-lines", help="Leave out the lines that are no items, and name them.")
    ] = False,
    retry: Annotated[
        list[str] | None,
        typer.Option(metavar="STATE", help="Run again what ended as failed, denied, unknown or cancelled; repeatable."),
    ] = None,
    schema: Annotated[
        str | None,
        typer.Option(help="Each answer is JSON valid against this schema: a file, JSON, or name:type,…"),
    ] = None,
    no_plugins: Annotated[bool, typer.Option("--no-plugins", help="Use no plugin at all.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on stderr but errors.")] = False,
    cluster: ClusterOptions | None = None,
    **settings: object,
) -> None:
    """Run the prompts of a file, each a run of its own, and write a result a line to stdout.

    A line is {"prompt": "…"}, with "id", "session", "schema" and any option of a run where wanted, such as "model" or
    "max_turns". The same file with the same options is the same batch: what has ended is not run again, and its
    results are written again. Ctrl-C ends the runs under way; the same command takes them up.
    """
    from finclaw_cli.cli.batch.launch import Wanted, run_batch

    run_batch(
        Wanted(
            file=file,
            concurrency=concurrency,
            economy=economy,
            ordered=ordered,
            skip_bad_lines=skip_bad_lines,
            retry=tuple(retry or ()),
            quiet=quiet,
            cluster=cluster,
            options={**settings, "max_cost": max_cost, "schema": schema, "no_plugins": no_plugins or None},
        )
    )


@app.command("list")
@with_cluster
def list_batches(*, json: AsJson = False, cluster: ClusterOptions | None = None) -> None:
    """List all batches, the newest first."""
    from finclaw_cli.cli.batch.views import print_batches

    print_batches(cluster, as_json=json)


@app.command("status")
@with_cluster
def status(batch: OrNewest = None, *, json: AsJson = False, cluster: ClusterOptions | None = None) -> None:
    """Show how many items of a batch are in which state, and what they have cost."""
    from finclaw_cli.cli.batch.views import print_status

    print_status(cluster, batch, as_json=json)


@app.command("results")
@with_cluster
def results(
    batch: OrNewest = None,
    *,
    ordered: Annotated[bool, typer.Option("--ordered", help="In the order of the lines.")] = False,
    cluster: ClusterOptions | None = None,
) -> None:
    """Write the results of a batch so far, one a line, as JSON."""
    from finclaw_cli.cli.batch.views import print_results

    print_results(cluster, batch, ordered=ordered)


@app.command("retry")
@with_cluster
def retry(
    batch: BatchId,
    items: Annotated[list[str] | None, typer.Argument(metavar="[ITEM]…", help="Ids of items; else all.")] = None,
    *,
    state: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STATE", help="Those in this state: failed (the default), denied, unknown, cancelled; repeatable."
        ),
    ] = None,
    json: AsJson = False,
    cluster: ClusterOptions | None = None,
) -> None:
    """Let items that have ended wait again; the next run of the batch takes them up.

    A question without an answer is taken up where it ended; one that has an answer is asked again in a new session.
    """
    from finclaw_cli.cli.batch.views import retry_items

    retry_items(cluster, batch, items or [], state or ["failed"], as_json=json)


@app.command("cancel")
@with_cluster
def cancel(batch: BatchId, *, json: AsJson = False, cluster: ClusterOptions | None = None) -> None:
    """Cancel the items that wait, end the runs that are under way, and cancel rounds at their providers."""
    from finclaw_cli.cli.batch.cancel import cancel_batch

    cancel_batch(cluster, batch, as_json=json)


@app.command("rm")
@with_cluster
def rm(
    batches: Annotated[list[str], typer.Argument(metavar="BATCH…", help="Ids of batches, or prefixes of them.")],
    *,
    json: AsJson = False,
    cluster: ClusterOptions | None = None,
) -> None:
    """Remove batches with their prompts and results; the sessions of their runs stay.

    The same batch, run again, takes the answers that these sessions have.
    """
    from finclaw_cli.cli.batch.views import remove_batches

    remove_batches(cluster, batches, as_json=json)


@app.command("fetch")
@with_cluster
def fetch(batch: OrNewest = None, *, json: AsJson = False, cluster: ClusterOptions | None = None) -> None:
    """Bring the sessions of a cluster's batch into the data folder, for finclaw sessions, replay and cost.

    What is there already is left out; a session that has gone on since is brought up to date.
    """
    from finclaw_cli.cli.batch.fetch import fetch_batch

    fetch_batch(cluster, batch, as_json=json)
