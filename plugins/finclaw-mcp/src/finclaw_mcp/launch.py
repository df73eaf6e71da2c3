"""`finclaw mcp serve`: from the options to the end of the process."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import NoReturn

from finclaw_cli.errors import UsageError
from finclaw_cli.sdk.front import serve_front
from finclaw_mcp.serving import Serving, serve_stdio


def serve(wanted: Serving, http: str | None, token_file: Path | None) -> NoReturn:
    """Serve at stdin and stdout, or at the address `http`, and end the process.

    Raises:
        UsageError: an option has a wrong value, or a package is missing.
        ToolError: there is no tool to offer.
    """
    if http is None:
        serve_front(partial(serve_stdio, wanted))
    try:
        from finclaw_mcp.serving_http import Address, serve_http
    except ImportError as error:
        hint = "pip install 'finclaw-cli[serve]'"
        raise UsageError(f"--http needs the extra `serve`: {error.name} is not installed", hint=hint) from None
    serve_front(partial(serve_http, wanted, Address.of(http, token_file)))
