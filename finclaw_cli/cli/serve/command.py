"""`finclaw serve`: runs, sessions and costs for programs and for a page."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def serve(
    host: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="The address to listen on; one of a network needs --token-file."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65_535, help="The port; 0 takes a free one.")] = 0,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST[:PORT]", help="A further name of the server, as of a proxy in front; repeatable."),
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The token, in place of a new one at each start; mode 0600.")
    ] = None,
    max_runs: Annotated[int, typer.Option(metavar="N", min=1, max=1_000, help="The most runs at once.")] = 8,
    max_clients: Annotated[int, typer.Option(metavar="N", min=1, max=10_000, help="The most open event streams.")] = 32,
    tls_cert: Annotated[Path | None, typer.Option(metavar="FILE", help="A certificate, for HTTPS.")] = None,
    tls_key: Annotated[Path | None, typer.Option(metavar="FILE", help="The key of the certificate.")] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve runs, sessions and costs on this machine: a JSON API, live events, and a page.

    The address that is printed has the token in it, without which nothing is answered. The extra finclaw-cli[serve]
    has to be installed.
    """
    from finclaw_cli.cli.serve.launch import Serving, serve_until_stopped

    serve_until_stopped(
        Serving(
            host=host, port=port, allowed_hosts=tuple(allow_host or ()), token_file=token_file, max_runs=max_runs,
            max_clients=max_clients, tls_cert=tls_cert, tls_key=tls_key, open_page=open_page,
        )
    )  # fmt: skip
