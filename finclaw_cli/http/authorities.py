"""Whose certificates a connection trusts."""

from __future__ import annotations

import os
import ssl


def trusted(url: str | None) -> ssl.SSLContext:
    """The system's authorities, or none where the connection is not encrypted.

    Reading some hundred certificates takes longer than all else that is done for a connection: a server of the user's
    own at `http://127.0.0.1` needs none of them.

    Raises:
        OSError: the environment names a file of certificates that cannot be read.
    """
    if url is not None and url.lower().startswith("http://"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if file or folder:
        return ssl.create_default_context(cafile=file or None, capath=folder or None)
    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
