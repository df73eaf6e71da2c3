"""Request headers that the settings add for a provider."""

from __future__ import annotations

import re

MAX_HEADERS, MAX_VALUE = 20, 4_096
AUTHORIZATION = "Authorization"
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")
_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
# These describe the body and the connection, which are the transport's.
_RESERVED = frozenset(
    {
        "accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect",
        "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
    }
)  # fmt: skip


def request_headers(given: object) -> dict[str, str]:
    """Check a table of headers; `Authorization` is returned in this spelling, which replaces that of an SDK.

    Raises:
        ValueError: a name or a value cannot be sent, or the header belongs to the transport. Values are not quoted.
    """
    if not isinstance(given, dict) or len(given) > MAX_HEADERS:
        raise ValueError(f"must be a table of at most {MAX_HEADERS} headers")
    for name, value in given.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ValueError(f"{str(name)[:80]!r} cannot be the name of a header")
        if name.lower() in _RESERVED:
            raise ValueError(f"the header {name!r} cannot be set")
        if not isinstance(value, str) or len(value) > MAX_VALUE or not _VALUE.fullmatch(value):
            raise ValueError(f"the value of the header {name!r} cannot be sent")
    if len({name.lower() for name in given}) < len(given):
        raise ValueError("two headers have the same name")
    return {AUTHORIZATION if name.lower() == AUTHORIZATION.lower() else name: value for name, value in given.items()}
