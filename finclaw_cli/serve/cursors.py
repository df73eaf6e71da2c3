"""Cursors of pages: where the next page begins, sealed, so that one that was altered is noticed."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from finclaw_cli.serve.problems import bad_request

_FORM = re.compile(r"([0-9]{1,20})-(.{1,80})-([0-9a-f]{32})", re.DOTALL)


class Cursors:
    """Makes and reads the cursors of one server."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def cursor(self, place: tuple[int, str]) -> str:
        """The cursor of a place in a list."""
        return f"{place[0]}-{place[1]}-{self._seal(*place)}"

    def place(self, cursor: str) -> tuple[int, str]:
        """The place in a list that a cursor is of.

        Raises:
            Problem: it is none that this server has made.
        """
        read = _FORM.fullmatch(cursor)
        if read is not None:
            number, name = int(read[1]), read[2]
            if hmac.compare_digest(read[3], self._seal(number, name)):
                return number, name
        raise bad_request(
            "cursor is the value of next in the page before, of this server",
            "Leave it out to begin again.", code="bad_cursor",
        )  # fmt: skip

    def _seal(self, number: int, name: str) -> str:
        text = f"{number}-{name}".encode("utf-8", "replace")
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()[:32]
