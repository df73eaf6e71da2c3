"""The options of batch commands that mean the batches of a cluster, and the queue that they mean."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from finclaw_cli.core.record import record

DatabaseUrlFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The address of the database; else FINCLAW_DATABASE_URL has it.")
]
InsecureDatabase = Annotated[
    bool, typer.Option("--insecure-database", help="Allow a database of a network without sslmode=verify-full.")
]
_OPTIONS: dict[str, Any] = {
    "cluster": Annotated[
        bool, typer.Option("--cluster", help="The batches of a database, whose items finclaw worker runs.")
    ],
    "database_url_file": DatabaseUrlFile,
    "insecure_database": InsecureDatabase,
}
_DEFAULTS: dict[str, object] = {"cluster": False, "database_url_file": None, "insecure_database": False}


@record(kw_only=True)
class ClusterOptions:
    """Where the batches of a cluster are."""

    database_url_file: Path | None
    insecure_database: bool


def with_cluster(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which gets them as `cluster`: `ClusterOptions`, or None for this machine."""

    @functools.wraps(command)
    def called(**values: Any) -> None:
        cluster = ClusterOptions(
            database_url_file=values.pop("database_url_file"), insecure_database=values.pop("insecure_database")
        )
        command(**{**values, "cluster": cluster if values["cluster"] else None})

    own = inspect.signature(command, eval_str=True)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS[name], annotation=option)
        for name, option in _OPTIONS.items()
    ]
    *kept, last = [each for name, each in own.parameters.items() if name != "cluster"]
    is_open = last.kind is inspect.Parameter.VAR_KEYWORD
    parameters = [*kept, *added, last] if is_open else [*kept, last, *added]
    called.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return called
