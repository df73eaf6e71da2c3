"""Who gets an answer: requests for this server, from its own page or from no page, with its token."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from finclaw_cli.core.record import record
from finclaw_cli.serve.connections import make_known
from finclaw_cli.serve.problems import Problem, bad_request
from finclaw_cli.serve.token import Token

SUBPROTOCOL = "finclaw"
_TOKEN_PROTOCOL = "token."  # noqa: S105 - a prefix
OPEN = frozenset({"/v1/health", "/"})
"""Paths without data, for which no token is needed."""
ASSETS = "/assets/"
SINGLE = ("host", "origin", "authorization", "content-type", "idempotency-key", "last-event-id", "sec-fetch-site")
"""Headers that a request has at most once."""
_PATH = re.compile(rb"/|(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)+")
MOST_QUERY = 4_096
MOST_HEAD_BYTES = 16 * 1024
VERSIONS = frozenset({"1.0", "1.1"})
_TOKEN_IN_QUERY = re.compile(rb"(?:^|[&;])(?:access_)?token=", re.IGNORECASE)
SELF_SITES = frozenset({"same-origin", "none"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode("ascii")),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


@record(kw_only=True)
class Access:
    """What is checked of each request before anything else is read of it."""

    token: Token
    hosts: frozenset[str]
    """The values of `Host` that mean this server, with their ports."""
    scheme: str
    """`http` or `https`."""

    def check(self, scope: Scope) -> None:
        """Check the head of a request.

        Raises:
            Problem: it is refused.
        """
        headers = Headers(scope=scope)
        _check_form(scope, headers)
        self._check_host(headers)
        _check_address(scope)
        if not (scope["path"] in OPEN or scope["path"].startswith(ASSETS)):
            self._check_site(headers)
            self._check_token(headers, scope.get("subprotocols") or ())
            make_known(scope)

    def _check_host(self, headers: Headers) -> None:
        if headers.get("host", "") not in self.hosts:
            raise Problem(HTTPStatus.FORBIDDEN, "bad_host", "the Host of the request is not this server")
        origin = headers.get("origin")
        if origin is not None and origin not in {f"{self.scheme}://{host}" for host in self.hosts}:
            raise Problem(HTTPStatus.FORBIDDEN, "bad_origin", "the request comes from another page")

    @staticmethod
    def _check_site(headers: Headers) -> None:
        if headers.get("sec-fetch-site", "none") not in SELF_SITES:
            raise Problem(HTTPStatus.FORBIDDEN, "bad_origin", "the request comes from another page")

    def _check_token(self, headers: Headers, subprotocols: Sequence[str]) -> None:
        given = [
            each.removeprefix(_TOKEN_PROTOCOL) for each in subprotocols if each.startswith(_TOKEN_PROTOCOL)
        ]  # of a browser's WebSocket, which can have no header
        if (header := headers.get("authorization")) is not None:
            scheme, _, value = header.partition(" ")
            given.append(value if scheme.lower() == "bearer" else "")
        if not given or not all(self.token.matches(each.encode("latin-1", "replace")) for each in given):
            raise Problem(
                HTTPStatus.UNAUTHORIZED, "no_token", "the request has not the token of this server",
                "Send it as Authorization: Bearer TOKEN; the server prints it when it starts, or has it of a file.",
            )  # fmt: skip


def _check_form(scope: Scope, headers: Headers) -> None:
    if scope["http_version"] not in VERSIONS:
        raise Problem(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "bad_request", "this server has HTTP/1.1")
    if sum(len(name) + len(value) for name, value in headers.raw) > MOST_HEAD_BYTES:
        raise Problem(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too_long", "the headers are too long")
    for name in SINGLE:
        if len(headers.getlist(name)) > 1:
            raise bad_request(f"the header {name} is there more than once")


def _check_address(scope: Scope) -> None:
    path = scope.get("raw_path") or scope["path"].encode("utf-8", "surrogateescape")
    if not _PATH.fullmatch(path) or b".." in path:
        raise bad_request("no path of this server looks like this", code="bad_path")
    query = scope["query_string"]
    if len(query) > MOST_QUERY:
        raise bad_request(f"the query is longer than {MOST_QUERY} bytes")
    if _TOKEN_IN_QUERY.search(query):
        raise bad_request(
            "a token in an address would be kept in logs and histories", "Send it as Authorization: Bearer TOKEN."
        )


class AccessMiddleware:
    """An ASGI application that answers what is refused, and gives each answer the headers that protect pages."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_protected(message: Message) -> None:
            if message["type"] in {"http.response.start", "websocket.http.response.start"}:
                message["headers"] = _protected(message.get("headers", ()))
            await send(message)

        try:
            self._access.check(scope)
        except Problem as problem:
            await refusal(problem)(scope, receive, send_protected)
            return
        await self._app(scope, receive, send_protected)


def refusal(problem: Problem) -> JSONResponse:
    """The answer to a request that is refused, after which the connection is closed."""
    headers = {"connection": "close"}
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = "Bearer"
    return JSONResponse(problem.document(), problem.status, headers)


def _protected(headers: Any) -> list[tuple[bytes, bytes]]:
    given = list(headers)
    names = {name.lower() for name, _ in given}
    return [*given, *(each for each in HEADERS if each[0] not in names)]
