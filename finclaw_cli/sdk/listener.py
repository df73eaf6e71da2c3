"""For commands of a plugin that answer HTTP requests: the socket, the token, and who gets an answer.

It needs the extra `serve`, and raises `ImportError` without it. `Listener` checks `Host`, `Origin` and the bearer token
of each request as `finclaw serve` does, before the application gets it.
"""

from __future__ import annotations

from finclaw_cli.serve.listener import LOOPBACK, Listener, ServerOptions
from finclaw_cli.serve.token import Token, new_token, token_from

__all__ = ["LOOPBACK", "Listener", "ServerOptions", "Token", "new_token", "token_from"]
