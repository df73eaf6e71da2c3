"""`finclaw worker`: runs the items of batches that are in a database, beside other machines."""

from typing import Annotated

import typer

from finclaw_cli.cli.batch.cluster_options import DatabaseUrlFile, InsecureDatabase

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def worker(
    concurrency: Annotated[
        int, typer.Option("--concurrency", "-j", metavar="N", min=1, max=1_000, help="The most requests at once.")
    ] = 8,
    database_url_file: DatabaseUrlFile = None,
    insecure_database: InsecureDatabase = False,
    migrate: Annotated[
        bool, typer.Option("--migrate", help="Make the tables, or bring them up to date, as their owner, and end.")
    ] = False,
    grant: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE", help="With --migrate: a role that may use the tables; repeatable."),
    ] = None,
    list_workers: Annotated[bool, typer.Option("--list", help="List the workers, and end.")] = False,
    json: Annotated[bool, typer.Option("--json", help="With --list: JSON instead of text.")] = False,
) -> None:
    """Run the items of batches in a PostgreSQL database, beside the workers of other machines.

    finclaw batch FILE --cluster submits batches. A worker runs until a signal comes; its runs are then taken up by
    others, and so are those of a worker that dies. The extra finclaw-cli[cluster] has to be installed.
    """
    from finclaw_cli.cli.worker.launch import Wanted, work

    work(
        Wanted(
            concurrency=concurrency, database_url_file=database_url_file, insecure_database=insecure_database,
            migrate=migrate, grant=tuple(grant or ()), list_workers=list_workers, as_json=json,
        )
    )  # fmt: skip
