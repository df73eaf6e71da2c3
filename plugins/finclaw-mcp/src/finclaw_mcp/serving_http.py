"""`finclaw mcp serve --http`: the same server at an address of this machine, for clients that have its token."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

from finclaw_cli.errors import UsageError
from finclaw_cli.sdk.listener import LOOPBACK, Listener, ServerOptions, new_token, token_from
from finclaw_mcp.serving import Serving, offered

PATH = "/mcp"
MAX_PORT = 65_535
BODY_BYTES = 1024 * 1024
MOST_SESSIONS = 64
"""How many clients of the older protocol may have a session at once."""
SESSION_IDLE_S = 3_600.0


@dataclass(frozen=True)
class Address:
    """Where to listen."""

    host: str
    port: int
    token_file: Path | None = None

    @classmethod
    def of(cls, text: str, token_file: Path | None) -> Address:
        """The address that `[HOST:]PORT` names.

        Raises:
            UsageError: it is none.
        """
        host, _, port = text.rpartition(":")
        if not (port.isascii() and port.isdigit() and int(port) <= MAX_PORT):
            raise UsageError(f"--http {text}: it is a port, or HOST:PORT", hint="Port 0 takes a free one.")
        return cls(host.strip("[]") or "127.0.0.1", int(port), token_file)


async def serve_http(wanted: Serving, address: Address, writing: int) -> None:
    """Serve clients at an address, until this is cancelled.

    The address is written to the descriptor `writing`, and with it the token, if it is a new one.

    Raises:
        UsageError: the address cannot be listened on, or a token file is needed or cannot be used.
    """
    listener, secret = _listening(address)
    async with offered(wanted) as tools:
        server = tools.server()
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=BODY_BYTES,
            session_idle_timeout=SESSION_IDLE_S,
            max_sessions=MOST_SESSIONS,
            host=address.host,
        )
        async with server.session_manager.run():
            answering = listener.server(app)
            serving = asyncio.create_task(listener.serve(answering))
            os.write(writing, f"{listener.origin}{PATH}\n{secret}".encode())
            try:
                await asyncio.shield(serving)
            finally:
                answering.should_exit = True
                await asyncio.wait({serving})


def _listening(address: Address) -> tuple[Listener, str]:
    """The listener, and the line with its token where that is new."""
    if address.host not in LOOPBACK and address.token_file is None:
        raise UsageError(f"--http {address.host} can be reached from other machines: that needs --token-file")
    token = new_token() if address.token_file is None else token_from(address.token_file)
    listener = Listener(ServerOptions(token=token, host=address.host, port=address.port))
    return listener, f"Authorization: Bearer {token.text}\n" if address.token_file is None else ""
