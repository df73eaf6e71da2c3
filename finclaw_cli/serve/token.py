"""The token that a client has to have: new at each start, or from a file that only its owner can read."""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
from pathlib import Path

from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import UsageError
from finclaw_cli.core.files import read_regular

TOKEN_BYTES = 32
LEAST_CHARS = 32
MOST_CHARS = 256
_FORM = re.compile(r"[A-Za-z0-9_-]+")


class Token:
    """A secret that is masked in everything that this process shows."""

    def __init__(self, text: str) -> None:
        self.text = text
        environment().secrets.add(text)

    def matches(self, given: bytes) -> bool:
        """Whether a client has it; takes the same time for each wrong one of its length."""
        return hmac.compare_digest(self.text.encode("ascii"), given)


def new_token() -> Token:
    """A token of 256 bits."""
    return Token(secrets.token_urlsafe(TOKEN_BYTES))


def token_from(path: Path) -> Token:
    """The token in a file.

    Raises:
        UsageError: it cannot be read, others can read it, or it has no token.
    """
    try:
        mode = path.stat().st_mode
        text = read_regular(path, MOST_CHARS + 2).decode("ascii", "replace").strip()
    except OSError as error:
        raise UsageError(f"--token-file {path}: cannot be read: {error.strerror}", code="bad_file") from error
    if stat.S_IMODE(mode) & (stat.S_IRWXG | stat.S_IRWXO) or path.stat().st_uid not in {os.getuid(), 0}:
        raise UsageError(
            f"--token-file {path}: others can read it, or it is not yours", hint=f"chmod 600 {path}", code="bad_file"
        )
    if not LEAST_CHARS <= len(text) <= MOST_CHARS or not _FORM.fullmatch(text):
        raise UsageError(
            f"--token-file {path}: a token has {LEAST_CHARS} to {MOST_CHARS} letters, digits, - and _",
            hint="Make one: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'",
            code="bad_file",
        )
    return Token(text)
