"""The address of a server, and its token."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import CredentialsError, UsageError
from finclaw_cli.core.record import record
from finclaw_cli.serve.token import token_from

VARIABLE = "FINCLAW_SERVE_TOKEN"
LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})


@record
class ServerAddress:
    """Where a server is, and the token that it wants."""

    url: str
    token: str


def server_address(url: str, token_file: Path | None) -> ServerAddress:
    """The server of a command line.

    Raises:
        UsageError: it is no address of a server, or the token would be seen by others.
        CredentialsError: there is no token.
    """
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.scheme not in {"http", "https"} or not host or parts.path not in {"", "/"} or parts.query or "@" in url:
        raise UsageError(
            f"--connect: {url.partition('#')[0]!r} is no address of a server", hint="http://127.0.0.1:PORT"
        )
    if parts.fragment:
        environment().secrets.add(parts.fragment)
        raise UsageError(
            "--connect: the token is not part of the address: other users can see command lines",
            hint=f"Put it into a file, for --token-file FILE, or into the variable {VARIABLE}.",
        )
    if parts.scheme == "http" and host not in LOCAL:
        raise UsageError(
            f"--connect: the token would go to {host} unencrypted", hint="Use https, or an SSH tunnel to 127.0.0.1."
        )
    return ServerAddress(f"{parts.scheme}://{parts.netloc}", _token(token_file))


def _token(file: Path | None) -> str:
    if file is not None:
        return token_from(file).text
    token = os.environ.get(VARIABLE, "").strip()
    if not token or not token.isascii() or not token.isprintable():
        raise CredentialsError(
            "--connect needs the token of the server",
            hint=f"finclaw serve prints it after the # of its address: --token-file FILE, or {VARIABLE}.",
        )
    environment().secrets.add(token)
    return token
