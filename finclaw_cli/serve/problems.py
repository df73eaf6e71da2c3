"""Answers that are errors: a status, and what `finclaw` prints of an error as JSON."""

from __future__ import annotations

from http import HTTPStatus

from finclaw_cli.core.clean import clean
from finclaw_cli.core.environment import environment
from finclaw_cli.core.errors import CredentialsError, FinclawError, SessionBusy, UsageError
from finclaw_cli.core.json_text import JsonObject

NOT_FOUND = frozenset({"unknown_session", "unknown_run", "unknown_tool"})

FAILED = HTTPStatus.INTERNAL_SERVER_ERROR
_STATUSES: dict[type[FinclawError], HTTPStatus] = {
    UsageError: HTTPStatus.BAD_REQUEST,
    SessionBusy: HTTPStatus.CONFLICT,
    CredentialsError: HTTPStatus.UNPROCESSABLE_ENTITY,
}
"""The statuses of errors for which nothing has failed."""


class Problem(Exception):
    """A request that is not answered."""

    def __init__(self, status: HTTPStatus, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint

    def document(self) -> JsonObject:
        """The body of the answer."""
        return {"error": {"code": self.code, "message": _shown(self.message), "hint": self.hint and _shown(self.hint)}}


def problem_of(error: FinclawError) -> Problem:
    """The answer to a request that finclaw itself refuses."""
    if error.code in NOT_FOUND:
        status = HTTPStatus.NOT_FOUND
    else:
        status = next((each for kind, each in _STATUSES.items() if isinstance(error, kind)), FAILED)
    return Problem(status, error.code, error.message, error.hint)


def bad_request(message: str, hint: str | None = None, *, code: str = "bad_request") -> Problem:
    """The answer to a request whose form is wrong."""
    return Problem(HTTPStatus.BAD_REQUEST, code, message, hint)


def _shown(text: str) -> str:
    """A text of an error without secrets and control characters."""
    return clean(environment().secrets.mask(text))
