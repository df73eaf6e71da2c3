"""Whose certificates a connection trusts."""

from __future__ import annotations

import ssl


def trusted(url: str | None) -> ssl.SSLContext | bool:
    """The system's authorities, or nobody where the connection is not encrypted.

    Reading some hundred certificates takes longer than all else that is done for a connection: a server of the user's
    own at `http://127.0.0.1` needs none of them.
    """
    if url is None or not url.lower().startswith("http://"):
        return True
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
